import { expect, test } from 'vitest'
import type { Band, ReplayReport } from '../../../../shared/routers/replay.ts'
import { changeNote, changeSentence, changesOf } from './what-if-words.ts'

const band = (mid: number): Band => ({ low: mid, mid, high: mid })

/** A hundred requests, of which the draft sends half to another model. */
function report(expected: { cost: number; p95: number; grams: number; quality: number }) {
  const given: ReplayReport = {
    strategy: 'balanced',
    requests: 100,
    replayed: 100,
    skipped: {
      failed: 0,
      pinned: 0,
      from_cache: 0,
      cascade: 0,
      embeddings: 0,
      not_recorded: 0,
      no_model: 0,
    },
    changed: 50,
    actual: { costUsd: 1, latencyMs: 1_000, carbonGrams: 100, quality: 0.8 },
    expected: {
      costUsd: band(expected.cost),
      latencyMs: band(1_000),
      carbonGrams: band(expected.grams),
      quality: band(expected.quality),
    },
    latencyP95Ms: { actual: 2_000, expected: expected.p95 },
    models: [],
    isCut: true,
  }
  return given
}

/** What the saved settings are estimated to do. */
const saved = report({ cost: 1, p95: 2_000, grams: 100, quality: 0.8 })

test('the sentence names quality, cost, p95 and emissions per request', () => {
  const changes = changesOf(report({ cost: 0.62, p95: 2_120, grams: 60, quality: 0.76 }), saved)
  expect(changeSentence(changes)).toBe(
    '−4 quality, −38 % cost, +120 ms p95, −0.4 g CO₂e per request',
  )
  expect(changes.quality).toEqual({ text: '−4', tone: 'worse' })
})

test('figures that stay the same are left out', () => {
  const changes = changesOf(report({ cost: 1, p95: 1_500, grams: 100, quality: 0.8 }), saved)
  expect(changeSentence(changes)).toBe('−500 ms p95')
  expect(changes.latency.tone).toBe('better')
})

test('a draft without any effect says so', () => {
  const changes = changesOf(report({ cost: 1, p95: 2_000, grams: 100, quality: 0.8 }), saved)
  expect(changeSentence(changes)).toBe('no change')
})

test('from free requests the change of cost is an amount, not a percentage', () => {
  const given = { p95: 2_000, grams: 100, quality: 0.8 }
  const changes = changesOf(report({ ...given, cost: 0.5 }), report({ ...given, cost: 0 }))
  expect(changes.cost).toEqual({ text: '+$0.005', tone: 'worse' })
})

test('a note has the same figures in less room, and none without requests', () => {
  const given = report({ cost: 0.62, p95: 2_120, grams: 60, quality: 0.76 })
  expect(changeNote(given, saved)).toBe('−4 quality · −38 % cost · +120 ms p95 · −0.4 g CO₂e')
  expect(changeNote({ ...given, replayed: 0 }, saved)).toBeUndefined()
})

test('the saved strategy is no change, even where its estimate differs from the record', () => {
  const base = report({ cost: 1.04, p95: 2_200, grams: 110, quality: 0.79 })
  expect(changeNote(base, base)).toBe('no change')
})
