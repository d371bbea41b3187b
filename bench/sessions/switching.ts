/** Bars 5, 7, 8 and 15: what changes of the model inside sessions cost, by list prices and the product's own decisions. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { AgentMemory } from '../../src/service/chat/sessions/agent-memory.ts'
import { GateMeasures } from '../../src/service/chat/sessions/gate-measures.ts'
import type { Candidate } from '../../src/service/routing/candidate.ts'
import { sampleRouter } from '../../test/storage/samples.ts'
import type { Measurement } from '../measurement.ts'
import { quantile } from '../quantile.ts'
import { ModelChance } from './chance.ts'
import { candidateOf } from './cost-estimate.ts'
import type { SessionSet } from './recorded.ts'
import { playSession, simulatedAsker, type Play, type Played } from './simulated-session.ts'

const alone: Play['rules'] = {
  keepsWarm: true,
  escalateWhenStuck: false,
  checkCommand: null,
  stepDown: false,
}
const down = { ...alone, stepDown: true }
const unkept = { ...alone, keepsWarm: false }

const opus = 'anthropic:claude-opus-5-5'
const haiku = 'anthropic:claude-haiku-5-5'
/** Dearer and cheaper model whose prices are two times apart. */
const nearPairs = [
  [opus, 'anthropic:claude-sonnet-5-5'],
  ['openai:gpt-5.6-sol', 'openai:gpt-5.6-terra'],
] as const

export function switchBars(sets: readonly SessionSet[]): Measurement[] {
  return [
    ...sets.flatMap((set) => nearPairs.flatMap((pair) => nearBars(set, pair))),
    ...sets.flatMap(turnBars),
    ...sets.flatMap(gateBars),
    ...sets.flatMap(spendingBars),
    ...sets.slice(-1).flatMap(timeBars),
    memoryBar(),
  ]
}

interface PlayedSet {
  played: Played[]
  strong: Played[]
}

function playAll(
  { sessions }: SessionSet,
  [strong, cheap]: readonly [string, string],
  play: Partial<Play>,
): PlayedSet {
  const models = { strong: sessionModel(strong), cheap: sessionModel(cheap) }
  const base: Play = { ...models, stepsForOne: 1.3, rules: alone, choice: 'strong' }
  return {
    played: sessions.map((one, nth) => playSession(one, { ...base, ...play }, nth + 1)),
    strong: sessions.map((one, nth) => playSession(one, base, nth + 1)),
  }
}

/** Long enough for every session. */
function sessionModel(modelId: string): Candidate {
  return { ...candidateOf(modelId), contextTokens: 1_000_000 }
}

function nearBars(set: SessionSet, pair: readonly [string, string]): Measurement[] {
  const all = playAll(set, pair, { rules: down })
  const ratios = all.played.map((one, nth) => one.costNanoUsd / (all.strong[nth]?.costNanoUsd ?? 1))
  const mean = ratios.reduce((total, one) => total + one, 0) / ratios.length
  const what = `bar 5, ${set.name}, ${pair.map(shortName).join(' / ')}`
  return [
    bar(`${what}: cost ÷ dearer model alone, mean`, mean, 1.005),
    bar(`${what}: dearest session`, Math.max(...ratios), 1.02),
  ]
}

/** A choice at each place where the cache is cold against a coin for each session, at the same share of edits. */
function turnBars(set: SessionSet): Measurement[] {
  const pair = [opus, haiku] as const
  const cheap = ratioOf(playAll(set, pair, { choice: 'cheap', stepsForOne: 1.3 }))
  const coinAt = (share: number) => 1 - share * (1 - cheap)
  const above = (all: PlayedSet) => ratioOf(all) - coinAt(editShare(all.played))
  const cold = playAll(set, pair, { choice: 'drawn' })
  const turns = playAll(set, pair, { choice: 'drawn', rules: unkept })
  const what = `bar 7, ${set.name}`
  const isWithTurns = set.sessions.some(({ steps }) => steps.slice(1).some((one) => one.startsTurn))
  if (!isWithTurns) return []
  const range = rangeOf(cold, above)
  return [
    {
      ...bar(
        `${what}: cost of choosing where the cache is cold, above a coin (${range})`,
        above(cold),
        0.03,
      ),
      baseline: { what: 'choosing at every turn', value: above(turns) },
      ...(set.name === 'generated' ? {} : { target: null }),
    },
    told(`${what}: edits by the cheaper model`, 100 * editShare(cold.played), '%'),
  ]
}

function spendingBars(set: SessionSet): Measurement[] {
  const pair = [opus, haiku] as const
  const plays: Partial<Play>[] = [1.3, 1.8].flatMap((stepsForOne) => [
    { rules: down, stepsForOne },
    { gates: new GateMeasures(), stepsForOne },
  ])
  const shares = plays.flatMap((play) =>
    playAll(set, pair, play).played.map(
      ({ switchNanoUsd, costNanoUsd }) => (100 * switchNanoUsd) / costNanoUsd,
    ),
  )
  const rule = playAll(set, pair, { rules: down })
  const cheap = sessionModel(haiku)
  const { cacheReadUsdPerMtok: _read, ...unknown } = cheap.price
  const withoutPrice = { ...cheap, price: { ...unknown, tiers: [] } }
  const blind = playAll(set, pair, { rules: down, cheap: withoutPrice })
  const what = `bar 8, ${set.name}`
  return [
    { ...bar(`${what}: most of a session spent on changes`, Math.max(...shares), 40), unit: '%' },
    bar(`${what}: changes without a price`, sum(blind.played, 'changes'), 0),
    told(
      `${set.name}, Opus / Haiku 5.5, down inside the loop: cost ÷ Opus alone (${rangeOf(rule, ratioOf)})`,
      ratioOf(rule),
    ),
    told(`${set.name}, down inside the loop: edits by Haiku`, 100 * editShare(rule.played), '%'),
  ]
}

/** Bar 6: cost ÷ the dearer model alone, by set; with a true ratio of 1.8 that is found, one bound for all. */
const gateBounds: Readonly<Record<string, number>> = {
  'mini-swe-gemini3pro': 0.75,
  'claude-code': 0.92,
  generated: 0.88,
}

function gateBars(set: SessionSet): Measurement[] {
  const pair = [opus, haiku] as const
  const usual = playAll(set, pair, { gates: new GateMeasures() })
  const slow = playAll(set, pair, { gates: new GateMeasures(), stepsForOne: 1.8 })
  const what = `bar 6, ${set.name}, gate on the answer`
  return [
    bar(
      `${what}: cost ÷ Opus alone (${rangeOf(usual, ratioOf)})`,
      ratioOf(usual),
      gateBounds[set.name] ?? 1,
    ),
    bar(`${what}, 1.8 steps for one: cost ÷ Opus alone`, ratioOf(slow), 1.03),
    bar(`${what}: edits by Haiku`, sum(usual.played, 'editsOfCheap'), 0),
  ]
}

function timeBars(set: SessionSet): Measurement[] {
  const { played } = playAll(set, [opus, haiku], { rules: { ...down, checkCommand: 'npm test' } })
  const times = played.flatMap(({ tookMs }) => tookMs)
  return [
    { ...bar('bar 15, time of a decision, p50', quantile(times, 0.5), 0.3), unit: 'ms' },
    { ...bar('bar 15, time of a decision, p99', quantile(times, 0.99), 2), unit: 'ms' },
  ]
}

const agents = 2_000

/** Agents with a long turn each, without the conversations themselves. */
function memoryBar(): Measurement {
  const memory = new AgentMemory(() => 0)
  const router = sampleRouter()
  const collect = garbageCollector()
  // What becomes garbage with the first collection is freed by the next.
  for (let time = 0; time < 3; time += 1) collect()
  const before = process.memoryUsage().heapUsed
  for (let nth = 0; nth < agents; nth += 1) {
    const call = (place: number) => ({
      role: 'assistant',
      content: null,
      tool_calls: [
        {
          id: `call_${place}`,
          type: 'function' as const,
          function: { name: 'Read', arguments: `${place}` },
        },
      ],
    })
    const results = (place: number) => [
      call(place),
      { role: 'tool', tool_call_id: `call_${place}`, content: 'Error: nothing' },
    ]
    const messages = [
      { role: 'user', content: 'Do it.' },
      ...Array.from({ length: 80 }, (_, place) => results(place)).flat(),
    ]
    const session = `00000000-0000-4000-8000-${String(nth).padStart(12, '0')}`
    const asker = { ...simulatedAsker, session }
    memory.stateFor({ apiKeyId: 'key', asker, body: { messages }, router })?.progress.newMarks()
  }
  collect()
  const bytes = (process.memoryUsage().heapUsed - before) / agents
  // Still in use, so that nothing of it was collected before.
  memory.clock()
  return { ...bar('bar 15, memory of a live agent', bytes / 1_024, 2), unit: 'kB' }
}

function garbageCollector(): () => void {
  setFlagsFromString('--expose-gc')
  // Checked boundary: the flag gives a new context this function.
  return runInNewContext('gc') as () => void
}

function ratioOf({ played, strong }: PlayedSet): number {
  return sum(played, 'costNanoUsd') / sum(strong, 'costNanoUsd')
}

function editShare(played: readonly Played[]): number {
  return sum(played, 'editsOfCheap') / Math.max(1, sum(played, 'edits'))
}

function sum(played: readonly Played[], field: Exclude<keyof Played, 'tookMs'>): number {
  return played.reduce((total, one) => total + one[field], 0)
}

/** The 95 % interval by resampling sessions, in words. */
function rangeOf({ played, strong }: PlayedSet, of: (all: PlayedSet) => number): string {
  const chance = new ModelChance(7)
  const figures = Array.from({ length: 400 }, () => {
    const drawn = played.map(() => Math.floor(chance.next() * played.length))
    const pick = (list: readonly Played[]) => drawn.flatMap((nth) => list[nth] ?? [])
    return of({ played: pick(played), strong: pick(strong) })
  })
  return `95 %: ${quantile(figures, 0.025).toFixed(3)} to ${quantile(figures, 0.975).toFixed(3)}`
}

function shortName(modelId: string): string {
  return modelId.slice(modelId.indexOf(':') + 1)
}

function bar(what: string, measured: number, atMost: number): Measurement {
  return { what, unit: '', measured, target: { atMost } }
}

function told(what: string, measured: number, unit = ''): Measurement {
  return { what, unit, measured, target: null }
}
