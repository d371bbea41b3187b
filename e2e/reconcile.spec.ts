/** A bill beside the ledger: files by dialog and drop, causes, unreadable rows, and a price that is corrected. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Page } from '@playwright/test'
import { addTools, setLook, type Look } from './examine.ts'
import { expect, test } from './fixtures.ts'
import { savesPictures } from './pictures.ts'
import { openPlace } from './places.ts'

const firstDay = Date.parse('2026-11-02T00:00:00Z')
const dayMs = 86_400_000
const days = 10
const used = { requests: 40, input: 900_000, output: 120_000 }
const day = (nth: number) => new Date(firstDay + nth * dayMs).toISOString().slice(0, 10)

/** Each model had the same use on every day, at noon: `team:strong` for $3, `team:quick` for $0.60. */
function addUse(dataDir: string): void {
  const db = new DatabaseSync(join(dataDir, 'modelport.db'))
  const insert = db.prepare(`
    INSERT INTO usage_rollups VALUES (?, ?, 'router_a', ?, '', '', ?, 0, 0, 0, 0, 0, 0, ?, 0, 0, ?, 0, ?,
      0, 0, 0, 0, 0, 0, x'', x'')`)
  for (let nth = 0; nth < days; nth += 1) {
    for (const [model, nanoUsd] of [
      ['team:strong', 3_000_000_000],
      ['team:quick', 600_000_000],
    ] as const) {
      const { requests, input, output } = used
      const noon = firstDay + nth * dayMs + dayMs / 2
      for (const [lengthMs, startMs] of [
        [60_000, noon],
        [3_600_000, noon],
        [dayMs, noon - dayMs / 2],
      ] as const)
        insert.run(lengthMs, startMs, model, requests, input, output, nanoUsd)
    }
  }
  db.close()
}

/**
 * From the seventh day, answers of `strong` cost a quarter more; another program used `quick` on the third day; the
 * fifth day of `quick` is 2 % too dear.
 */
function bill(): string {
  const rows = Array.from({ length: days }, (_, nth) => {
    const { requests, input, output } = used
    const strong = nth >= 6 ? 3.3 : 3
    const isForeign = nth === 2
    const quick = nth === 4 ? 0.612 : isForeign ? 0.75 : 0.6
    const factor = isForeign ? 1.25 : 1
    return [
      `${day(nth)},strong,${requests},${input},${output},${strong.toFixed(6)}`,
      `${day(nth)},quick,${requests * factor},${input * factor},${output * factor},${quick.toFixed(6)}`,
    ]
  })
  const damaged = `${day(1)},quick,1,2,3,"12,5"`
  const head = 'date,model,requests,input_tokens,output_tokens,cost_usd'
  return `${[head, ...rows.flat(), damaged].join('\n')}\n`
}

async function addModels(window: Page): Promise<void> {
  await window.evaluate(async () => {
    const baseUrl = 'http://127.0.0.1:9/v1'
    await modelport.call('providers:add', { id: 'team', type: 'openai-compatible', baseUrl })
    const models = [
      { id: 'team:strong', inputUsdPerMtok: 2, outputUsdPerMtok: 10 },
      { id: 'team:quick', inputUsdPerMtok: 0.4, outputUsdPerMtok: 2 },
    ]
    for (const model of models) await modelport.call('models:save', model)
    await modelport.call('settings:set', { name: 'locale', value: 'en-US' })
  })
}

/** What a desktop does when a file is dropped. */
async function drop(window: Page, name: string, text: string): Promise<void> {
  await window.getByRole('main').evaluate(
    (main, given) => {
      const data = new DataTransfer()
      data.items.add(new File([given.text], given.name))
      main.dispatchEvent(
        new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }),
      )
    },
    { name, text },
  )
}

const looks: readonly Look[] = [
  { theme: 'light', density: 'comfortable' },
  { theme: 'dark', density: 'comfortable' },
]

async function takePictures(window: Page): Promise<void> {
  await addTools(window)
  for (const look of looks) {
    await setLook(window, look)
    const found = await window.evaluate(async () => {
      const { violations } = await axe.run(document, { resultTypes: ['violations'] })
      return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`))
    })
    expect(found).toEqual([])
    const path = `docs/screenshots/reconcile-${look.theme}.png`
    if (savesPictures) await window.screenshot({ path })
  }
}

test('a bill is compared with the ledger, and a price that changed is corrected', async ({
  openApp,
  restartApp,
  dataDir,
}) => {
  const first = await openApp('/home')
  await addModels(first.window)
  await first.app.close()
  addUse(first.dataDir)
  const file = join(dataDir, 'bill.csv')
  await writeFile(file, bill())
  const { window } = await restartApp('/home')
  await openPlace(window, 'Activity', 'Reconcile')

  // By keyboard.
  const chooser = window.waitForEvent('filechooser')
  await window.getByRole('button', { name: 'Choose files…' }).press('Enter')
  await (await chooser).setFiles([file])
  const table = window.getByRole('table', { name: 'Bill and Modelport by day and model' })
  const rowOf = (nth: number, model: string) =>
    table.getByRole('row', { name: new RegExp(`^${day(nth)} ${model}`) })
  await expect(rowOf(2, 'team:quick')).toContainText(
    '10 requests that did not pass through Modelport',
  )
  await expect(rowOf(6, 'team:strong')).toContainText(`Another price since ${day(6)} (+10.0 %)`)
  await expect(rowOf(4, 'team:quick')).toContainText('$0.012')
  await expect(rowOf(0, 'team:quick')).toHaveCount(0)
  await expect(window.getByRole('table', { name: 'Rows that were not read' })).toContainText(
    'Export numbers with a point before decimals.',
  )
  await takePictures(window)

  await window.getByText('Also days without a difference').click()
  await expect(rowOf(0, 'team:quick')).toContainText('$0.60')
  await window
    .getByRole('button', { name: `Correct price of team:strong from ${day(6)}` })
    .press('Enter')
  await expect(window.getByText('The price of team:strong was corrected.')).toBeVisible()
  await expect(window.getByText('Prices that differ')).toHaveCount(0)
  const price = await window.evaluate(async () => {
    const models = await modelport.call('models:list', undefined)
    return models.ok ? models.value.find(({ id }) => id === 'team:strong')?.outputUsdPerMtok : null
  })
  expect(price).toBe(11)

  // By drop, of something that is no bill.
  await drop(window, 'letter.txt', 'Dear customer')
  await expect(window.getByRole('alert')).toContainText(
    'letter.txt, line 1: The file is neither JSON nor a table with a header line.',
  )
  await drop(window, 'bill.csv', bill())
  await expect(rowOf(2, 'team:quick')).toBeVisible()
})
