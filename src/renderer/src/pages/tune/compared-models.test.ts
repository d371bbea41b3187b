import { expect, test } from 'vitest'
import type { Interval, TuningModelResult } from '../../../../shared/tuning/tuning-run.ts'
import { compareModels, meanChange, qualityChange, summaryOf } from './compared-models.ts'

function graded(
  model: string,
  quality: Interval | null,
  over: Partial<TuningModelResult> = {},
): TuningModelResult {
  return {
    model,
    all: { prompts: 100, quality },
    expected: 0.5,
    domains: [],
    grades: [],
    costUsd: 0.001,
    latencyMs: 900,
    outputTokens: 100,
    cut: 0,
    failed: 0,
    ownFamily: 0,
    ...over,
  }
}

const around = (mean: number, half = 0.05): Interval => ({
  low: mean - half,
  mean,
  high: mean + half,
})

test('a difference is shown only where the intervals do not overlap', () => {
  const models = compareModels(
    [graded('better', around(0.4)), graded('worse', around(0.9)), graded('same', around(0.7))],
    [graded('better', around(0.62)), graded('worse', around(0.5)), graded('same', around(0.78))],
  )
  expect(models.map((one) => [one.model, qualityChange(one.change)])).toEqual([
    ['same', 'no difference shown'],
    ['better', '+22 points'],
    ['worse', '−40 points'],
  ])
  expect(summaryOf(models)).toBe(
    'B against A: 1 model better, 1 worse, 1 with no difference shown.',
  )
})

test('a model that only one run asked, or that has no grade, has no difference and comes last', () => {
  const models = compareModels(
    [graded('gone', around(0.9)), graded('both', around(0.3)), graded('ungraded', around(0.4))],
    [graded('new', around(0.8)), graded('both', around(0.3)), graded('ungraded', null)],
  )
  expect(models.map(({ model }) => model)).toEqual(['both', 'gone', 'new', 'ungraded'])
  expect(models.map(({ change }) => qualityChange(change))).toEqual([
    'no difference shown',
    '—',
    '—',
    '—',
  ])
  expect(models.map(({ earlier, later }) => [earlier !== null, later !== null])).toEqual([
    [true, true],
    [true, false],
    [false, true],
    [true, true],
  ])
  expect(summaryOf(compareModels([graded('gone', around(0.9))], []))).toBe(
    'No model has grades in both runs.',
  )
})

test('costs and durations have their change', () => {
  const [one] = compareModels(
    [graded('a', around(0.5))],
    [graded('a', around(0.5), { costUsd: 0.0015, latencyMs: null })],
  )
  expect(one && meanChange('usd', one)).toBe('+$0.0005')
  expect(one && meanChange('ms', one)).toBe('—')
})

test('kinds of prompts with grades in both runs are compared, too', () => {
  const inDomains = (code: Interval, other: Interval | null) =>
    graded('a', around(0.5), {
      domains: [
        { domain: 'code', prompts: 12, quality: code },
        { domain: 'maths_quant', prompts: 12, quality: other },
      ],
    })
  const [one] = compareModels([inDomains(around(0.2), around(0.5))], [inDomains(around(0.6), null)])
  expect(one?.domains.map(({ domain, change }) => [domain, qualityChange(change)])).toEqual([
    ['code', '+40 points'],
  ])
})
