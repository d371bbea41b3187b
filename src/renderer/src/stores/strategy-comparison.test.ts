import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { usedScene } from '../../../../test/renderer-harness/scenes.ts'
import { stubWindow } from '../../../../test/renderer-harness/stub-window.ts'
import { strategyNames } from '../../../shared/routers/strategy-names.ts'
import { compareStrategies, useStrategyComparisons } from './strategy-comparison.ts'

const routerId = 'router_Jk2mN8pR5sT7vW1x'
const draft = { models: ['openai:gpt-5-mini'] }

beforeEach(() => useStrategyComparisons.setState({}, true))
afterEach(() => vi.unstubAllGlobals())

function reports() {
  return useStrategyComparisons.getState()[routerId]?.reports
}

test('every strategy has a report', async () => {
  stubWindow(usedScene())
  await compareStrategies(routerId, draft, 200)
  expect(Object.keys(reports() ?? {})).toEqual([...strategyNames])
})

test('a newer comparison ends an older one', async () => {
  const { bridge } = stubWindow(usedScene())
  const call = vi.spyOn(bridge, 'call')
  const first = compareStrategies(routerId, { models: ['openai:gpt-5'] }, 200)
  await compareStrategies(routerId, draft, 200)
  await first
  expect(useStrategyComparisons.getState()[routerId]?.draft).toBe(draft)
  expect(call).toHaveBeenCalledTimes(strategyNames.length + 1)
})

test('a strategy that cannot be replayed is left out', async () => {
  const { bridge } = stubWindow(usedScene())
  const error = { code: 'invalid', message: 'Choose a model', field: 'draft.models' }
  vi.spyOn(bridge, 'call').mockResolvedValue({ ok: false, error })
  await compareStrategies(routerId, draft, 200)
  expect(reports()).toEqual({})
})
