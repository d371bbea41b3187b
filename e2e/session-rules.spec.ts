/** Rules of sessions: made from a session, and proved on one's own: split, and steps asked of another model. */
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Page } from '@playwright/test'
import axeCore from 'axe-core'
import { startFakeProvider } from '../test/fake-provider.ts'
import { openRouter, sendStep, task } from './coding-agent.ts'
import { expect, test } from './fixtures.ts'
import { savePicture } from './pictures.ts'
import { openPlace } from './places.ts'

const reads = { toolCalls: [{ index: 0, id: 'call_1', name: 'Read', argumentPieces: ['{}'] }] }
const explorer = {
  'x-claude-code-request-class': 'subagent',
  'x-claude-code-agent-id': 'agent-1',
  'x-claude-code-agent-type': 'Explore',
}

async function violationsOf(window: Page): Promise<unknown[]> {
  await window.evaluate(axeCore.source)
  return await window.evaluate(async () =>
    (await axe.run(document)).violations.map(({ id, nodes }) => [id, nodes[0]?.html]),
  )
}

async function subagentsOf(window: Page): Promise<unknown> {
  return await window.evaluate(async () => {
    const routers = await modelport.call('routers:list', undefined)
    return routers.ok ? routers.value.find(({ name }) => name === 'Code')?.routing.subagents : null
  })
}

test('a rule is made from a session with the keyboard, and undone with the mouse', async ({
  openApp,
}) => {
  const upstream = await startFakeProvider({ tls: false, models: { strong: reads, quick: reads } })
  const { window } = await openApp('/home')
  const place = await openRouter(window, upstream.url)
  await sendStep(place, [task])
  await sendStep(place, [task], explorer)
  await openPlace(window, 'Activity', 'Sessions')
  await window
    .getByRole('row', { name: /claude-code 2\.1\.330/ })
    .getByRole('link')
    .click()

  await window.getByRole('button', { name: 'Actions for the session' }).focus()
  await window.keyboard.press('Enter')
  await window.getByRole('menuitem', { name: 'Make a rule' }).press('Enter')
  const dialog = window.getByRole('dialog', { name: 'Make a rule' })
  await expect(dialog.getByRole('combobox', { name: 'Type of subagent' })).toContainText('Explore')
  await dialog.getByRole('combobox', { name: 'Router or model' }).focus()
  await window.keyboard.press('Enter')
  await window.getByRole('option', { name: 'team:quick' }).press('Enter')
  await savePicture(window, 'session-rule-dialog')
  expect(await violationsOf(window)).toEqual([])
  await dialog.getByRole('button', { name: 'Make rule' }).press('Enter')
  await expect(dialog).toHaveCount(0)
  expect(await subagentsOf(window)).toEqual({ Explore: 'team:quick' })

  await sendStep(place, [task], { ...explorer, 'x-claude-code-agent-id': 'agent-2' })
  const ruled = window.getByRole('table', { name: 'Steps' }).getByRole('row', { name: /^3 / })
  await expect(ruled).toContainText('by team:quick for Explore')
  await savePicture(window, 'session-rule-made')
  await window.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(() => subagentsOf(window)).toBeNull()

  await window.evaluate(async () => {
    const figures = { contextTokens: 100_000, capabilities: ['tools' as const] }
    const price = { inputUsdPerMtok: 0.1, outputUsdPerMtok: 0.2 }
    await modelport.call('models:save', { id: 'team:quick', ...price, ...figures })
  })
  await window.getByRole('link', { name: 'All sessions' }).click()
  const looked = window.getByRole('region', { name: 'Rules that would have saved' })
  await expect(looked).toContainText('not enough sessions to tell what team:quick')
  await savePicture(window, 'session-rules-looked')
  await looked.getByRole('button', { name: 'Make a rule' }).click()
  await expect(dialog.getByRole('combobox', { name: 'Router or model' })).toContainText(
    'team:quick',
  )
  await dialog.getByRole('button', { name: 'Make rule' }).click()
  await expect.poll(() => subagentsOf(window)).toEqual({ default: 'team:quick' })
  await upstream.close()
})

/** Ended sessions of a split router: those with its rules cost a tenth. */
function addSplitSessions(dataDir: string, routerId: string, sessions: number): void {
  const db = new DatabaseSync(join(dataDir, 'modelport.db'))
  const insert = db.prepare(`
    INSERT INTO requests (
      id, router_id, source, started_at_ms, status, model_used, router_decision, is_streamed, attempts,
      cost_nano_usd, latency_ms, carbon_grams, detail, session_id, session_step
    ) VALUES (?, ?, 'api', ?, 200, 'team:strong', 'priority', 1, 1, ?, 900, 0, '[]', ?, ?)`)
  for (let nth = 0; nth < sessions; nth += 1) {
    const arm = nth % 2 === 0 ? 'rules' : 'plain'
    const stuck = nth % 8 < 2 ? ['long'] : []
    const step = JSON.stringify({ client: 'claude-code', kind: 'main', arm, stuck })
    const cost = (arm === 'rules' ? 10_000_000 : 100_000_000) * (1 + (nth % 5) / 5)
    const id = `00000000-0000-7000-8000-${String(nth).padStart(12, '0')}`
    insert.run(id, routerId, Date.now() - 90_000_000 + nth, cost, `split-${nth}`, step)
  }
  db.close()
}

test('a router is split and asks shadow steps, and its sessions say what they prove', async ({
  openApp,
  restartApp,
}) => {
  const edits = { toolCalls: [{ index: 0, id: 'call_1', name: 'Edit', argumentPieces: ['{}'] }] }
  const upstream = await startFakeProvider({ tls: false, models: { strong: reads, quick: edits } })
  const { app, window, dataDir } = await openApp('/home')
  const place = await openRouter(window, upstream.url)
  await openPlace(window, 'Routers')
  await window.getByRole('link', { name: 'Code', exact: true }).click()
  await window.getByRole('link', { name: 'Strategy' }).click()
  await window.getByText('Advanced', { exact: true }).click()
  await window.getByRole('checkbox', { name: 'Half of the sessions without these rules' }).check()
  await window.getByRole('checkbox', { name: 'Ask another model some steps, too' }).focus()
  await window.keyboard.press('Space')
  await window.getByLabel('Share of steps (%)').fill('100')
  await window.getByRole('combobox', { name: 'Other model' }).click()
  await window.getByRole('option', { name: /^team:quick/ }).click()
  await window.getByRole('combobox', { name: 'Other model' }).scrollIntoViewIfNeeded()
  await savePicture(window, 'session-proof-settings')
  expect(await violationsOf(window)).toEqual([])
  await window.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(window.getByText('Saved. Applies')).toBeVisible()

  await sendStep(place, [task])
  const proofs = async () => {
    const known = await window.evaluate(() => modelport.call('sessions:proofs', undefined))
    return known.ok ? known.value.shadows[0]?.steps : null
  }
  await expect.poll(proofs).toBe(1)
  await openPlace(window, 'Activity', 'Sessions')
  const proved = window.getByRole('region', { name: 'Rules on your own sessions' })
  await expect(proved).toContainText('Code: ended sessions with its rules: 0; without: 0.')
  await expect(proved).toContainText('Not enough sessions to tell the difference in cost')
  await expect(proved).toContainText('team:quick also answered 1 step of 1 session')
  await expect(proved).toContainText('Not enough sessions to tell how often it would do the same')
  await savePicture(window, 'session-proof-early')
  expect(await violationsOf(window)).toEqual([])

  const routerId = /router_\w+/.exec(place.url)?.[0] ?? ''
  await app.close()
  addSplitSessions(dataDir, routerId, 80)
  const { window: later } = await restartApp('/activity?view=sessions')
  const told = later.getByRole('region', { name: 'Rules on your own sessions' })
  await expect(told).toContainText('ended sessions with its rules: 40; without: 40.')
  await expect(told).toContainText(/the cost of a typical session changes by −\d+ %/)
  await expect(told).toContainText('Not enough sessions to tell whether more get stuck')
  expect(await violationsOf(later)).toEqual([])
  await savePicture(later, 'session-proof-told')
  await upstream.close()
})
