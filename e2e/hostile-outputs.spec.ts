// A model under an attacker's control: its answers are shown, and nothing of them is loaded, followed or run.
// `npm run torture hostile-outputs` shows each output as an answer of its own.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ElectronApplication, Locator, Page } from '@playwright/test'
import { startFakeProvider } from '../test/fake-provider.ts'
import { reportMeasured, share } from '../test/torture/share.ts'
import { expect, test } from './fixtures.ts'
import { hostileOutputs } from './hostile-outputs.ts'
import { savePicture } from './pictures.ts'

/** Outputs per answer in `npm test`; an output may hide those after it, so the full form has one. */
const perAnswer = share === null ? 24 : 1

async function startCanary() {
  const hits: string[] = []
  const server = createServer((request, response) => {
    hits.push(request.url ?? '')
    response.end('reached')
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  // A listening TCP server's address is an AddressInfo.
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/`, hits, server }
}

/** Counts openings of outside addresses instead of opening them. */
async function recordOpenings(app: ElectronApplication): Promise<() => Promise<number>> {
  await app.evaluate(({ shell, dialog }) => {
    let openings = 0
    Object.assign(globalThis, { openings: () => openings })
    const count = () => {
      openings += 1
      return Promise.resolve()
    }
    shell.openExternal = count
    shell.openPath = () => count().then(() => '')
    dialog.showMessageBox = () => count().then(() => ({ response: 1, checkboxChecked: false }))
  })
  return () => app.evaluate(() => (Reflect.get(globalThis, 'openings') as () => number)())
}

async function addRouter(window: Page, baseUrl: string): Promise<void> {
  await window.evaluate(async (url) => {
    await modelport.call('providers:add', { id: 'fake', type: 'openai-compatible', baseUrl: url })
    const price = { inputUsdPerMtok: 1, outputUsdPerMtok: 2, contextTokens: 8000 }
    await modelport.call('models:save', { id: 'fake:evil', ...price })
    const models = ['fake:evil']
    await modelport.call('routers:create', { name: 'Evil', strategy: 'priority', models })
  }, baseUrl)
  await window.getByRole('combobox', { name: 'Router' }).click()
  await window.getByRole('option', { name: 'Evil' }).click()
}

/** Elements of the answers that load, run or submit something, and links that leave the web. */
function dangerousParts(window: Page): Promise<string[]> {
  return window.evaluate(() => {
    const loading =
      'script,iframe,object,embed,form,link,meta,base,style,video,audio,template,portal'
    const found: string[] = []
    for (const answer of document.querySelectorAll('article[aria-label="Answer"]')) {
      for (const element of answer.querySelectorAll('*')) {
        const address = element.getAttribute('href') ?? element.getAttribute('xlink:href')
        const isOutside = address !== null && !/^(https?:|mailto:|#)/.test(address)
        const hasHandler = [...element.attributes].some(({ name }) => name.startsWith('on'))
        // A diagram that the window drew.
        const isDiagram = element.matches('img[src^="blob:"]')
        const isLoading = element.matches(loading) || (element.hasAttribute('src') && !isDiagram)
        if (isOutside || hasHandler || isLoading) found.push(element.outerHTML.slice(0, 200))
      }
    }
    return found
  })
}

/** Draws what can be drawn. @returns how many images there are */
async function drawDiagrams(answer: Locator): Promise<number> {
  const buttons = answer.getByRole('button', { name: 'Diagram' })
  while ((await buttons.count()) > 0) await buttons.first().click()
  await expect(answer.getByText('Drawing…')).toHaveCount(0)
  return await answer.locator('img').count()
}

test('no output of a model loads, opens, navigates or runs anything', async ({ openApp }) => {
  test.setTimeout(share === null ? 240_000 : 900_000)
  const upstream = await startFakeProvider({ tls: false, models: { evil: {} } })
  const canary = await startCanary()
  const outputs = hostileOutputs(canary.url)
  const { app, window } = await openApp()
  await addRouter(window, upstream.url)
  const openings = await recordOpenings(app)
  const answers = window.getByRole('article', { name: 'Answer' })
  const address = window.url()
  const parts: string[] = []
  let shown = 0
  let drawn = 0

  for (let first = 0; first < outputs.length; first += perAnswer) {
    upstream.setModel('evil', {
      text: outputs.slice(first, first + perAnswer).join('\n\n'),
      chunks: 20,
    })
    await window.getByRole('textbox', { name: 'Message' }).fill(`Question ${first}`)
    await window.keyboard.press('Enter')
    shown += 1
    await expect(answers).toHaveCount(shown)
    await expect(answers.last()).toHaveAttribute('aria-busy', 'false')
    await expect(answers.last()).toContainText('fake:evil')
    drawn += await drawDiagrams(answers.last())
    parts.push(...(await dangerousParts(window)))
    if (shown % 15 === 0) {
      await window.getByRole('button', { name: 'New conversation' }).first().click()
      shown = 0
    }
  }

  const ran = await window.evaluate(() => Number('pwned' in globalThis))
  const pages = await app.evaluate(({ webContents }) => webContents.getAllWebContents().length)
  const navigations = Number(new URL(window.url()).pathname !== new URL(address).pathname)
  const opened = await openings()
  await savePicture(window, 'hostile-outputs')
  reportMeasured([
    { what: 'hostile outputs', unit: '', measured: outputs.length, target: { atLeast: 200 } },
    ...Object.entries({
      'network requests': canary.hits.length,
      'scripts that ran': ran,
      'further windows': pages - 1,
      navigations: navigations,
      'outside addresses opened': opened,
      'elements that load or run': parts.length,
    }).map(([what, measured]) => ({ what, unit: '', measured, target: { atMost: 0 } })),
  ])
  expect(parts.slice(0, 5)).toEqual([])
  expect({ ran, pages, navigations, opened }).toEqual({
    ran: 0,
    pages: 1,
    navigations: 0,
    opened: 0,
  })
  expect(canary.hits).toEqual([])
  expect(drawn).toBeGreaterThan(0)
  expect(outputs.length).toBeGreaterThanOrEqual(200)
  // The app still works, and no call of an output changed it.
  const providers = await window.evaluate(() => modelport.call('providers:list', undefined))
  expect(JSON.stringify(providers)).toContain('"fake"')
  canary.server.close()
  await upstream.close()
})
