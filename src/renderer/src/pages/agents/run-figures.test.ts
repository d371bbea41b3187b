import { expect, test } from 'vitest'
import type { Execution } from '../../../../shared/agents/agent.ts'
import { formatDuration } from '../../../../shared/strings/format.ts'
import { runFigures, runRange, type RunMeasure } from './run-figures.ts'

const measure: RunMeasure = {
  title: 'Latency per run',
  question: 'How long does one run take?',
  column: 'Latency',
  color: 'red',
  valueOf: ({ latencyMs }) => latencyMs,
  format: formatDuration,
  steps: 'duration',
}

function run(id: string, startedAtMs: number, latencyMs: number | null): Execution {
  return {
    id,
    agent: 'news',
    agentVersion: 1,
    routerId: 'router_a',
    apiKeyId: null,
    source: 'api',
    isStreamed: false,
    startedAtMs,
    state: 'done',
    status: 200,
    errorCode: null,
    failedStep: null,
    latencyMs,
    steps: 2,
    costNanoUsd: 0,
    carbonGrams: 0,
    models: [],
    trace: [],
  }
}

test('runs without the figure are in no mean, no table and no stop of the cursor', () => {
  const runs = [run('a', 10, 100), run('b', 20, null), run('c', 30, 300)]
  const { text, slots, values } = runFigures(runs, measure)
  expect(text.sentence).toBe('Mean 200 ms, maximum 300 ms of 2 finished runs.')
  expect(text.table.rows.map(({ filter }) => filter)).toEqual([
    { executionId: 'a' },
    { executionId: 'c' },
  ])
  expect(slots.map(({ point }) => point?.id ?? null)).toEqual(['a', null, 'c'])
  expect(values).toEqual([100, null, 300])
})

test('runs that began together have stops of their own', () => {
  const { slots } = runFigures([run('a', 5, 1), run('b', 5, 1), run('c', 5, 1)], measure)
  expect(slots.map(({ startMs }) => startMs)).toEqual([5, 6, 7])
})

test('one run of a minute does not flatten the others', () => {
  const runs = [100, 120, 110, 130, 60_000].map((ms, index) => run(String(index), index, ms))
  const { scale } = runFigures(runs, measure)
  expect(scale.kind).toBe('log')
  expect(scale.position(130) - scale.position(100)).toBeGreaterThan(0.01)
})

test('the highest dot has room below the upper edge', () => {
  const { scale } = runFigures([run('a', 1, 1_000), run('b', 2, 1_000)], measure)
  expect(scale.position(1_000)).toBeLessThan(0.97)
})

test('a single run has a range with room', () => {
  const { fromMs, toMs } = runRange([run('a', 5, 100)])
  expect(toMs - fromMs).toBeGreaterThanOrEqual(60_000)
})
