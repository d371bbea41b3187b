/**
 * Opens every page of the window over a pretended service in a plain Chromium, in both themes and
 * under the app's own content security policy; saves a picture of each and prints what axe and the
 * console complain about. Exits 1 when they do. For building pages: the real app is tested by the
 * specs beside this file.
 *
 *   vite build -c test/renderer-harness/vite.config.ts && node e2e/window-look.ts [picture folder]
 */
import { mkdir, readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { extname, join } from 'node:path'
import { AxeBuilder } from '@axe-core/playwright'
import { chromium, type Browser, type Page } from '@playwright/test'
import type { View } from './view.ts'
import { views } from './window-views.ts'

const built = join(import.meta.dirname, '../node_modules/.cache/renderer-harness')
const pictures = process.argv[2] ?? join(import.meta.dirname, '../test-results/window')

const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; worker-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"

const contentTypes: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.woff2': 'font/woff2',
}

const server = createServer((request, response) => void serve(request, response))
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const address = server.address()
const origin = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`

const browser = await chromium.launch({
  executablePath: '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu'],
})
await mkdir(pictures, { recursive: true })
const wanted = views.filter(({ name }) => name.startsWith(process.env['ONLY'] ?? ''))
let complaints = 0
for (const view of wanted) {
  for (const theme of ['light', 'dark'] as const) {
    for (const complaint of await look(browser, view, theme)) {
      complaints += 1
      process.stdout.write(`${view.name} ${theme}: ${complaint}\n`)
    }
  }
}
await browser.close()
server.close()
process.stdout.write(`${wanted.length} views in 2 themes, ${complaints} complaints\n`)
process.exitCode = complaints === 0 ? 0 : 1

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = new URL(request.url ?? '/', 'http://localhost').pathname
  const file = path === '/' ? '/index.html' : path
  const content = await readFile(join(built, file)).catch(() => null)
  if (content === null) {
    response.writeHead(404).end()
    return
  }
  response.setHeader('content-security-policy', policy)
  response.setHeader('content-type', contentTypes[extname(file)] ?? 'text/plain')
  response.end(content)
}

/** @returns what is wrong with the view, in words */
async function look(from: Browser, view: View, theme: 'light' | 'dark'): Promise<string[]> {
  const context = await from.newContext({
    viewport: { width: view.width ?? 1280, height: 800 },
    colorScheme: theme,
    reducedMotion: 'reduce',
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  const page = await context.newPage()
  const wrong: string[] = []
  page.on('console', (entry) => {
    if (entry.type() === 'error' || entry.type() === 'warning') wrong.push(entry.text())
  })
  page.on('pageerror', (error) => wrong.push(`${error.name}: ${error.message}`))
  await page.goto(`${origin}/?scene=${view.scene}#${view.path}`)
  await page.getByRole('navigation', { name: 'Pages' }).waitFor()
  await view.act?.(page).catch((error: unknown) => wrong.push(String(error)))
  await page.waitForTimeout(300)
  await page.screenshot({ path: join(pictures, `${view.name}-${theme}.png`) })
  wrong.push(...(await axeFindings(page)))
  await context.close()
  return wrong
}

async function axeFindings(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).analyze()
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `axe ${id}: ${html} ${failureSummary ?? ''}`),
  )
}
