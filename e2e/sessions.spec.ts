/** Sessions of coding agents in Activity, and the guardian's alarm on Home. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Page } from '@playwright/test'
import { startFakeProvider } from '../test/fake-provider.ts'
import type { SessionStep } from '../src/shared/requests/session-step.ts'
import { expect, test } from './fixtures.ts'
import { openRouter, result, sendStep, task } from './coding-agent.ts'
import { savePicture } from './pictures.ts'
import { openPlace } from './places.ts'

const steps = 5_000
const openMs = 300

/** A step of a long session: its prompt grows, and is compacted once; the last reads nothing from the cache. */
function stepOf(nth: number): SessionStep {
  const size = 20_000 + (nth % 2_500) * 50
  const isLast = nth === steps - 1
  const place = { part: 'system', at: 4_096 } as const
  const lost = { lostNanoUsd: 500_000_000, culprit: 'client', place, alarm: true } as const
  const read = isLast ? 0 : size - 900
  return {
    client: 'claude-code',
    version: '2.1.330',
    startsTurn: nth % 8 === 0,
    kind: isOfAgent(nth) ? 'subagent' : 'main',
    parent: null,
    agentType: isOfAgent(nth) ? 'Explore' : null,
    class: nth % 3 === 0 ? 'edit' : 'explore',
    tools: [nth % 3 === 0 ? 'Edit' : 'Read'],
    marks: nth % 40 === 39 ? ['failed'] : [],
    why: nth % 8 === 0 ? 'near' : 'tool',
    effort: null,
    tokens: { read, written: size - read, uncached: 2, output: 300 },
    costs: { read: 4_000_000, written: 4_500_000, uncached: 8_000, output: 6_000_000 },
    ...(isLast && { cache: { expected: size, read: 0, ...lost } }),
  }
}

function isOfAgent(nth: number): boolean {
  return nth % 50 === 48
}

function addSession(dataDir: string): void {
  const db = new DatabaseSync(join(dataDir, 'modelport.db'))
  const insert = db.prepare(`
    INSERT INTO requests (
      id, router_id, source, started_at_ms, status, model_used, router_decision, is_streamed, attempts,
      cost_nano_usd, latency_ms, carbon_grams, detail, session_id, agent_id, session_step
    ) VALUES (?, 'router_a', 'api', ?, 200, 'anthropic:claude-opus-5-5', 'priority', 1, 1, 14508000, 900, 0, '[]',
      'session-1', ?, ?)`)
  const startMs = Date.now() - steps * 1_000
  db.exec('BEGIN')
  for (let nth = 0; nth < steps; nth += 1) {
    const id = `00000000-0000-7000-8000-${String(nth).padStart(12, '0')}`
    const agent = isOfAgent(nth) ? `agent-${Math.floor(nth / 500)}` : null
    insert.run(id, startMs + nth * 1_000, agent, JSON.stringify(stepOf(nth)))
  }
  db.exec('COMMIT')
  db.close()
}

/** Milliseconds from a click on the list's first session to its drawn steps. */
function timeToOpen(window: Page): Promise<number> {
  return window.evaluate(async () => {
    const link = document.querySelector<HTMLAnchorElement>('tbody th a')
    const startMs = performance.now()
    link?.click()
    while (document.querySelector('table[aria-label="Steps"] tbody tr') === null) {
      await new Promise((done) => requestAnimationFrame(done))
    }
    return performance.now() - startMs
  })
}

test('a broken cache leads from Home to its session, whose 5,000 steps open at once', async ({
  openApp,
  restartApp,
}) => {
  const { app, dataDir } = await openApp('/home')
  await app.close()
  addSession(dataDir)
  const { window } = await restartApp('/home')

  await expect(window.getByText(/A session of claude-code .*\$0\.50 lost/)).toBeVisible()
  await savePicture(window, 'sessions-home')
  await window.getByRole('link', { name: 'Show session' }).focus()
  await window.keyboard.press('Enter')

  const table = window.getByRole('table', { name: 'Steps' })
  await expect(table.getByText('5,000', { exact: true })).toBeVisible()
  await expect(window.getByText('Lost to broken caches')).toBeVisible()
  const last = table.getByRole('row', { name: /^5,000/ })
  await expect(last).toContainText('Kept: its tool’s result')
  await expect(last).toContainText('The client changed the system prompt near')
  await savePicture(window, 'sessions-one')

  await window.getByRole('link', { name: 'All sessions' }).click()
  const row = window.getByRole('row', { name: /claude-code 2\.1\.330/ })
  await expect(row).toContainText('5,000')
  await savePicture(window, 'sessions-list')
  const times: number[] = []
  for (let round = 0; round < 3; round += 1) {
    times.push(await timeToOpen(window))
    await window.getByRole('link', { name: 'All sessions' }).click()
    await expect(row).toBeVisible()
  }
  // The machine may pause once.
  expect(Math.min(...times)).toBeLessThan(openMs)
})

test('a session is watched live: its steps appear, a model is pinned, and it is deleted', async ({
  openApp,
  dataDir,
}) => {
  const reads = { toolCalls: [{ index: 0, id: 'call_1', name: 'Read', argumentPieces: ['{}'] }] }
  const upstream = await startFakeProvider({ tls: false, models: { strong: reads, quick: {} } })
  const { app, window } = await openApp('/home')
  const place = await openRouter(window, upstream.url)
  await openPlace(window, 'Activity', 'Sessions')
  await expect(window.getByText('No sessions yet.')).toBeVisible()

  await sendStep(place, [task])
  const session = window.getByRole('row', { name: /claude-code 2\.1\.330/ })
  await expect(session).toBeVisible()
  await session.getByRole('link').focus()
  await window.keyboard.press('Enter')

  const table = window.getByRole('table', { name: 'Steps' })
  await expect(table.getByRole('row', { name: /^1 .*explore Read team:strong/ })).toBeVisible()
  await sendStep(place, result)
  const second = table.getByRole('row', { name: /^2 .*Kept: its tool’s result/ })
  await expect(second).toContainText('failed')
  await savePicture(window, 'sessions-live')

  const pinned = window.getByRole('combobox', { name: 'Model of the session' })
  await expect(pinned).toContainText('Model: its router chooses')
  await pinned.click()
  await window.getByRole('option', { name: 'Pinned: team:quick' }).click()
  await expect(pinned).toContainText('Pinned: team:quick')
  await sendStep(place, [...result, { role: 'assistant', content: 'Done.' }, task])
  const third = table.getByRole('row', { name: /^3 / })
  await expect(third).toContainText('team:quick')
  await expect(third).toContainText('Pinned to the session')
  await savePicture(window, 'sessions-pinned')

  await window.getByRole('button', { name: 'Actions for the session' }).focus()
  await window.keyboard.press('Enter')
  const file = join(dataDir, 'session.json')
  await app.evaluate(({ session: electron }, path) => {
    electron.defaultSession.once('will-download', (_event, item) => item.setSavePath(path))
  }, file)
  await window.getByRole('menuitem', { name: 'Export numbers' }).press('Enter')
  await expect.poll(() => readFile(file, 'utf8').catch(() => '')).toContain('"model": "team:quick"')
  await window.getByRole('button', { name: 'Actions for the session' }).click()
  await window.getByRole('menuitem', { name: 'Delete' }).click()
  await savePicture(window, 'sessions-delete')
  await window.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await expect(window.getByText('No sessions yet.')).toBeVisible()
  await upstream.close()
})

/** A turn of so many edits. */
function editsOf(count: number): object[] {
  const edited = Array.from({ length: count }, (_, nth) => {
    const edit = { name: 'Edit', arguments: JSON.stringify({ nth }) }
    const id = `call_edit_${nth}`
    return [
      { role: 'assistant', content: null, tool_calls: [{ id, type: 'function', function: edit }] },
      { role: 'tool', tool_call_id: id, content: 'Edited.' },
    ]
  })
  return [task, ...edited.flat()]
}

test('a stuck turn goes up with its mark, and a subagent goes where its type is sent', async ({
  openApp,
}) => {
  const reads = { toolCalls: [{ index: 0, id: 'call_1', name: 'Read', argumentPieces: ['{}'] }] }
  const upstream = await startFakeProvider({ tls: false, models: { strong: reads, quick: reads } })
  const { window } = await openApp('/home')
  const place = await openRouter(window, upstream.url)
  await window.evaluate(async () => {
    const figures = { contextTokens: 100_000, capabilities: ['tools' as const] }
    const price = { inputUsdPerMtok: 0.1, outputUsdPerMtok: 0.5 }
    await modelport.call('models:save', { id: 'team:quick', ...price, ...figures })
  })
  await openPlace(window, 'Routers')
  await window.getByRole('link', { name: 'Code', exact: true }).click()
  await window.getByRole('link', { name: 'Strategy' }).click()
  await window.getByText('Advanced', { exact: true }).click()
  await window
    .getByRole('textbox', { name: 'Start cheap until this command fails' })
    .fill('make check')
  const subagent = window.getByRole('textbox', { name: 'Type of subagent' })
  await subagent.fill('Explore')
  // It adds the type, and does not save the router.
  await subagent.press('Enter')
  await window.getByRole('combobox', { name: 'Explore' }).click()
  await window.getByRole('option', { name: 'team:quick' }).click()
  await savePicture(window, 'session-settings')
  await window.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(window.getByText('Saved. Applies')).toBeVisible()

  await sendStep(place, [task])
  await sendStep(place, editsOf(15))
  await sendStep(place, [task], {
    'x-claude-code-request-class': 'subagent',
    'x-claude-code-agent-id': 'agent-1',
    'x-claude-code-agent-type': 'Explore',
  })
  await openPlace(window, 'Activity', 'Sessions')
  await window
    .getByRole('row', { name: /claude-code 2\.1\.330/ })
    .getByRole('link')
    .click()

  const table = window.getByRole('table', { name: 'Steps' })
  const first = table.getByRole('row', { name: /^1 / })
  await expect(first).toContainText('team:quick')
  await expect(first).toContainText('Down: cheap until the check fails')
  const raised = table.getByRole('row', { name: /^2 / })
  await expect(raised).toContainText('team:strong')
  await expect(raised).toContainText('Up: stuck: 15 edits')
  const explorer = table.getByRole('row', { name: /^3 / })
  await expect(explorer).toContainText('agent-1')
  await expect(explorer).toContainText('by team:quick for Explore')
  await savePicture(window, 'sessions-stuck')
  await upstream.close()
})
