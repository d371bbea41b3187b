/** Findings about answers and money are lines of Home and of the provider's card, with their requests, until dismissed. */
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Page } from '@playwright/test'
import type { Finding } from '../src/shared/requests/finding.ts'
import { expect, test } from './fixtures.ts'
import { savePicture } from './pictures.ts'

const tuesdayMs = Date.UTC(2026, 10, 24, 9)
const modelId = 'reseller:gpt-5.4'

const answers: Finding = {
  kind: 'answers',
  id: `answers:${modelId}:named`,
  firstAtMs: tuesdayMs,
  lastAtMs: tuesdayMs,
  requestIds: ['request-1', 'request-2'],
  dismissedAtMs: null,
  evidence: {
    check: 'named',
    modelId,
    deviating: 12,
    answers: 80,
    sinceMs: tuesdayMs,
    named: 'gpt-5.4-mini',
    factor: null,
    hoursUtc: { from: 22, until: 6 },
  },
}
const money: Finding = {
  kind: 'money',
  id: `totals:3600000:${tuesdayMs}`,
  firstAtMs: tuesdayMs,
  lastAtMs: tuesdayMs,
  requestIds: [],
  dismissedAtMs: null,
  evidence: {
    check: 'totals',
    fromMs: tuesdayMs,
    toMs: tuesdayMs + 3_600_000,
    lengthMs: 3_600_000,
    routerId: 'router_a',
    model: modelId,
    apiKeyId: '',
    cells: 1,
    figure: 'cost_nano_usd',
    counted: 1_500_000_000,
    stored: 1_500_000_001,
  },
}

function store(dataDir: string, findings: readonly Finding[]): void {
  const db = new DatabaseSync(join(dataDir, 'modelport.db'))
  const insert = db.prepare('INSERT INTO findings VALUES (?, ?, ?, ?, ?, ?, NULL)')
  for (const { id, kind, firstAtMs, lastAtMs, evidence, requestIds } of findings) {
    const texts = [JSON.stringify(evidence), JSON.stringify(requestIds)]
    insert.run(id, kind, firstAtMs, lastAtMs, ...texts)
  }
  db.close()
}

async function addReseller(window: Page): Promise<void> {
  const added = await window.evaluate(() =>
    modelport.call('providers:add', {
      id: 'reseller',
      type: 'openai-compatible',
      baseUrl: 'http://127.0.0.1:9/v1',
      apiKey: 'sk-reseller-test',
    }),
  )
  expect(added.ok).toBe(true)
}

test('a finding is shown with its requests, dismissed and opened again', async ({
  openApp,
  restartApp,
}) => {
  const first = await openApp('/home')
  await addReseller(first.window)
  await first.app.close()
  store(first.dataDir, [answers, money])

  const { window } = await restartApp('/home')
  const line = window.getByRole('listitem').filter({
    hasText: 'reseller:gpt-5.4 named gpt-5.4-mini in 12 of 80 answers since',
  })
  await expect(line).toBeVisible()
  await expect(
    window.getByRole('listitem').filter({ hasText: 'the cost is $1.500000001 instead of' }),
  ).toBeVisible()
  await savePicture(window, 'findings-home')

  await line.getByRole('button', { name: 'Dismiss' }).click()
  await expect(line).toHaveCount(0)
  await window.getByRole('button', { name: 'Undo' }).click()
  await expect(line).toBeVisible()
  await line.getByRole('link', { name: 'Show requests' }).click()
  await expect(window.getByRole('heading', { level: 1, name: 'Activity' })).toBeVisible()
  await expect(window.getByText('the newest 20 requests')).toBeVisible()

  await window.evaluate(() => {
    location.hash = '/models?view=providers'
  })
  const card = window.getByRole('listitem', { name: 'reseller' })
  await expect(card.getByText('12 of 80 answers')).toBeVisible()
  await savePicture(window, 'findings-provider')
  await card.getByRole('button', { name: 'Dismiss' }).click()
  await expect(card.getByText('12 of 80 answers')).toHaveCount(0)
})
