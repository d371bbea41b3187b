/** A decision is stored completely and compactly. */
import { expect, test } from 'vitest'
import { sampleDetail } from '../../../../test/storage/samples.ts'
import type { RequestDetail } from '../../../shared/requests/detail.ts'
import { sampleEstimate } from '../../../../test/routing/sample-candidates.ts'
import { detailFromText, detailToText } from './detail-text.ts'

const { decision } = sampleDetail()
const ranked = Array.from({ length: 12 }, (_, position) => ({
  model: `openai:gpt-5.4-nano-${position}`,
  position,
  reason: null,
  estimate: sampleEstimate({ quality: 0.8 + position / 1e4, costNanoUsd: 123_456 + position }),
}))
const excluded = {
  model: 'groq:llama',
  position: 12,
  code: 'lacks_capability',
  reason: 'does not support tools',
  estimate: sampleEstimate({ carbonMethod: 'unknown', latencySource: 'learned' }),
}
const detail = sampleDetail({ decision: { ...decision, ranked, excluded: [excluded] } })

const packedFigures = [0.05, 250, 1e6, 1e5, 3e6, 2000, 4000, 1e4, 4e4, 9e4, 0, 1, 0]
const packedRanked = [
  ['a:c', 1, 'stayed', 0.8, ...packedFigures],
  ['a:d', 2, null, 0.7, ...packedFigures],
]
const packedExcluded = [['a:e', 3, 'small', 'too_small', 0.6, ...packedFigures]]

/** Every value is different, so that no two can be swapped unnoticed. */
const distinct: RequestDetail = {
  client: 'curl/8.5.0',
  tokenSource: 'estimated',
  tokens: { input: 1, cacheRead: 2, cacheWrite: 3, output: 4, reasoning: 5 },
  price: {
    inputUsdPerMtok: 6,
    outputUsdPerMtok: 7,
    cacheReadUsdPerMtok: 8,
    cacheWriteUsdPerMtok: 9,
    source: 'litellm',
    asOf: '2026-11-21',
  },
  carbon: { lowGrams: 0.0020572184910782523, highGrams: 11, method: 'modelled' },
  attempts: [
    {
      model: 'a:b',
      startedMs: 12,
      tookMs: 13,
      outcome: 'timeout',
      status: 504,
      message: 'too late',
    },
    { model: 'a:c', startedMs: 14, tookMs: 15.5, outcome: 'answered', status: null, message: null },
  ],
  signals: [{ name: 'format', model: 'a:c', label: 0, weight: 0.3 }],
  decision: {
    strategy: 'balanced',
    promptTokens: 16,
    maxOutputTokens: 17,
    isStreamed: true,
    needs: ['tools', 'vision'],
    parameters: {
      qualityTolerance: 0.18,
      limitEachPrompt: true,
      account: { choices: 31, qualityPerMeanCost: 0.32, meanCostUsd: 0.33 },
      weights: { cost: 19, latency: 20, carbon: 21 },
      latencyPercentile: 95,
      qualityPerUsd: 22,
    },
    reading: {
      domains: [['code', 0.9]],
      topics: [['code_editing', 0.8]],
      confidence: 0.7,
      difficulty: -1,
      difficultyReasons: [],
    },
    ranked: [
      { model: 'a:c', position: 1, reason: 'stayed', estimate: sampleEstimate() },
      { model: 'a:d', position: 2, reason: null, estimate: sampleEstimate({ quality: 0.7 }) },
    ],
    excluded: [
      {
        model: 'a:e',
        position: 3,
        code: 'too_small',
        reason: 'small',
        estimate: sampleEstimate({ quality: 0.6 }),
      },
    ],
    kept: 'tool',
    drawnWith: 0.25,
    warmCache: { model: 'a:f', tokens: 23, worthNanoUsd: 24 },
    look: { insteadOf: 'a:g', answers: 25, costNanoUsd: 26, latencyMs: 27, micrograms: 28 },
    change: {
      rule: 'saves',
      from: 'a:h',
      sums: { steps: 29, savedNanoUsd: 30, fillNanoUsd: 31, lostNanoUsd: 32 },
    },
    adjusted: [{ parameter: 'top_k', change: 'left_out', reason: 'not taken' }],
    cascade: [
      { models: ['a:b'], accept: 'valid_json', outcome: 'not_accepted', reason: 'no JSON' },
    ],
  },
}

const absent = sampleDetail({
  client: null,
  tokenSource: 'none',
  price: null,
  carbon: null,
  attempts: [],
  decision: { ...decision, strategy: 'pinned', parameters: null, reading: null, ranked: [] },
})

const awkward = 'a "quoted" \\ back\nslash\r\u2028\u0000 \u{1F980} Grüße, \ud800'

const awkwardWords = sampleDetail({
  client: awkward,
  attempts: [
    { model: awkward, startedMs: 0, tookMs: 1, outcome: 'failed', status: 500, message: awkward },
  ],
  decision: { ...decision, excluded: [{ ...excluded, model: awkward, reason: awkward }] },
})

const atTwoEfforts = sampleDetail({
  decision: {
    ...decision,
    ranked: ranked.flatMap((one) => [{ ...one, effort: 'high' }, one]),
    excluded: [{ ...excluded, effort: 'low' }],
  },
})

test.each([
  ['of twelve models', detail],
  ['with a different value everywhere', distinct],
  ['without any optional value', absent],
  ['with quotes, newlines and invalid characters', awkwardWords],
  ['with a model at two efforts', atTwoEfforts],
])('a detail %s is read as it was written', (_name, written) => {
  expect(detailFromText(detailToText(written))).toEqual(written)
})

test('values keep their original positions', () => {
  expect(detailToText(distinct)).toBe(
    [
      '["curl/8.5.0","estimated",1,2,3,4,5,6,7,8,9,"litellm","2026-11-21"',
      '0.0020572184910782523,11,"modelled"',
      '[["a:b",12,13,"timeout",504,"too late"],["a:c",14,15.5,"answered",null,null]]',
      '"balanced",16,17,true,["tools","vision"],0.18,19,20,21,95,22',
      '{"domains":[["code",0.9]],"topics":[["code_editing",0.8]],"confidence":0.7,"difficulty":-1,"difficultyReasons":[]}',
      JSON.stringify(packedRanked),
      JSON.stringify(packedExcluded),
      '"tool",0.25,[{"parameter":"top_k","change":"left_out","reason":"not taken"}]',
      '[{"models":["a:b"],"accept":"valid_json","outcome":"not_accepted","reason":"no JSON"}]',
      '[["format","a:c",0,0.3]],["a:f",23,24],["a:g",25,26,27,28],[1,31,0.32,0.33]',
      '{"rule":"saves","from":"a:h","sums":{"steps":29,"savedNanoUsd":30,"fillNanoUsd":31,"lostNanoUsd":32}}]',
    ].join(','),
  )
})

test('takes at most half a kB for one model and 1.8 kB for twelve', () => {
  expect(detailToText(sampleDetail()).length).toBeLessThan(512)
  expect(detailToText(detail).length).toBeLessThan(1_800)
})

test('does not read an invalid number as a number', () => {
  const text = detailToText({ ...detail, tokens: { ...detail.tokens, input: Number.NaN } })
  expect(() => detailFromText(text)).toThrow(/tokens/)
})
