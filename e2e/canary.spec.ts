/**
 * Canaries: keys are used as a person would use them, and then searched for in every place where they must not
 * be. The same search must find control strings that were put in each of these places.
 */
import { createHash, randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ElectronApplication, Locator, Page } from '@playwright/test'
import {
  errorReply,
  startFakeProvider,
  type FakeModel,
  type FakeProvider,
} from '../test/fake-provider.ts'
import { expect, test, type LaunchedApp } from './fixtures.ts'
import { openPlace } from './places.ts'
import { takeHeapSnapshot, wholeStrings } from './heap-snapshot.ts'
import { recordIpc } from './ipc-recording.ts'
import { everyForm, findSecret, formNames, readFolder } from './secret-search.ts'

/** A canary without the `sk-` prefix, by which a key could be recognised. */
function newCanary(): string {
  return `cn+${randomBytes(20).toString('hex')}+ry`
}

function newControl(): string {
  return `control-${randomBytes(20).toString('hex')}`
}

/** Pastes through the clipboard: Playwright's `fill` would itself leave the text in the page's heap. */
async function paste(app: ElectronApplication, field: Locator, text: string): Promise<void> {
  await app.evaluate(({ clipboard }, copied) => clipboard.writeText(copied), text)
  await field.press('ControlOrMeta+V')
  await expect(field).not.toHaveValue('')
  await app.evaluate(({ clipboard }) => clipboard.clear())
}

async function ask(window: Page, question: string): Promise<Locator> {
  await window.getByRole('textbox', { name: 'Message' }).fill(question)
  await window.getByRole('button', { name: 'Send' }).click()
  const answer = window.getByRole('article', { name: 'Answer' }).last()
  await expect(answer).toHaveAttribute('aria-busy', 'false')
  return answer
}

async function addProvider(
  { app, window }: LaunchedApp,
  { url, key }: { url: string; key: string },
): Promise<void> {
  await openPlace(window, 'Models', 'Providers')
  await window.getByRole('button', { name: 'Add provider' }).first().click()
  const form = window.getByRole('dialog')
  await form.getByRole('button', { name: /OpenAI-compatible/ }).click()
  await form.locator('summary').first().click()
  await form.getByRole('textbox', { name: 'Id' }).fill('canary')
  await form.getByRole('textbox', { name: 'Base URL' }).fill(url)
  // A pasted key is tested at once, and the form closes when it works.
  await app.evaluate(({ clipboard }, copied) => clipboard.writeText(copied), key)
  await form.getByLabel(/^Key/).press('ControlOrMeta+V')
  await form.getByRole('button', { name: 'Not now' }).click()
  await app.evaluate(({ clipboard }) => clipboard.clear())
  await expect(window.getByRole('listitem', { name: 'canary' })).toContainText(
    '1 model can be used: talker',
  )
}

async function createRouter(window: Page, name: string): Promise<void> {
  await openPlace(window, 'Routers')
  await window.getByRole('link', { name: 'Create router' }).first().click()
  await window.getByRole('textbox', { name: 'Name' }).fill(name)
  await window.getByRole('button', { name: 'Set price of canary:talker' }).click()
  const price = window.getByRole('group', { name: 'Price of canary:talker' })
  await price.getByRole('textbox', { name: 'Input price' }).fill('1')
  await price.getByRole('textbox', { name: 'Output price' }).fill('2')
  await price.getByRole('textbox', { name: 'Context' }).fill('8000')
  await price.getByRole('button', { name: 'Save price and add' }).click()
  await window.getByRole('button', { name: 'Create router' }).click()
  await expect(window.getByRole('heading', { name })).toBeVisible()
}

async function createApiKey({ app, window }: LaunchedApp): Promise<string> {
  await openPlace(window, 'Connect')
  await window.getByRole('button', { name: 'Create key' }).first().click()
  await window.getByRole('textbox', { name: 'Name' }).fill('Canary')
  await window.getByRole('dialog').getByRole('button', { name: 'Create key' }).click()
  await window.getByRole('button', { name: 'Copy and close' }).click()
  // The window checks the copy before it closes the dialog.
  await expect(window.getByRole('dialog')).toBeHidden()
  const key = await app.evaluate(({ clipboard }) => clipboard.readText())
  await app.evaluate(({ clipboard }) => clipboard.clear())
  return key
}

/** Strings on the page in each of V8's representations: flat, joined, sliced, two-byte, and very long. */
async function plantInHeap(window: Page, controls: readonly string[]): Promise<void> {
  // In two parts, so that no string is on the page in another form as well.
  const halves = controls.map((control) => [control.slice(0, 24), control.slice(24)] as const)
  await window.evaluate((given) => {
    const filler = 'x'.repeat(5_000)
    const ways = [
      (start: string, end: string) => [start, end].join(''),
      (start: string, end: string) => start + end,
      (start: string, end: string) => [filler, start, end, filler].join('').slice(100, -100),
      (start: string, end: string) => [start, end, ' \u{4E2D}\u{6587}'].join(''),
      (start: string, end: string) => [filler, start, end, filler].join(''),
    ]
    const planted = ways.map((way, index) => way(...(given[index] ?? ['', ''])))
    Object.assign(globalThis, { planted })
  }, halves)
}

interface Place {
  readonly name: string
  readonly bytes: Buffer
}

/** The current files of a folder. */
async function filesOf(folder: string, when: string): Promise<Place[]> {
  const files = await readFolder(folder)
  return [...files].map(([path, bytes]) => ({ name: `${when}: ${path}`, bytes }))
}

/** The places and forms in which the secret was found. */
function findIn(places: readonly Place[], secret: string): { place: string; forms: string[] }[] {
  return places
    .map(({ name, bytes }) => ({ place: name, forms: findSecret(bytes, secret) }))
    .filter(({ forms }) => forms.length > 0)
}

/** Number and bytes of the searched places, for the test's report. */
function extentOf(files: readonly Place[], others: readonly Place[]): string {
  const bytes = files.reduce((sum, file) => sum + file.bytes.length, 0)
  const sizes = others.map((place) => `${place.name} ${place.bytes.length}`)
  return `bytes: ${files.length} files ${bytes}, ${sizes.join(', ')}`
}

function namesOf(found: readonly { place: string }[]): string[] {
  return found.map(({ place }) => place)
}

/** Chats with a model that answers, and then fails with the key in its error in every possible way. */
async function chat(window: Page, upstream: FakeProvider, key: string): Promise<void> {
  const message = `Wrong: ${key}; it begins with ${key.slice(0, 24)} and ends with "${key.slice(-24)}".`
  const errorEvent = JSON.stringify({ error: { message } })

  await expect(await ask(window, 'Are you there?')).toContainText('Here I am.')
  upstream.setModel('talker', { reply: errorReply(400, { message }) })
  await expect(await ask(window, 'And now?')).toContainText('Wrong: …')
  upstream.setModel('talker', { reply: errorReply(500, { message }) })
  await expect(await ask(window, 'Now?')).toContainText('status 500')
  upstream.setModel('talker', { events: [errorEvent] })
  await expect(await ask(window, 'Still?')).toContainText('reported an error mid-answer')
  upstream.setModel('talker', works)
}

/** Replaces the key with one that the provider rejects at first, with the key in its error. */
async function replaceKey(
  { app, window }: LaunchedApp,
  upstream: FakeProvider,
  key: string,
): Promise<void> {
  await openPlace(window, 'Models', 'Providers')
  const card = window.getByRole('listitem', { name: 'canary' })
  await card.getByRole('button', { name: 'Actions for canary' }).click()
  await window.getByRole('menuitem', { name: 'Replace key' }).click()
  await paste(app, window.getByLabel('New key'), key)
  await window.getByRole('button', { name: 'Save key' }).click()
  await expect(card).toContainText('key rejected')
  upstream.setApiKey(key)
  await card.getByRole('button', { name: 'Test canary' }).click()
  await expect(card).toContainText('1 model can be used: talker')
}

const works: FakeModel = { text: 'Here I am.' }

test('no file, output, IPC answer or heap of the window contains a key', async ({
  launchApp,
  dataDir,
}, testInfo) => {
  const [firstKey, secondKey] = [newCanary(), newCanary()]
  const upstream = await startFakeProvider({
    tls: false,
    apiKey: firstKey,
    models: { talker: works },
  })
  const launched = await launchApp({ switches: [wholeStrings] })
  const { app, window } = launched
  const said: Buffer[] = []
  app.process().stdout?.on('data', (bytes: Buffer) => said.push(bytes))
  app.process().stderr?.on('data', (bytes: Buffer) => said.push(bytes))
  const handedOver = await recordIpc(app)
  const [inName, inFile, inOutput] = [newControl(), newControl(), newControl()]
  const inHeap = Array.from({ length: 5 }, newControl)
  const routerName = `Canary ${inName}`

  await addProvider(launched, { url: upstream.url, key: firstKey })
  await createRouter(window, routerName)
  await openPlace(window, 'Chat')
  await window.getByRole('combobox', { name: 'Router' }).click()
  await window.getByRole('option', { name: routerName }).click()
  await chat(window, upstream, firstKey)
  await replaceKey(launched, upstream, secondKey)
  const apiKey = await createApiKey(launched)
  await openPlace(window, 'Chat')
  await expect(await ask(window, 'Still there?')).toContainText('Here I am.')

  await writeFile(join(dataDir, 'browser', 'planted'), everyForm(inFile))
  await app.evaluate((_electron, text) => process.stderr.write(text), inOutput)
  await plantInHeap(window, inHeap)
  const heap = { name: 'heap', bytes: await takeHeapSnapshot(window) }
  const handed = await handedOver()
  const ipc = { name: 'IPC', bytes: Buffer.from(handed.map(({ json }) => json).join('\n')) }
  const filesWhenOpen = await filesOf(dataDir, 'open')
  await app.close()
  await upstream.close()
  const output = { name: 'output', bytes: Buffer.concat(said) }
  const files = [...filesWhenOpen, ...(await filesOf(dataDir, 'closed'))]
  const everywhere = [...files, output, ipc, heap]
  const description = extentOf(files, [output, ipc, heap])
  testInfo.annotations.push({ type: 'searched', description })

  // The planted strings are found, so the search would also find the keys.
  expect(findIn(everywhere, inFile)).toEqual([
    { place: 'open: browser/planted', forms: formNames },
    { place: 'closed: browser/planted', forms: formNames },
  ])
  const placesOfName = ['open: modelport.db-wal', 'closed: modelport.db', 'IPC', 'heap']
  expect(namesOf(findIn(everywhere, inName))).toEqual(expect.arrayContaining(placesOfName))
  expect(namesOf(findIn(everywhere, inOutput))).toEqual(['output'])
  for (const control of inHeap) expect(namesOf(findIn(everywhere, control))).toEqual(['heap'])
  expect(new Set(handed.map(({ by }) => by))).toEqual(
    new Set(['answer', 'event', 'port', 'stream']),
  )
  expect(upstream.requests.map(({ headers }) => headers.authorization)).toEqual(
    expect.arrayContaining([`Bearer ${firstKey}`, `Bearer ${secondKey}`]),
  )

  expect(findIn(everywhere, firstKey)).toEqual([])
  expect(findIn(everywhere, secondKey)).toEqual([])
  // The window shows it once; only its hash is stored.
  expect(namesOf(findIn(everywhere, apiKey))).toEqual(['IPC'])
  expect(handed.filter(({ json }) => json.includes(apiKey))).toHaveLength(1)
  const sha256 = createHash('sha256').update(apiKey).digest('hex')
  expect(namesOf(findIn(files, sha256))).toContain('closed: modelport.db')
})
