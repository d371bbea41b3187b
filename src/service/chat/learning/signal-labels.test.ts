import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { topicNames } from '../../../shared/routers/topics.ts'
import type { ModelFeedback } from '../../storage/feedback-store.ts'
import { SignalLabels, type SignalLabelsOptions } from './signal-labels.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const reading = {
  domains: [],
  topics: [['law', 1] as ['law', number]],
  confidence: 1,
  difficulty: 2,
  difficultyReasons: [],
}
const law = topicNames.indexOf('law')
const signal = { name: 'empty', label: 0, weight: 0.3 } as const

function start() {
  const writes: (readonly ModelFeedback[])[] = []
  const errors: unknown[] = []
  const store = {
    addSignals: vi.fn<SignalLabelsOptions['store']['addSignals']>(
      async (sums) => void writes.push(sums),
    ),
  }
  const switches = {
    signalFormat: true,
    signalToolCall: true,
    signalEmpty: true,
    signalCutOff: true,
    signalRefused: true,
    signalAskedAgain: true,
    signalStepRepeated: true,
  }
  const labels = new SignalLabels({
    store,
    settings: () => switches,
    now: () => 7,
    clock: () => 0,
    onError: (error) => errors.push(error),
  })
  onTestFinished(() => labels.close())
  const sums = () =>
    writes.map((write) =>
      write.map(({ modelId, good, bad, difficulty }) => ({
        modelId,
        good: Number(good[law]?.toFixed(6)),
        bad: Number(bad[law]?.toFixed(6)),
        difficulty: Number(difficulty[law]?.toFixed(6)),
      })),
    )
  return { labels, store, errors, sums }
}

test('a thousand signals within a second are one write of sums', () => {
  const { labels, store, sums } = start()
  for (let nth = 0; nth < 1_000; nth += 1) {
    labels.add({ ...signal, model: nth % 2 === 0 ? 'p:a' : 'p:b' }, reading)
  }
  expect(store.addSignals).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1_000)
  expect(store.addSignals).toHaveBeenCalledExactlyOnceWith(expect.any(Array), 7)
  expect(sums()).toEqual([
    [
      { modelId: 'p:a', good: 0, bad: 150, difficulty: 300 },
      { modelId: 'p:b', good: 0, bad: 150, difficulty: 300 },
    ],
  ])
  vi.advanceTimersByTime(60_000)
  expect(store.addSignals).toHaveBeenCalledOnce()
})

test('answers without a signal are written with the next signal of their model, never alone', () => {
  const { labels, store, sums } = start()
  for (let nth = 0; nth < 5; nth += 1) labels.addUnmarked({ modelId: 'p:a', reading })
  labels.addUnmarked({ modelId: 'p:b', reading })
  vi.advanceTimersByTime(60_000)
  expect(store.addSignals).not.toHaveBeenCalled()
  labels.add({ ...signal, model: 'p:a' }, reading)
  vi.advanceTimersByTime(1_000)
  expect(sums()).toEqual([[{ modelId: 'p:a', good: 0.1, bad: 0.3, difficulty: 0.8 }]])
})

test('closing writes what is in memory', async () => {
  const { labels, sums } = start()
  labels.add({ ...signal, model: 'p:a' }, reading)
  await labels.close()
  expect(sums()).toEqual([[{ modelId: 'p:a', good: 0, bad: 0.3, difficulty: 0.6 }]])
})

test('a failed write is reported and loses only its signals', async () => {
  const { labels, store, errors, sums } = start()
  store.addSignals.mockRejectedValueOnce(new Error('full'))
  labels.add({ ...signal, model: 'p:a' }, reading)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(errors).toEqual([new Error('full')])
  labels.add({ ...signal, model: 'p:b' }, reading)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(sums()).toMatchObject([[{ modelId: 'p:b' }]])
})
