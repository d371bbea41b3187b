// The preview of HTML and SVG in an answer: shown in a view of its own, without scripts, network and a way out of it.
import { readFile } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import axeCore from 'axe-core'
import type { ElectronApplication, Page } from '@playwright/test'
import { startFakeProvider, type FakeProvider } from '../test/fake-provider.ts'
import { setLook } from './examine.ts'
import { expect, test } from './fixtures.ts'
import { savePicture } from './pictures.ts'
import { isRunning } from '../test/is-running.ts'

/** A TCP server that must not be reached, whatever is spoken to it. */
async function startCanary() {
  let hits = 0
  const server = createServer((socket) => {
    hits += 1
    socket.destroy()
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  // A listening TCP server's address is an AddressInfo.
  const { port } = server.address() as AddressInfo
  return { port, hits: () => hits, close: () => server.close() }
}

/** Everything that loads, leads away, opens, stores or runs, as far as HTML can. No line hides the ones after it. */
function hostilePage(port: number): string {
  const at = (name: string) => `http://127.0.0.1:${port}/${name}`
  const named = (name: string) => `http://${name}.canary.example:${port}/`
  const script = `new RTCPeerConnection({iceServers:[{urls:'turn:127.0.0.1:${port}?transport=tcp',username:'a',credential:'b'}]}).createDataChannel('x');
    fetch('${at('fetch')}');navigator.sendBeacon('${at('beacon')}');new WebSocket('ws://127.0.0.1:${port}');window.open('${at('open')}');
    navigator.serviceWorker.register('${at('worker')}');document.title='ran';modelport.call('app:state');location='${at('location')}'`
  return `<!doctype html><title>still</title><meta http-equiv="x-dns-prefetch-control" content="on">
<link rel="dns-prefetch" href="${named('dns')}"><link rel="preconnect" href="${named('preconnect')}"><link rel="preconnect" href="${at('')}">
<link rel="prefetch" href="${at('prefetch')}"><link rel="preload" as="image" href="${at('preload')}"><link rel="modulepreload" href="${at('module')}">
<link rel="prerender" href="${at('prerender')}"><link rel="icon" href="${at('icon')}"><link rel="manifest" href="${at('manifest')}">
<link rel="stylesheet" href="${at('css')}"><style>@import '${at('import')}';@font-face{font-family:f;src:url(${at('font')})}
body{font-family:f;background:url(${at('background')})}</style>
<script type="speculationrules">{"prefetch":[{"source":"list","urls":["${at('speculation')}"]}]}</script>
<script>${script}</script><script src="${at('script')}"></script><base href="${at('base')}">
<img src="${at('image')}" onerror="${script.replaceAll('\n', '')}"><img src="x" srcset="${at('srcset')} 2x">
<iframe src="${at('frame')}"></iframe><iframe srcdoc="<link rel=dns-prefetch href=${named('inner')}><img src=${at('inner')}><script>document.title=1</script>"></iframe>
<object data="${at('object')}"></object><embed src="${at('embed')}"><video autoplay src="${at('video')}" poster="${at('poster')}"></video>
<svg><image href="${at('svg')}"/><use href="${at('use')}#x"/></svg>
<form id="form" method="post" action="${at('form')}"><button style="position:fixed;left:10px;top:10px;width:80px;height:30px">Send</button></form>
<a ping="${at('ping')}" href="${at('link')}" style="position:fixed;left:110px;top:10px;width:80px;height:30px;background:#eee">Link</a>
<a href="${at('window')}" target="_blank" style="position:fixed;left:210px;top:10px;width:80px;height:30px;background:#eee">Window</a>
<a href="data:text/plain,x" download="x.txt" style="position:fixed;left:310px;top:10px;width:80px;height:30px;background:#eee">Download</a>
<meta http-equiv="refresh" content="0;url=${at('refresh')}">`
}

/** Asks a question whose answer has this code, and opens its preview. */
async function preview(window: Page, upstream: FakeProvider, fenced: string): Promise<void> {
  upstream.setModel('writer', { text: `Here it is.\n\n${fenced}\n` })
  await window.evaluate(async (baseUrl) => {
    await modelport.call('providers:add', { id: 'fake', type: 'openai-compatible', baseUrl })
    const price = { inputUsdPerMtok: 1, outputUsdPerMtok: 2, contextTokens: 8000 }
    await modelport.call('models:save', { id: 'fake:writer', ...price })
    const models = ['fake:writer']
    await modelport.call('routers:create', { name: 'Writer', strategy: 'priority', models })
  }, upstream.url)
  await window.getByRole('combobox', { name: 'Router' }).click()
  await window.getByRole('option', { name: 'Writer' }).click()
  await window.getByRole('textbox', { name: 'Message' }).fill('Draw it')
  await window.keyboard.press('Enter')
  await window.getByRole('button', { name: 'Preview' }).press('Enter')
  await expect(window.getByRole('dialog', { name: 'Preview' })).toBeVisible()
}

interface ViewState {
  url: string
  title: string
  processId: number
  bounds: Electron.Rectangle
}

/** The views above the window's page, once they have loaded. */
function views(app: ElectronApplication): Promise<ViewState[]> {
  return app.evaluate(({ BrowserWindow, WebContentsView }) => {
    const [window] = BrowserWindow.getAllWindows()
    return (window?.contentView.children ?? [])
      .filter((view) => view instanceof WebContentsView)
      .filter((view) => view.webContents !== window?.webContents)
      .map((view) => ({
        url: view.webContents.isLoading() ? 'loading' : view.webContents.getURL(),
        title: view.webContents.getTitle(),
        processId: view.webContents.getOSProcessId(),
        bounds: view.getBounds(),
      }))
  })
}

/** Real input events to the preview, at these places of it. */
function click(app: ElectronApplication, places: readonly { x: number; y: number }[]) {
  return app.evaluate(({ webContents }, at) => {
    const page = webContents.getAllWebContents().find((one) => one.getURL() === 'app://preview/')
    for (const { x, y } of at) {
      const button = { x, y, button: 'left', clickCount: 1 } as const
      page?.sendInputEvent({ type: 'mouseDown', ...button })
      page?.sendInputEvent({ type: 'mouseUp', ...button })
    }
  }, places)
}

function press(app: ElectronApplication, keyCode: string) {
  return app.evaluate(({ webContents }, key) => {
    const page = webContents.getAllWebContents().find((one) => one.getURL() === 'app://preview/')
    page?.sendInputEvent({ type: 'keyDown', keyCode: key })
  }, keyCode)
}

const svg = '```svg\n<svg viewBox="0 0 10 10"><circle cx="5" cy="5" r="4" fill="teal"/></svg>\n```'

test('an SVG is shown in a process of its own, which ends when its dialog is closed', async ({
  openApp,
}) => {
  const upstream = await startFakeProvider({ tls: false, models: { writer: {} } })
  const { app, window } = await openApp()
  await preview(window, upstream, svg)

  await expect
    .poll(async () => (await views(app)).map(({ url }) => url))
    .toEqual(['app://preview/'])
  const [shown] = await views(app)
  const own = await app.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows()[0]?.webContents.getOSProcessId(),
  )
  expect(shown?.processId).not.toBe(own)
  const pixel = await app.evaluate(async ({ webContents }) => {
    const page = webContents.getAllWebContents().find((one) => one.getURL() === 'app://preview/')
    const picture = await page?.capturePage()
    const { width = 0, height = 0 } = picture?.getSize() ?? {}
    const at = (Math.floor(height / 2) * width + Math.floor(width / 2)) * 4
    return [...(picture?.toBitmap().subarray(at, at + 3) ?? [])]
  })
  // Blue, green, red.
  expect(pixel).toEqual([128, 128, 0])

  await window.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
  await expect(window.getByRole('dialog')).toHaveCount(0)
  await expect(window.getByRole('button', { name: 'Preview' })).toBeFocused()
  expect(await views(app)).toEqual([])
  await expect.poll(() => isRunning(shown?.processId ?? 0)).toBe(false)
  await upstream.close()
})

test('the view follows its place, the keyboard goes in and out, and axe finds nothing', async ({
  openApp,
}) => {
  const upstream = await startFakeProvider({ tls: false, models: { writer: {} } })
  const { app, window } = await openApp()
  await preview(window, upstream, svg)
  const dialog = window.getByRole('dialog', { name: 'Preview' })
  const isInPlace = async (zoom: number) => {
    const box = await dialog.locator('[data-preview-place]').boundingBox()
    const [view] = await views(app)
    const near = (one: number | undefined, other: number | undefined) =>
      Math.abs((one ?? 0) - (other ?? 0) * zoom) <= 1
    return (
      near(view?.bounds.x, box?.x) &&
      near(view?.bounds.y, box?.y) &&
      near(view?.bounds.width, box?.width) &&
      near(view?.bounds.height, box?.height)
    )
  }
  await expect.poll(() => isInPlace(1)).toBe(true)

  await window.evaluate(axeCore.source)
  for (const theme of ['dark', 'light'] as const) {
    await setLook(window, { theme, density: 'comfortable' })
    const { violations } = await window.evaluate(() => axe.run(document))
    expect(violations.map(({ id }) => id)).toEqual([])
    await savePicture(window, `code-preview-${theme}`)
  }

  await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.setSize(800, 560))
  await expect.poll(() => window.evaluate(() => innerWidth)).toBe(800)
  await expect.poll(() => isInPlace(1)).toBe(true)
  await app.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows()[0]?.webContents.setZoomFactor(1.25),
  )
  await expect.poll(() => window.evaluate(() => innerWidth)).toBe(640)
  await expect.poll(() => isInPlace(1.25)).toBe(true)

  const enter = dialog.getByRole('button', { name: 'Go into the preview' })
  await enter.press('Enter')
  const focused = () =>
    app.evaluate(({ webContents }) => webContents.getFocusedWebContents()?.getURL() ?? '')
  await expect.poll(focused).toBe('app://preview/')
  await press(app, 'F6')
  await expect.poll(focused).toMatch(/^app:\/\/modelport\//)
  await expect(enter).toBeFocused()

  // A hung page makes Electron tell, once a key waits for it for long.
  await app.evaluate(({ webContents }) => {
    const page = webContents.getAllWebContents().find((one) => one.getURL() === 'app://preview/')
    page?.emit('unresponsive')
  })
  await expect(dialog.getByText('The preview does not answer.')).toBeVisible()
  await expect.poll(() => isInPlace(1.25)).toBe(true)

  await enter.press('Enter')
  await press(app, 'Escape')
  await expect(dialog).toHaveCount(0)
  await expect(window.getByRole('button', { name: 'Preview' })).toBeFocused()
  expect(await views(app)).toEqual([])
  await upstream.close()
})

test('a hostile page reaches no server, asks no name server, leads nowhere, opens and runs nothing', async ({
  launchApp,
  dataDir,
}) => {
  const upstream = await startFakeProvider({ tls: false, models: { writer: {} } })
  const canary = await startCanary()
  const netLog = join(dataDir, 'net-log.json')
  const { app, window } = await launchApp({ switches: [`--log-net-log=${netLog}`] })
  await app.evaluate(({ dialog, shell, session }) => {
    const seen: string[] = []
    Object.assign(globalThis, { seen })
    const note = (what: string) => () => {
      seen.push(what)
      return Promise.resolve({ response: 1, checkboxChecked: false })
    }
    dialog.showMessageBox = note('question')
    dialog.showSaveDialog = note('save') as never
    shell.openExternal = note('outside') as never
    session.fromPartition('preview').on('will-download', (event) => {
      if (!event.defaultPrevented) seen.push('download')
    })
  })
  await preview(window, upstream, `\`\`\`html\n${hostilePage(canary.port)}\n\`\`\``)
  await expect.poll(async () => (await views(app))[0]?.url).toBe('app://preview/')

  // A form, a link, a link to a new window and a download.
  await click(
    app,
    [50, 150, 250, 350].map((x) => ({ x, y: 25 })),
  )
  // Each of these is answered after what was sent before.
  await press(app, 'Tab')
  await app.evaluate(async ({ webContents }) => {
    const page = webContents.getAllWebContents().find((one) => one.getURL() === 'app://preview/')
    await page?.capturePage()
  })

  const [shown] = await views(app)
  expect(shown).toMatchObject({ url: 'app://preview/', title: 'still' })
  const { pages, seen } = await app.evaluate(({ webContents }) => ({
    pages: webContents.getAllWebContents().length,
    seen: Reflect.get(globalThis, 'seen') as string[],
  }))
  expect({ pages, seen }).toEqual({ pages: 2, seen: [] })
  await window.keyboard.press('Escape')
  await app.close()

  expect(canary.hits()).toBe(0)
  const log = await readFile(netLog, 'utf8')
  // The log has what Chromium's network did.
  expect(log).toContain('"logEventTypes"')
  expect(log.match(/\w+\.canary\.example/g) ?? []).toEqual([])
  canary.close()
  await upstream.close()
})

test('a reload of the window ends its preview', async ({ openApp }) => {
  const upstream = await startFakeProvider({ tls: false, models: { writer: {} } })
  const { app, window } = await openApp()
  await preview(window, upstream, svg)
  await expect.poll(async () => (await views(app)).length).toBe(1)

  await window.reload()

  await expect.poll(async () => (await views(app)).length).toBe(0)
  await upstream.close()
})
