// A router's models are measured on prompts: from the router's page to a result, over a stop and a restart.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Locator, Page } from '@playwright/test'
import { startFakeProvider, type FakeModel, type FakeModelScript } from '../test/fake-provider.ts'
import { expect, test } from './fixtures.ts'
import { savePicture } from './pictures.ts'
import { openPlace } from './places.ts'

/** More tab stops than any page has focusable elements. */
const mostStops = 120

async function tabTo(page: Page, target: Locator): Promise<void> {
  const isThere = () => target.evaluate((element) => element === document.activeElement)
  for (let stop = 0; stop < mostStops; stop += 1) {
    if (await isThere()) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`${mostStops} stops do not lead to ${String(target)}`)
}

async function press(page: Page, target: Locator): Promise<void> {
  await tabTo(page, target)
  await page.keyboard.press('Enter')
}

/** Sums in words and in Python. Apart from numbers no two are alike, or they would count as duplicates. */
const prompts = Array.from({ length: 24 }, (_, index) => {
  const fruits = `${index + 2} pears and ${index} figs`
  const words = `A box holds ${fruits} ${'and leaves '.repeat(index)}. How many fruits? Answer with the number.`
  const code = `\`\`\`python\n${'import math\n'.repeat(index)}def count(): # ${fruits}\n    return ${index + 2} + ${index}\n\`\`\`\nWhat does this Python function return?`
  const prompt = index % 2 === 0 ? words : code
  return { prompt, check: { type: 'number', expected: 2 * index + 2 } }
})
const promptFile = {
  name: 'fruits.jsonl',
  mimeType: 'application/jsonl',
  buffer: Buffer.from(prompts.map((line) => JSON.stringify(line)).join('\n')),
}

/** Answers prompts with up to this many figs correctly. */
function ableTo(figs: number | (() => number), script: FakeModel): FakeModelScript {
  return ({ body }) => {
    const [, pears, more] = /(\d+) pears and (\d+) figs/.exec(JSON.stringify(body)) ?? []
    const most = typeof figs === 'number' ? figs : figs()
    const sum = Number(pears) + Number(more)
    return { ...script, text: Number(more) <= most ? `${sum}` : `${sum + 1}` }
  }
}

/** A provider with a small and a large model, and the router Everyday of both. */
async function addRouter(window: Page, baseUrl: string): Promise<void> {
  await window.evaluate(async (url) => {
    await modelport.call('providers:add', { id: 'team', type: 'openai-compatible', baseUrl: url })
    const models = ['team:small', 'team:large']
    for (const [index, id] of models.entries()) {
      const price = { inputUsdPerMtok: 1 + 9 * index, outputUsdPerMtok: 4 + 20 * index }
      await modelport.call('models:save', { id, ...price, contextTokens: 8_000 })
    }
    const strategy = 'cost_optimized' as const
    await modelport.call('routers:create', { name: 'Everyday', strategy, models })
  }, baseUrl)
}

/** The tuning runs of the router Everyday. */
async function openRuns(window: Page): Promise<void> {
  await openPlace(window, 'Routers')
  await window.getByRole('link', { name: 'Everyday', exact: true }).click()
  await window.getByRole('link', { name: 'Tune' }).click()
}

async function newRun(window: Page): Promise<void> {
  await openRuns(window)
  await window.getByRole('link', { name: 'Create run' }).click()
}

test('a run is started, stopped, resumed after a restart, exported and deleted by keyboard', async ({
  openApp,
  restartApp,
  dataDir,
}) => {
  const slow = { firstByteDelayMs: 150 }
  const models = { small: ableTo(9, slow), large: ableTo(99, slow) }
  const upstream = await startFakeProvider({ tls: false, models })
  const first = await openApp()
  let { window } = first
  await addRouter(window, upstream.url)

  await press(window, window.getByRole('link', { name: 'Routers' }))
  await press(window, window.getByRole('link', { name: 'Everyday', exact: true }))
  await press(window, window.getByRole('link', { name: 'Tune' }))
  await press(window, window.getByRole('link', { name: 'Create run' }))
  await expect(window.getByRole('combobox', { name: 'Router' })).toHaveText(/Everyday/)
  const start = window.getByRole('button', { name: /^Ask / })
  await expect(start).toHaveText(/^Ask 100 prompts, spend at most \$\d/)
  await savePicture(window, 'tune-new')

  await tabTo(window, window.getByRole('radio', { name: /Starter set/ }))
  await window.keyboard.press('ArrowRight')
  await expect(window.getByText('Choose a file to see the number of prompts')).toBeVisible()
  await tabTo(window, window.getByRole('button', { name: 'Choose file' }))
  await window.getByLabel('Prompt file').setInputFiles(promptFile)
  await expect(start).toHaveText(/^Ask 24 prompts/)
  await expect(window.getByText('hardly which one is better')).toBeVisible()
  const cap = window.getByRole('textbox', { name: 'Cap (US dollars)' })
  await tabTo(window, cap)
  await window.keyboard.press('Control+A')
  await window.keyboard.type('2.50')
  await expect(start).toHaveText('Ask 24 prompts, spend at most $2.50')
  expect(upstream.requestCount()).toBe(0)

  // Leaving the page keeps what was entered.
  await window.getByRole('link', { name: 'Chat' }).click()
  await openRuns(window)
  await window.getByRole('link', { name: 'Create run' }).click()
  await expect(start).toHaveText('Ask 24 prompts, spend at most $2.50')
  await press(window, start)

  const graded = window.getByRole('progressbar', { name: 'Prompts' })
  await expect(window.getByRole('heading', { name: 'Tune Everyday' })).toBeVisible()
  await expect(graded).toHaveAttribute('aria-valuetext', /^(?!0)\d+ of 24 prompts/)
  await savePicture(window, 'tune-running')
  const stop = window.getByRole('button', { name: 'Stop' })
  await press(window, stop)
  const resume = window.getByRole('button', { name: 'Resume' })
  await expect(resume).toBeVisible()
  await expect(resume).toBeFocused()
  await savePicture(window, 'tune-stopped')
  await first.app.close()

  const second = await restartApp()
  window = second.window
  await press(window, window.getByRole('link', { name: 'Routers' }))
  await press(window, window.getByRole('link', { name: 'Everyday', exact: true }))
  await press(window, window.getByRole('link', { name: 'Tune' }))
  await expect(window.getByRole('row', { name: /fruits.jsonl.*Stopped/ })).toBeVisible()
  await press(window, window.getByRole('link', { name: 'fruits.jsonl' }))
  await press(window, window.getByRole('button', { name: 'Resume' }))
  await expect(window.getByText('Done', { exact: true })).toBeVisible({ timeout: 60_000 })

  await expect(window.getByRole('main')).toContainText('With this, Everyday would have sent')
  const quality = window.getByRole('region', { name: 'Quality of each model' })
  await expect(quality.getByRole('row', { name: /team:large/ })).toContainText('100')
  await expect(quality.getByRole('row', { name: /team:small/ })).toContainText('42')
  const learned = window.getByRole('region', { name: 'What routing expects of each model' })
  await expect(learned.getByRole('row', { name: /team:large All/ })).toContainText(/24$/)
  const kinds = window.getByRole('region', { name: 'Quality by kind of prompt' })
  await expect(kinds.getByRole('columnheader', { name: /Code/ })).toBeVisible()
  await savePicture(window, 'tune-result')
  expect(upstream.requestCount(), 'nothing is asked twice').toBe(48)

  const file = join(dataDir, 'grades.jsonl')
  await second.app.evaluate(({ session }, path) => {
    session.defaultSession.once('will-download', (_event, item) => item.setSavePath(path))
  }, file)
  await press(window, window.getByRole('button', { name: 'Export grades' }))
  await expect
    .poll(async () => (await readFile(file, 'utf8').catch(() => '')).trim().split('\n').length)
    .toBe(24)
  expect(await readFile(file, 'utf8')).not.toContain('pears')

  await press(window, window.getByRole('button', { name: 'Delete run' }))
  await press(window, window.getByRole('alertdialog').getByRole('button', { name: 'Delete run' }))
  await expect(window.getByText('No runs yet')).toBeVisible()
  await upstream.close()
})

test('a cap ends a run early, and a higher one continues it', async ({ openApp }) => {
  const usage = { prompt_tokens: 100, completion_tokens: 2_000, total_tokens: 2_100 }
  const models = { small: ableTo(9, { usage }), large: ableTo(99, { usage }) }
  const upstream = await startFakeProvider({ tls: false, models })
  const { window } = await openApp()
  await addRouter(window, upstream.url)
  await newRun(window)
  await window.getByRole('radio', { name: /^File/ }).check()
  await window.getByLabel('Prompt file').setInputFiles(promptFile)
  const cap = window.getByRole('textbox', { name: 'Cap (US dollars)' })

  await cap.fill('0.0001')
  await window.getByRole('button', { name: /^Ask 24 prompts, spend at most/ }).click()
  const least = /A single prompt can cost \$([\d.]+)\. Enter at least this/
  await expect(window.getByRole('alert').filter({ hasText: least })).toBeVisible()
  const text = await window.getByRole('alert').filter({ hasText: least }).textContent()
  await cap.fill(least.exec(text ?? '')?.[1] ?? '')
  await window.getByRole('button', { name: /^Ask 24 prompts, spend at most/ }).click()

  await expect(window.getByText('Cap reached')).toBeVisible()
  await expect(window.getByRole('main')).toContainText(/does not cover another (prompt|request)/)
  await savePicture(window, 'tune-cap')
  await window.getByRole('textbox', { name: 'New cap (US dollars)' }).fill('3')
  await window.getByRole('button', { name: 'Resume, spend at most $3.00' }).click()
  await expect(window.getByText('Done', { exact: true })).toBeVisible()
  await expect(window.getByText('24 of 24 prompts')).toBeVisible()
  expect(upstream.requestCount()).toBe(48)
  await upstream.close()
})

test('stored texts are read only after consent, and each problem shows a way out', async ({
  openApp,
}) => {
  const upstream = await startFakeProvider({ tls: false })
  const { window } = await openApp()
  await addRouter(window, upstream.url)
  await newRun(window)
  const start = window.getByRole('button', { name: /^Ask / })
  const consent = window.getByRole('checkbox', { name: /^Send my/ })

  await window.getByRole('radio', { name: /^Other number/ }).check()
  await window.getByRole('textbox', { name: 'Number of prompts' }).fill('5')
  await expect(window.getByText('Enter 10 or more')).toBeVisible()
  await window.getByRole('radio', { name: /^100 prompts/ }).check()
  await expect(start).toHaveText(/^Ask 100 prompts/)

  await window.getByRole('radio', { name: /^Stored requests/ }).check()
  await expect(start).toHaveCount(0)
  await expect(window.getByText('Agree above')).toBeVisible()
  await consent.check()
  await expect(window.getByText('No requests of Everyday are stored')).toBeVisible()
  await expect(window.getByRole('link', { name: 'router’s setup' })).toBeVisible()

  await window.getByRole('radio', { name: /^My conversations/ }).check()
  await expect(consent).not.toBeChecked()
  await consent.check()
  await expect(window.getByText('no conversations with Everyday')).toBeVisible()

  await window.getByRole('radio', { name: /^File/ }).check()
  const lines = Array.from(
    { length: 12 },
    (_, index) => `Write a limerick about ${'x'.repeat(index + 1)}.`,
  )
  const plain = {
    name: 'limericks.txt',
    mimeType: 'text/plain',
    buffer: Buffer.from(lines.join('\n')),
  }
  await window.getByLabel('Prompt file').setInputFiles(plain)
  await expect(window.getByText('12 prompts have no check. Choose a judge')).toBeVisible()
  await expect(start).toHaveCount(0)
  await window.getByRole('combobox', { name: 'Judge' }).click()
  await window.getByRole('option', { name: /^local:/ }).click()
  await expect(start).toHaveText(/^Ask 12 prompts/)
  await expect(window.getByRole('main')).toContainText('12 (0 checked, 12 judged)')

  const broken = {
    ...plain,
    name: 'broken.jsonl',
    buffer: Buffer.from('{"prompt": "Hi"}\n{"prompt": 7}'),
  }
  await window.getByLabel('Prompt file').setInputFiles(broken)
  await expect(window.getByText('broken.jsonl:2: prompt:')).toBeVisible()
  expect(upstream.requestCount()).toBe(0)
  await upstream.close()
})

/** @returns once it has ended */
async function runFile(window: Page, name: string): Promise<void> {
  const runs = () =>
    window.evaluate(async () => {
      const listed = await modelport.call('tuning:list', undefined)
      return listed.ok ? listed.value : []
    })
  const file = { from: 'file' as const, name, text: promptFile.buffer.toString() }
  await window.evaluate(async (given) => {
    const routers = await modelport.call('routers:list', undefined)
    const router = routers.ok ? routers.value.find((one) => one.name === 'Everyday') : null
    const routerId = router?.id ?? ''
    await modelport.call('tuning:start', { routerId, prompts: given, count: 24, capUsd: 5 })
  }, file)
  const isDone = async () =>
    (await runs()).some(({ fileName, state }) => fileName === name && state === 'done')
  await expect.poll(isDone).toBe(true)
}

test('two runs are compared, and one of them applies to its router or to none', async ({
  openApp,
}) => {
  let figs = 5
  const models = { small: ableTo(() => figs, {}), large: ableTo(99, {}) }
  const upstream = await startFakeProvider({ tls: false, models })
  const { window } = await openApp()
  await addRouter(window, upstream.url)
  await runFile(window, 'before.jsonl')
  figs = 21
  await runFile(window, 'after.jsonl')

  await openRuns(window)
  await expect(window.getByText('Choose two runs to compare them')).toBeVisible()
  await window.getByRole('checkbox', { name: /^Compare after.jsonl/ }).check()
  await window.getByRole('checkbox', { name: /^Compare before.jsonl/ }).check()
  await savePicture(window, 'tune-choose-two')
  await window.getByRole('link', { name: 'Compare runs' }).click()

  await expect(window.getByRole('heading', { name: 'Compare runs of Everyday' })).toBeVisible()
  const main = window.getByRole('main')
  await expect(main).toContainText(
    'B against A: 1 model better, 0 worse, 1 with no difference shown.',
  )
  await expect(main).toContainText('The prompts come from different sources')
  const table = window.getByRole('region', { name: 'Models in both runs' })
  const rows = (model: string, run: string) =>
    table.getByRole('row', { name: new RegExp(`^${model} ${run} [^−]`) })
  await expect(rows('team:small', 'A')).toContainText('25')
  await expect(rows('team:small', 'B')).toContainText('92')
  await expect(rows('team:small', 'B − A')).toContainText('+67 points')
  await expect(rows('team:large', 'B − A')).toContainText('no difference shown')
  const kinds = window.getByRole('region', { name: 'Change by kind of prompt' })
  await expect(
    kinds.getByRole('row', { name: /^team:small Code 25 .* 92 .*\+67 points$/ }),
  ).toBeVisible()
  for (const theme of ['light', 'dark'] as const) {
    await window.emulateMedia({ colorScheme: theme })
    await savePicture(window, `tune-compare-${theme}`)
  }

  await window.getByRole('link', { name: 'after.jsonl' }).click()
  const applyTo = window.getByRole('combobox', { name: 'Apply to' })
  await expect(applyTo).toHaveText('All routers')
  const learned = window.getByRole('region', { name: 'What routing expects of each model' })
  const large = learned.getByRole('row', { name: /team:large All/ })
  await expect(large).toContainText(/48$/)
  await applyTo.click()
  await window.getByRole('option', { name: 'No routers' }).click()
  await expect(main).toContainText('are stored, and no router uses them')
  await expect(large).toContainText(/24$/)
  for (const theme of ['light', 'dark'] as const) {
    await window.emulateMedia({ colorScheme: theme })
    await savePicture(window, `tune-apply-${theme}`)
  }
  await window.getByRole('link', { name: 'All runs' }).click()
  await expect(window.getByRole('row', { name: /after.jsonl.*applies to no router/ })).toBeVisible()

  await window.getByRole('link', { name: 'after.jsonl' }).click()
  await applyTo.click()
  await window.getByRole('option', { name: 'Only Everyday' }).click()
  await expect(main).toContainText('count for Everyday. Other routers decide as if')
  await expect(large).toContainText(/48$/)
  await applyTo.click()
  await window.getByRole('option', { name: 'All routers' }).click()
  await expect(main).toContainText('count for all routers with these models')
  await upstream.close()
})
