import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { usedScene } from '../../../../test/renderer-harness/scenes.ts'
import { stubWindow } from '../../../../test/renderer-harness/stub-window.ts'
import type { StrategyName } from '../../../shared/routers/strategy-names.ts'
import { loadReplay, useReplays, type ReplayQuestion } from './replay.ts'

const routerId = 'router_Jk2mN8pR5sT7vW1x'

function question(strategy: StrategyName, newest = 200): ReplayQuestion {
  return { draft: { strategy, models: ['openai:gpt-5-mini'] }, saved: null, period: { newest } }
}

beforeEach(() => useReplays.setState({}, true))
afterEach(() => vi.unstubAllGlobals())

test('a router’s requests are replayed under a draft', async () => {
  stubWindow(usedScene())
  await loadReplay(routerId, question('balanced'))
  expect(useReplays.getState()[routerId]).toMatchObject({
    isLoading: false,
    report: { strategy: 'balanced', replayed: 14 },
  })
})

test('the later of two replays wins, however late the first one ends', async () => {
  const { bridge } = stubWindow(usedScene())
  const answer = bridge.call.bind(bridge)
  let release = () => {}
  const held = new Promise<void>((resolve) => (release = resolve))
  const slow = vi.spyOn(bridge, 'call').mockImplementationOnce(async (name, input) => {
    await held
    return answer(name, input)
  })
  const first = loadReplay(routerId, question('priority'))
  slow.mockRestore()
  await loadReplay(routerId, question('balanced'))
  release()
  await first
  expect(useReplays.getState()[routerId]?.report).toMatchObject({ strategy: 'balanced' })
})

test('the former report stays while the next one is read', async () => {
  stubWindow(usedScene())
  await loadReplay(routerId, question('balanced'))
  const next = loadReplay(routerId, question('priority'))
  expect(useReplays.getState()[routerId]).toMatchObject({
    isLoading: true,
    report: { strategy: 'balanced' },
  })
  await next
  expect(useReplays.getState()[routerId]?.report).toMatchObject({ strategy: 'priority' })
})

test('a failed replay has its error and no report', async () => {
  const { bridge } = stubWindow(usedScene())
  const error = { code: 'not_found', message: 'There is no router.', field: null }
  vi.spyOn(bridge, 'call').mockResolvedValueOnce({ ok: false, error })
  await loadReplay('router_gone', question('balanced'))
  expect(useReplays.getState()['router_gone']).toMatchObject({
    report: null,
    error: { message: 'There is no router.' },
  })
})
