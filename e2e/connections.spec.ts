/**
 * No account, no telemetry: a start, every page, typing and a chat with the local model make no connection to another
 * computer. A proxy that denies everything records what would leave by Chromium or by Node, /proc shows the sockets of
 * the whole process tree, and Chromium's network log every request.
 */
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, test } from './fixtures.ts'
import { watchSockets } from './open-sockets.ts'

/** Records what it is asked for, and denies it. */
async function startDenyingProxy(): Promise<{ url: string; asked: string[]; close(): void }> {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(request.url ?? '')
    response.writeHead(403).end()
  })
  server.on('connect', ({ url }, socket) => {
    asked.push(url ?? '')
    socket.end('HTTP/1.1 403 Forbidden\r\n\r\n')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, asked, close: () => void server.close() }
}

/** The addresses in Chromium's network log that are not of the window itself. */
async function loggedRequests(file: string): Promise<string[]> {
  const text = await readFile(file, 'utf8')
  const urls = [...text.matchAll(/"url":"([^"]+)"/g)].map(([, url = '']) => url)
  return urls.filter((url) => !/^(app|devtools|data|blob|chrome):/.test(url))
}

test('nothing connects to another computer unless the user asks for it', async ({
  launchApp,
  dataDir,
}) => {
  const proxy = await startDenyingProxy()
  const netLog = join(dataDir, 'net-log.json')
  const { app, window } = await launchApp({
    env: { HTTPS_PROXY: proxy.url, HTTP_PROXY: proxy.url, NO_PROXY: '' },
    page: null,
    switches: [`--proxy-server=${proxy.url}`, `--log-net-log=${netLog}`],
  })
  const stopWatching = watchSockets(app.process().pid ?? 0)

  const pages = window.getByRole('navigation', { name: 'Pages' })
  for (const link of await pages.getByRole('link').all()) {
    await link.click()
    await expect(window.getByRole('heading', { level: 1 }).first()).toBeAttached()
  }
  await pages.getByRole('link', { name: 'Chat' }).click()
  const composer = window.getByRole('textbox', { name: 'Message' })
  // Typed key by key: a spelling checker loads its dictionary for that.
  await composer.pressSequentially('Say helo.')
  await composer.press('Enter')
  await expect(window.getByRole('list', { name: 'Answer details' })).toContainText('local:', {
    timeout: 60_000,
  })

  expect(await stopWatching()).toEqual([])
  await app.close()
  expect(proxy.asked).toEqual([])
  expect(await loggedRequests(netLog)).toEqual([])
  proxy.close()
})
