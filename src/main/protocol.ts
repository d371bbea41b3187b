/**
 * The window's origin, `app://modelport`. Unlike files, a custom scheme has an origin and headers: the content
 * security policy is a header, and IPC recognises the window by its origin.
 */
import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { extname, join, sep } from 'node:path'
import { net, protocol } from 'electron'
import type { Translation } from '../shared/strings/strings.ts'
import { isDevelopmentBuild } from './debugging.ts'

export const windowOrigin = 'app://modelport'

/** The hot-reloading server of `npm run dev`; null in every other build, whatever the environment. */
export const devServerUrl = isDevelopmentBuild
  ? (process.env['ELECTRON_RENDERER_URL'] ?? null)
  : null

const mediaTypes: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
}

const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "frame-src 'none'",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  // Only the window's own workers: src/renderer/src/markdown/start-worker.ts.
  'trusted-types modelport-workers',
].join('; ')

/** The place of the nonce in `index.html`. */
const noncePlace = 'nonce="NONCE"'
/** The places of the translation; a page without one is in English. */
const languagePlace = 'lang="en"'
const textsPlace = /(<script id="translation"[^>]*>)\s*\{\}/

const headers = {
  'content-security-policy': contentSecurityPolicy,
  'x-content-type-options': 'nosniff',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
}

/** Call this before Electron is ready. */
export function registerScheme(): void {
  const privileges = { standard: true, secure: true, supportFetchAPI: true, codeCache: true }
  protocol.registerSchemesAsPrivileged([{ scheme: 'app', privileges }])
}

/**
 * Serves `app://modelport/…` from the built renderer; everything else is not found.
 * @param translation  for the page
 */
export function serveWindow(rendererDir: string, translation: () => Promise<Translation>): void {
  protocol.handle('app', async (request) => {
    const url = new URL(request.url)
    if (url.host !== 'modelport' || request.method !== 'GET') return notFound()
    return devServerUrl === null
      ? serveFile({ rendererDir, translation }, url)
      : serveDev(devServerUrl, url)
  })
}

interface Served {
  rendererDir: string
  translation(): Promise<Translation>
}

async function serveFile({ rendererDir, translation }: Served, url: URL): Promise<Response> {
  const file = fileOf(rendererDir, url.pathname)
  if (file === null) return notFound()
  try {
    const type = mediaTypes[extname(file)] ?? 'application/octet-stream'
    const content = await readFile(file)
    const own = { ...headers, 'content-type': type }
    return extname(file) === '.html'
      ? pageOf(content.toString(), await translation(), own)
      : new Response(content, { headers: own })
  } catch {
    // A missing file or a folder: the window needs no distinction.
    return notFound()
  }
}

/** The page with its texts and a new nonce: the text editor adds its styles as elements. Scripts cannot use it. */
function pageOf(
  content: string,
  { language, texts }: Translation,
  own: Record<string, string>,
): Response {
  const nonce = randomBytes(16).toString('base64')
  const policy = contentSecurityPolicy.replace("style-src 'self'", `$& 'nonce-${nonce}'`)
  // “<” could end the element. Functions, because “$&” in a text must stay.
  const json = JSON.stringify(texts).replaceAll('<', String.raw`\u003c`)
  const page = content
    .replace(noncePlace, `nonce="${nonce}"`)
    .replace(languagePlace, `lang="${language}"`)
    .replace(textsPlace, (_place, begin: string) => begin + json)
  return new Response(page, { headers: { ...own, 'content-security-policy': policy } })
}

/** The file of a path, or null if it is outside the folder (`%2e%2e%2f` survives URL parsing). */
function fileOf(rendererDir: string, pathname: string): string | null {
  const path = decode(pathname === '/' ? '/index.html' : pathname)
  if (path === null || path.includes('\0')) return null
  const file = join(rendererDir, path)
  return file.startsWith(rendererDir + sep) ? file : null
}

function decode(pathname: string): string | null {
  try {
    return decodeURIComponent(pathname)
  } catch {
    return null
  }
}

function notFound(): Response {
  return new Response(null, { status: 404, headers })
}

/** Serves from the dev server, without the policy: hot reload needs inline scripts and a socket. */
function serveDev(server: string, { pathname, search }: URL): Promise<Response> {
  return net.fetch(new URL(pathname + search, server).href)
}
