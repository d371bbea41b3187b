import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { usedScene } from '../../../../test/renderer-harness/scenes.ts'
import { stubWindow } from '../../../../test/renderer-harness/stub-window.ts'
import {
  loadTuningResult,
  noteTuningRun,
  removeRun,
  resumeRun,
  startRun,
  stopRun,
  useTuningResults,
  useTuningRuns,
} from './tuning.ts'

const input = {
  routerId: 'router_Jk2mN8pR5sT7vW1x',
  prompts: { from: 'starter' as const },
  capUsd: 1.2,
}

beforeEach(async () => {
  useTuningRuns.setState({ items: null, error: null })
  useTuningResults.setState({}, true)
  stubWindow(usedScene())
  await useTuningRuns.getState().load()
})
afterEach(() => vi.unstubAllGlobals())

function listed() {
  return useTuningRuns.getState().items
}

test('a run is listed once it has started, first and once', async () => {
  const older = await startRun(input)
  const run = await startRun(input)
  noteTuningRun(run)
  expect(listed()?.map(({ id }) => id)).toEqual([run.id, older.id])
})

test('a run is shown as its last event says', async () => {
  const run = await startRun(input)
  noteTuningRun({ ...run, spentUsd: 0.4 })
  expect(listed()).toMatchObject([{ spentUsd: 0.4 }])
})

test('an event before the list is loaded changes nothing', async () => {
  const run = await startRun(input)
  useTuningRuns.setState({ items: null })
  noteTuningRun(run)
  expect(listed()).toBeNull()
})

test('a run is stopped, resumed and removed', async () => {
  const { id } = await startRun(input)
  await stopRun(id)
  expect(listed()).toMatchObject([{ id, state: 'stopped' }])
  await resumeRun(id, null)
  expect(listed()).toMatchObject([{ id, state: 'running' }])
  await loadTuningResult(id)
  expect(useTuningResults.getState()[id]).toEqual({ result: null, error: null })
  await removeRun(id)
  expect(listed()).toEqual([])
  expect(useTuningResults.getState()).toEqual({})
})
