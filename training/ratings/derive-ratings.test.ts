/** Ratings from small tables in the form of the sources. */
import { expect, test } from 'vitest'
import { readArenaTable, type ArenaTable } from './arena.ts'
import { deriveRatings } from './derive-ratings.ts'
import { readLiveBench, type LiveBenchRelease } from './livebench.ts'
import { ratingsSchema, type Ratings } from './ratings.ts'

const tasks = { Reasoning: ['zebra_puzzle'], Coding: ['code_generation'], IF: ['summarize'] }
/** Models on the line: enough that a figure of another one does not bend it. */
const others = Object.fromEntries(
  Array.from({ length: 400 }, (_, place) => [`other-${place}`, 30 + place / 10]),
)
/** The line of every release here, from the share of points. */
const pointsOfShare = (percent: number) => 1400 + 50 * Math.log(percent / (100 - percent))

function arenaOf(models: Record<string, number>, halfWidth = 4): ArenaTable {
  const fill = Object.entries(others).map(([name, share]) => [name, pointsOfShare(share)] as const)
  const rows = [...fill, ...Object.entries(models)].map((row) => [...row, halfWidth].join(','))
  return readArenaTable(['model,full,full_hw', ...rows].join('\n'), '2026-07-14')
}

/** One figure for all tasks, or one for each. */
function releaseOf(
  rows: Record<string, number | [number, number, number]>,
  { release = '2026-06-25', cost = null }: { release?: string; cost?: string | null } = {},
): LiveBenchRelease {
  const lines = Object.entries({ ...others, ...rows }).map(([name, figures]) =>
    [name, ...(typeof figures === 'number' ? [figures, figures, figures] : figures)].join(','),
  )
  const table = ['model,zebra_puzzle,code_generation,summarize', ...lines].join('\n')
  return readLiveBench({ release, table, categories: tasks, cost })
}

function derive(arena: ArenaTable, liveBench: readonly LiveBenchRelease[]): Ratings {
  const ratings = deriveRatings({ arena, liveBench })
  expect(ratingsSchema.parse(ratings)).toEqual(ratings)
  return ratings
}

test('a release’s scores become points by the line through the models of both sources', () => {
  const models = derive(arenaOf({}), [releaseOf({ 'kimi-k3': 80 })])

  expect(models['kimi-k3']?.rating).toMatchObject({
    points: Math.round(pointsOfShare(80)),
    strength: 15,
    effort: 'high',
    basis: 'measured',
    source: 'LiveBench, release 2026-06-25',
    asOf: '2026-06-25',
  })
})

test('a model of both sources has the mean of both, and the strength of LMArena', () => {
  const models = derive(arenaOf({ 'minimax-m3': 1500 }), [releaseOf({ 'minimax-m3': 50 })])

  expect(models['MiniMax-M3']?.rating).toMatchObject({
    points: 1450,
    strength: 25,
    source:
      'LMArena (arena.ai), text leaderboard with style control, 2026-07-14; LiveBench, release 2026-06-25',
    asOf: '2026-07-14',
  })
  expect(models['MiniMax-M3']?.rating.halfWidth).toBeLessThan(10)
})

test('LMArena’s figure of a model with few votes has less strength', () => {
  const models = derive(arenaOf({ 'qwen3.7-plus': 1460 }, 9), [])

  expect(models['qwen3.7-plus']?.rating).toMatchObject({ points: 1460, halfWidth: 9, strength: 10 })
})

test('a rating stands for the default effort: it moves along the source that has both', () => {
  const rows = { 'gpt-5.4-mini': 40, 'gpt-5.4-mini-high': 70 }
  const models = derive(arenaOf({ 'gpt-5.4-mini-high': 1449 }), [releaseOf(rows)])
  const gap = pointsOfShare(70) - pointsOfShare(40)

  expect(models['gpt-5.4-mini']?.rating).toMatchObject({
    effort: 'none',
    strength: 25,
    points: Math.round((Math.round(1449 - gap) + Math.round(pointsOfShare(40))) / 2),
  })
})

test('without such a source it moves as models usually do', () => {
  const rows = { 'gpt-5-mini': 50, 'gpt-5-mini-high': 60 }
  const models = derive(arenaOf({ 'gpt-5-high': 1434 }), [releaseOf(rows)])
  const step = pointsOfShare(60) - pointsOfShare(50)

  expect(models['gpt-5']?.rating).toMatchObject({
    effort: 'medium',
    points: Math.round(1434 - step),
    strength: 15,
  })
})

test('a figure several efforts away is left out where another source has the effort itself', () => {
  const rows = { 'gemini-3.1-flash-lite-preview-high': 70 }
  const models = derive(arenaOf({ 'gemini-3.1-flash-lite-preview': 1433 }), [releaseOf(rows)])

  expect(models['gemini-3.1-flash-lite']?.rating).toMatchObject({
    points: 1433,
    effort: 'minimal',
    source: expect.not.stringContaining('LiveBench'),
  })
})

test('a bare name is the model without thinking where the source lists it with thinking too', () => {
  const models = derive(
    arenaOf({ 'deepseek-v4-flash': 1420, 'deepseek-v4-flash-thinking': 1440 }),
    [releaseOf({})],
  )

  expect(models['deepseek-v4-flash']?.rating).toMatchObject({ points: 1440, effort: 'high' })
  expect(models['deepseek-v4-flash']?.efforts).toMatchObject([
    { effort: 'none', points: 1420, outputRatio: 1 },
    { effort: 'high', points: 1440 },
  ])
})

test('of several efforts in one source three are kept, one of them the default', () => {
  const rows = {
    'gpt-5.4-nano': 40,
    'gpt-5.4-nano-low': 50,
    'gpt-5.4-nano-medium': 55,
    'gpt-5.4-nano-high': 60,
    'gpt-5.4-nano-xhigh': 65,
  }
  const models = derive(arenaOf({}), [releaseOf(rows)])

  expect(models['gpt-5.4-nano']?.efforts.map(({ effort }) => effort)).toEqual([
    'none',
    'medium',
    'high',
  ])
})

test('an effort has the mean of both sources, as the default effort has', () => {
  const models = derive(arenaOf({ 'gpt-5.2': 1435, 'gpt-5.2-high': 1437 }), [
    releaseOf({ 'gpt-5.2-2025-12-11-nothinking': 50, 'gpt-5.2-2025-12-11-high': 80 }),
  ])

  expect(models['gpt-5.2']?.efforts).toMatchObject([
    { effort: 'none', points: Math.round((1435 + 1400) / 2) },
    { effort: 'high', points: Math.round((1437 + Math.round(pointsOfShare(80))) / 2) },
  ])
})

test('a successor takes its predecessor’s rating, marked and with a low strength', () => {
  const models = derive(arenaOf({ 'mistral-small-2506': 1358 }), [])

  expect(models['mistral-small-2603']?.rating).toMatchObject({
    points: 1358,
    strength: 5,
    basis: 'sibling',
    source: expect.stringMatching(/^that of mistral-small-2506: LMArena/),
  })
})

test('a smaller model of a family has 40 points less for each halving', () => {
  const models = derive(arenaOf({ 'ministral-8b-2410': 1237 }), [])
  const points = (size: string) => models[`ministral-${size}-2512`]?.rating.points

  expect([points('14b'), points('8b'), points('3b')]).toEqual([1269, 1237, 1180])
  expect(models['ministral-3b-2512']?.rating.source).toMatch(/^that of .* less 57 for its size/)
})

test('a source that rates the model itself ends the sibling’s rating', () => {
  const models = derive(arenaOf({ 'mistral-small-2506': 1358, 'mistral-small-2603': 1390 }), [])

  expect(models['mistral-small-2603']?.rating).toMatchObject({
    points: 1390,
    basis: 'measured',
    strength: 25,
  })
})

test('a model that no source rates has no rating', () => {
  expect(derive(arenaOf({}), [releaseOf({})])).toEqual({})
})

test('topics of a category differ by three tenths of what the category differs', () => {
  const rows = { 'kimi-k3': [50, 80, 50] as [number, number, number] }
  const models = derive(arenaOf({}), [releaseOf(rows)])
  const residual = (Math.log(4) * 2) / 3
  const offsets = models['kimi-k3']?.rating.offsets

  expect(offsets?.code_writing).toBeCloseTo(0.3 * residual, 1)
  expect(offsets?.logic_puzzles).toBeCloseTo((-0.3 * residual) / 2, 1)
  expect(offsets).not.toHaveProperty('trivia')
})

const cost = [
  'model,avg_output_tokens,out_zebra_puzzle,out_summarize,out_javascript',
  'grok-build-0.1,980,300,100,16000',
  'gpt-5.4-nano-xhigh,46000,30000,4100,400000',
  'glm-5.2,23000,3000,1000,90000',
].join('\n')

test('an answer is as much longer as LiveBench counted on the tasks with little reasoning', () => {
  const rows = { 'gpt-5.4-nano': 40, 'gpt-5.4-nano-xhigh': 65, 'glm-5.2': 60 }
  const models = derive(arenaOf({}), [releaseOf(rows, { cost })])
  const [none, highest] = models['gpt-5.4-nano']?.efforts ?? []

  expect(models['glm-5.2']?.rating.outputRatio).toBe(10)
  expect(none).toMatchObject({ effort: 'none', outputRatio: 1 })
  // 41 and 100 times as much as without reasoning: a tenth of the way from the lesser.
  expect(highest).toMatchObject({ effort: 'xhigh', outputRatio: 46.9 })
})
