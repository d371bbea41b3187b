/**
 * The bars of docs/chat.md in the real window. `npm test` shows that each step works, with small amounts; `npm run torture
 * chat` takes the full ones and measures.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { ElectronApplication, Locator, Page } from '@playwright/test'
import { isMissed, type Measurement } from '../bench/measurement.ts'
import { quantile } from '../bench/quantile.ts'
import { row } from '../bench/row.ts'
import {
  largeExport,
  longConversation,
  type ExportSize,
} from '../test/chat-imports/large-export.ts'
import { startFakeProvider } from '../test/fake-provider.ts'
import { samplePdf, samplePng } from '../test/sample-files.ts'
import { reportMeasured, share } from '../test/torture/share.ts'
import { writeZip } from '../test/zip-archive.ts'
import { expect, test } from './fixtures.ts'
import { addTestServer, serverArgs } from './test-server.ts'
import { drawnMs, watchFrames, watchTasks } from './window-work.ts'

const commandLine = fileURLToPath(new URL('../bin/modelport.mjs', import.meta.url))
const isFull = share !== null
test.setTimeout(isFull ? 900_000 : 240_000)

const store: ExportSize = isFull
  ? { conversations: 1_500, messages: 60, wordsOfMessage: 97 }
  : { conversations: 8, messages: 6, wordsOfMessage: 20 }
const longThread = isFull
  ? { messages: 10_000, wordsOfMessage: 97 }
  : { messages: 200, wordsOfMessage: 20 }
/** 46 MB of JSON. */
const imported: ExportSize = isFull
  ? { conversations: 500, messages: 28, wordsOfMessage: 500 }
  : { conversations: 3, messages: 4, wordsOfMessage: 20 }
const searches = isFull ? 40 : 3
const rounds = isFull ? 3 : 1
const switches = isFull ? 7 : 1
/** How often earlier messages are shown while the thread is scrolled. */
const earlier = isFull ? 10 : 2
const answerBytes = isFull ? 40_000 : 4_000
const droppedBytes = isFull ? 20_971_520 : 100_000

/** Reports the figures. A busy computer may miss a time, so only the full form fails then. */
function measured(figures: readonly Measurement[]): void {
  reportMeasured(figures)
  if (isFull) expect(figures.filter(isMissed)).toEqual([])
}

function bar(what: string, [value, unit]: readonly [number, string], atMost: number): Measurement {
  return row(what, [value, unit], { target: { atMost } })
}

const conversations = (window: Page) => window.getByRole('navigation', { name: 'Conversations' })

async function choosing(app: ElectronApplication, path: string): Promise<void> {
  await app.evaluate(({ dialog }, chosen) => {
    dialog.showOpenDialog = () => Promise.resolve({ canceled: false, filePaths: [chosen] })
  }, path)
}

test('a long conversation opens, scrolls and changes its branch, and a search finds words while they are typed', async ({
  launchApp,
  dataDir,
}) => {
  const all = [...largeExport(store), longConversation('Long conversation', longThread)]
  const path = join(dataDir, 'conversations.json')
  await writeFile(path, JSON.stringify(all))
  execFileSync(process.execPath, [commandLine, 'chats', 'import', path, '--data-dir', dataDir])
  const { window } = await launchApp()
  const list = conversations(window)
  const search = list.getByRole('searchbox', { name: 'Search conversations' })
  await untilIndexed(window)

  const opened: number[] = []
  const switched: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    await window.reload()
    await window.getByRole('link', { name: 'Chat' }).click()
    const entry = list.getByRole('button', { name: /^Long conversation/ }).first()
    await entry.waitFor()
    await pause(isFull ? 5_000 : 0)
    opened.push(await drawnMs(entry, { selector: '[role=log]', text: 'Shown end' }))
    // The rest of the conversation follows its end.
    await pause(isFull ? 3_000 : 0)
    for (let time = 0; time < switches; time += 1) switched.push(...(await switchBranches(window)))
  }
  const longestTaskMs = await scrollBack(window)
  const words = await search3Letters(window, search)
  const chineseMs = await searchChinese(window, search)
  measured([
    bar('conversation opened', [quantile(opened, 0.5), 'ms'], 300),
    bar('branch switched, p95', [quantile(switched, 0.95), 'ms'], 100),
    bar('longest task while it is scrolled', [longestTaskMs, 'ms'], 50),
    bar('search for 3 letters, from key to list, p95', [quantile(words, 0.95), 'ms'], 50),
    bar('search for a Chinese word, p95', [quantile(chineseMs, 0.95), 'ms'], 50),
  ])
})

/** The index of the words is written in the background. */
async function untilIndexed(window: Page): Promise<void> {
  const isIndexed = () =>
    window.evaluate(async () => {
      const found = await modelport.call('conversations:search', { text: 'zz' })
      return found.ok && !found.value.isIndexing
    })
  await expect.poll(isIndexed, { timeout: 240_000 }).toBe(true)
}

/** Shows the other version of a question with its branch, and back. */
async function switchBranches(window: Page): Promise<number[]> {
  const versions = window.getByRole('group', { name: 'Versions of the question' })
  const step = async (name: string, text: string) =>
    drawnMs(versions.getByRole('button', { name }), { selector: '[role=log]', text })
  return [await step('Next version', 'Other end'), await step('Previous version', 'Shown end')]
}

async function scrollBack(window: Page): Promise<number> {
  // By selectors: roles of thousands of elements are computed in the thread that is measured.
  const thread = window.locator('[role=log]')
  const questions = thread.locator('[data-question]')
  await thread.hover()
  const longest = await watchTasks(window)
  for (let time = 0; time < earlier; time += 1) {
    const button = thread.locator(':scope > button').first()
    for (let turn = 0; turn < 400 && !(await isOnScreen(button)); turn += 1) {
      await window.mouse.wheel(0, -400)
    }
    const shown = await questions.count()
    await button.click()
    await expect(questions).not.toHaveCount(shown)
  }
  for (let turn = 0; turn < 50; turn += 1) await window.mouse.wheel(0, 600)
  await pause(300)
  return longest()
}

async function isOnScreen(button: Locator): Promise<boolean> {
  return button.evaluate((element) => element.getBoundingClientRect().bottom > 0)
}

/** @returns the times from the third letter to the drawn list */
async function search3Letters(window: Page, search: Locator): Promise<number[]> {
  const syllables = ['baf', 'tra', 'hum', 'kad', 'mip', 'wuz', 'sel', 'vog']
  const tookMs: number[] = []
  for (let at = 0; at < searches; at += 1) {
    const letters = syllables[at % syllables.length] ?? ''
    await search.fill(letters.slice(0, 2))
    await pause(isFull ? 700 : 300)
    const listed = await watchList(window)
    await search.press(letters.slice(2))
    tookMs.push(await listed())
  }
  await search.fill('')
  return tookMs
}

async function searchChinese(window: Page, search: Locator): Promise<number[]> {
  const tookMs: number[] = []
  for (let at = 0; at < Math.min(searches, 10); at += 1) {
    await search.fill('')
    await pause(isFull ? 700 : 300)
    await search.focus()
    const listed = await watchList(window)
    await window.keyboard.insertText('图书馆')
    tookMs.push(await listed())
  }
  await expect(conversations(window)).toContainText('图书馆在公园旁边')
  return tookMs
}

/** @returns what waits from the next key, or text of an input method, until the list has changed and is drawn: the time in ms */
async function watchList(window: Page): Promise<() => Promise<number>> {
  await window.evaluate(() => {
    const list = document.querySelector('nav[aria-label=Conversations]')
    if (!list) throw new Error('The list of conversations is not shown.')
    let typedAt: number | null = null
    const note = ({ timeStamp }: Event) => (typedAt ??= timeStamp)
    list.addEventListener('keydown', note)
    list.addEventListener('beforeinput', note)
    const drawnAfterMs = new Promise<number>((resolve, reject) => {
      setTimeout(() => reject(new Error('The list did not change.')), 30_000)
      const observer = new MutationObserver((changes) => {
        const hasChanged = changes.some(({ target }) => target.nodeName !== 'INPUT')
        if (typedAt === null || !hasChanged) return
        const startedAt = typedAt
        observer.disconnect()
        list.removeEventListener('keydown', note)
        list.removeEventListener('beforeinput', note)
        requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - startedAt)))
      })
      observer.observe(list, { childList: true, characterData: true, subtree: true })
    })
    Object.assign(globalThis, { listDrawnAfterMs: () => drawnAfterMs })
  })
  return () =>
    window.evaluate(() => (Reflect.get(globalThis, 'listDrawnAfterMs') as () => Promise<number>)())
}

test('the window answers while a large export is read and imported', async ({
  launchApp,
  dataDir,
}) => {
  const text = JSON.stringify(largeExport(imported, 2))
  const path = join(dataDir, 'export.zip')
  writeZip(path, [{ name: 'conversations.json', bytes: Buffer.from(text) }])
  const { app, window } = await launchApp()
  const memory = await watchMemory(app)
  await choosing(app, path)
  await conversations(window).getByRole('button', { name: 'Import conversations' }).click()
  const dialog = window.getByRole('dialog', { name: 'Import conversations' })
  const slowest = await watchAnswers(window)
  const startedAt = performance.now()
  await dialog.getByRole('button', { name: 'Choose files…' }).click()
  await dialog.getByRole('button', { name: 'Import', exact: true }).click({ timeout: 60_000 })
  await expect(dialog.getByText(/^Imported: /)).toBeVisible({ timeout: 60_000 })
  const seconds = (performance.now() - startedAt) / 1_000
  const messages = imported.conversations * imported.messages
  await expect(dialog).toContainText(`${messages.toLocaleString('en')} messages`)
  measured([
    row('size of the export', [Buffer.byteLength(text) / 1e6, 'MB']),
    bar('read and imported', [seconds, 's'], 10),
    bar('memory of the service, more', [await memory(), 'MiB'], 150),
    bar('slowest answer to the window meanwhile', [await slowest(), 'ms'], 100),
  ])
})

/** @returns what the main process, which has the service, takes more at its peak, in MiB */
async function watchMemory(app: ElectronApplication): Promise<() => Promise<number>> {
  const pid = await app.evaluate(() => process.pid)
  await pause(isFull ? 15_000 : 0)
  const rssMib = () =>
    Number(/^VmRSS:\s*(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1_024
  const before = rssMib()
  let peak = before
  const timer = setInterval(() => (peak = Math.max(peak, rssMib())), 20)
  return async () => {
    clearInterval(timer)
    return peak - before
  }
}

/** Asks the service again and again. @returns the slowest answer, with the time until the window has drawn a frame */
async function watchAnswers(window: Page): Promise<() => Promise<number>> {
  await window.evaluate(() => {
    let slowest = 0
    const stop = new AbortController()
    const ask = async () => {
      const startedAt = performance.now()
      await modelport.call('mcp:approvals', undefined)
      slowest = Math.max(slowest, performance.now() - startedAt)
      if (!stop.signal.aborted) setTimeout(() => void ask(), 10)
    }
    void ask()
    Object.assign(globalThis, {
      slowestAnswerMs: () => {
        stop.abort()
        return slowest
      },
    })
  })
  return () => window.evaluate(() => (Reflect.get(globalThis, 'slowestAnswerMs') as () => number)())
}

/** Markdown of an answer: headings, lists, a table and code. */
function longAnswer(): string {
  const part = `## A heading\n\nSome *words* and \`code\` in a sentence that goes on for a while, with a [link](https://example.com/).\n\n1. One thing\n2. Another **thing**\n\n| Name | Sum |\n| --- | ---: |\n| Pens | 12 |\n| Paper | 3 |\n\n\`\`\`ts\nexport function sum(values: number[]): number {\n  return values.reduce((a, b) => a + b, 0)\n}\n\`\`\`\n\n`
  return `${part.repeat(Math.ceil(answerBytes / part.length)).slice(0, answerBytes)}\n\n\`\`\`\n\nThe end.`
}

test('a long answer streams with little work in each frame, also with a call of a tool and an image', async ({
  openApp,
  dataDir,
}) => {
  const streamed = { text: longAnswer(), chunks: answerBytes / 100, chunkDelayMs: isFull ? 16 : 2 }
  const call = { index: 0, id: 'call_1', name: 'Notes__echo', argumentPieces: ['{}'] }
  const upstream = await startFakeProvider({ tls: false, models: { one: streamed } })
  const { window } = await openApp()
  await addRouter(window, upstream.url)
  const plain = await frameWorkOf(window, 'Write it all')
  await addTestServer(window, serverArgs(join(dataDir, 'log')))
  await window.getByRole('button', { name: 'Tools', exact: true }).click()
  upstream.setModel('one', (_request, nth) =>
    nth === 2 ? { text: 'I look first.', toolCalls: [call] } : streamed,
  )
  await drop(window, { name: 'square.png', bytes: samplePng(300, 200).toString('base64') })
  await expect(window.getByRole('list', { name: 'Files' })).toContainText('square.png')
  const withStep = await frameWorkOf(window, 'Write it all again', true)
  measured([
    row('frames of the answer', [plain.length, ''], { target: { atLeast: isFull ? 100 : 1 } }),
    bar('work of a frame, p95', [quantile(plain, 0.95), 'ms'], 8),
    bar('work of a frame beside a step and an image, p95', [quantile(withStep, 0.95), 'ms'], 8),
  ])
})

async function addRouter(window: Page, url: string): Promise<void> {
  await window.evaluate(async (baseUrl) => {
    await modelport.call('providers:add', { id: 'fake', type: 'openai-compatible', baseUrl })
    const price = { inputUsdPerMtok: 1, outputUsdPerMtok: 2, contextTokens: 2_000_000 }
    const capabilities = ['vision' as const, 'files' as const, 'tools' as const]
    await modelport.call('models:save', { id: 'fake:one', ...price, capabilities })
    const models = ['fake:one']
    await modelport.call('routers:create', { name: 'Only', strategy: 'priority', models })
  }, url)
  await window.getByRole('combobox', { name: 'Router' }).click()
  await window.getByRole('option', { name: 'Only' }).click()
}

/** @returns the work of each frame until the answer's end */
async function frameWorkOf(window: Page, question: string, isCalling = false): Promise<number[]> {
  const message = window.getByRole('textbox', { name: 'Message' })
  await message.fill(question)
  await pause(isFull ? 3_000 : 0)
  // Not before a file is read, and the answer before has ended.
  await expect(window.getByRole('button', { name: 'Send', exact: true })).toBeEnabled()
  const before = await window.locator('article[aria-busy]').count()
  const work = await watchFrames(window)
  await message.press('Enter')
  if (isCalling) await window.getByRole('dialog').getByRole('button', { name: 'Once' }).click()
  await answerEnd(window, before)
  // The view has followed it.
  await expect(window.getByRole('button', { name: 'Scroll to end' })).toHaveCount(0)
  return work()
}

/** Waits for the end of an answer without looking at it meanwhile: what looks takes time of the same thread. */
async function answerEnd(window: Page, nth: number): Promise<void> {
  const answer = window.locator('article[aria-busy]').nth(nth)
  await answer.evaluate(
    (element) =>
      new Promise<void>((resolve) => {
        const look = () => element.ariaBusy === 'false' && resolve()
        new MutationObserver(look).observe(element, { attributeFilter: ['aria-busy'] })
        look()
      }),
  )
  await expect(answer).toContainText('The end.')
}

interface DroppedFile {
  name: string
  /** Base64. */
  bytes: string
  /** Bytes of 0 that follow. */
  padding?: number
}

/** Drops a file. @returns the time until its chip has the words, in ms */
async function drop(window: Page, file: DroppedFile, words = ''): Promise<number> {
  const field = window.getByRole('textbox', { name: 'Message' })
  return await field.evaluate(
    async (element, { name, bytes, padding = 0, wanted }) => {
      const content = Uint8Array.from(atob(bytes), (letter) => letter.charCodeAt(0))
      const data = new DataTransfer()
      data.items.add(new File([content, new Uint8Array(padding)], name))
      const startedAt = performance.now()
      const event = { dataTransfer: data, bubbles: true, cancelable: true }
      element.dispatchEvent(new DragEvent('drop', event))
      const isShown = () =>
        [...document.querySelectorAll('ul[aria-label=Files] li')].some(
          ({ textContent }) => textContent.includes(name) && textContent.includes(wanted),
        )
      const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve))
      while (!isShown()) await nextFrame()
      await nextFrame()
      return performance.now() - startedAt
    },
    { ...file, wanted: words },
  )
}

test('a dropped file has its chip at once, and a PDF its text', async ({ openApp }) => {
  const upstream = await startFakeProvider({ tls: false, models: { one: {} } })
  const { window } = await openApp()
  await addRouter(window, upstream.url)
  const image = samplePng(300, 200)
  const pages = Array.from(
    { length: 100 },
    (_, page) => `Page ${page}. ${'Revenue grew. '.repeat(90)}`,
  )
  const pdf = samplePdf(pages).toString('base64')
  const files = window.getByRole('list', { name: 'Files' })
  const chips: number[] = []
  const texts: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    const padding = droppedBytes - image.length
    const bytes = image.toString('base64')
    chips.push(await drop(window, { name: `photo-${round}.png`, bytes, padding }))
    await expect(files.getByRole('button', { name: `Remove photo-${round}.png` })).toBeVisible()
    texts.push(await drop(window, { name: `report-${round}.pdf`, bytes: pdf }, '100 pages'))
  }
  measured([
    bar('chip of a dropped file of 20 MB', [quantile(chips, 0.5), 'ms'], 200),
    bar('100 pages of a PDF as text', [quantile(texts, 0.5) / 1_000, 's'], 2),
  ])
})
