import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { usedScene } from '../../../../test/renderer-harness/scenes.ts'
import { stubWindow } from '../../../../test/renderer-harness/stub-window.ts'
import { loadReplay, useReplays } from './replay.ts'

const routerId = 'router_Jk2mN8pR5sT7vW1x'

beforeEach(() => useReplays.setState({}, true))
afterEach(() => vi.unstubAllGlobals())

test('a router’s requests are replayed with the selected strategy', async () => {
  stubWindow(usedScene())
  await loadReplay(routerId, { strategy: 'balanced', days: 7 })
  expect(useReplays.getState()[routerId]).toMatchObject({
    kind: 'known',
    days: 7,
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
  const first = loadReplay(routerId, { strategy: 'priority', days: 7 })
  slow.mockRestore()
  await loadReplay(routerId, { strategy: 'balanced', days: 30 })
  release()
  await first
  expect(useReplays.getState()[routerId]).toMatchObject({ strategy: 'balanced', days: 30 })
})

test('a failed replay shows its error', async () => {
  const { bridge } = stubWindow(usedScene())
  const error = { code: 'not_found', message: 'There is no router.', field: null }
  vi.spyOn(bridge, 'call').mockResolvedValueOnce({ ok: false, error })
  await loadReplay('router_gone', { strategy: 'balanced', days: 7 })
  expect(useReplays.getState()['router_gone']).toMatchObject({
    kind: 'failed',
    error: { message: 'There is no router.' },
  })
})
