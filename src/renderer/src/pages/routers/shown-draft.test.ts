import { expect, test } from 'vitest'
import type { ReplayReport } from '../../../../shared/routers/replay.ts'
import { toRouterTexts, type RouterTexts } from './router-texts.ts'
import { draftOf, shownDraft } from './use-what-if.ts'

const band = { low: 1, mid: 1, high: 1 }
const figures = { costUsd: 1, latencyMs: 1, carbonGrams: 1, quality: 1 }
const none = { failed: 0, pinned: 0, from_cache: 0, cascade: 0, embeddings: 0, not_recorded: 0 }
const report: ReplayReport = {
  strategy: 'priority',
  requests: 1,
  replayed: 1,
  skipped: { ...none, no_model: 0 },
  changed: 1,
  actual: figures,
  expected: { costUsd: band, latencyMs: band, carbonGrams: band, quality: band },
  latencyP95Ms: { actual: 1, expected: 1 },
  models: [{ model: 'p:a', actual: 1, expected: 1 }],
  isCut: false,
}
const saved = toRouterTexts({ name: 'Shop', strategy: 'balanced', models: ['p:a', 'q:b'] })
const replayOf = (texts: RouterTexts) => ({
  question: { draft: draftOf(texts), saved: null, period: { newest: 200 } },
  report,
  base: null,
  error: null,
  isLoading: false,
})
const shownFor = (texts: RouterTexts) => shownDraft(replayOf(texts), texts, saved)

test('a draft that chooses other models is drawn on the charts', () => {
  expect(shownFor({ ...saved, strategy: 'priority' })).toMatchObject({ chosenMost: 'p:a' })
  expect(shownFor({ ...saved, 'routing.localOnly': true })).not.toBeNull()
})

test.each([
  ['nothing', saved],
  ['the limits', { ...saved, dailyLimit: '100' }],
  ['how long content is kept', { ...saved, 'routing.contentDays': '7' }],
  ['fallback to another model', { ...saved, 'routing.fallback': !saved['routing.fallback'] }],
] as const)('a draft that changes %s is not drawn on the charts', (_what, texts) => {
  expect(shownFor(texts)).toBeNull()
})

test('the replay of an earlier draft is not drawn', () => {
  const texts = { ...saved, strategy: 'priority' as const }
  const earlier = replayOf({ ...saved, strategy: 'cost_optimized' })
  expect(shownDraft(earlier, texts, saved)).toBeNull()
  expect(shownDraft(undefined, texts, saved)).toBeNull()
})
