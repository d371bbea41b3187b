/**
 * Bar 9: what Modelport expects a session to cost, step by step before each answer, against what its vendor charged for
 * the reported tokens. Prompt and answer have their real lengths, so that the figure is about the cache and its prices.
 */
import { costNanoUsd, priceRow } from '../../src/service/catalog/cost.ts'
import { loadCatalog } from '../../src/service/catalog/catalog.ts'
import { findCatalogModel } from '../../src/service/catalog/whose-models.ts'
import { ConversationMemory } from '../../src/service/chat/learning/conversation-memory.ts'
import { cacheRuleOf } from '../../src/service/routing/cache-rules.ts'
import { expectedCostNanoUsd } from '../../src/service/routing/expected-cost.ts'
import {
  cachedTokens,
  cacheFlow,
  chargesForWriting,
} from '../../src/service/routing/prompt-cache.ts'
import { candidate } from '../../test/routing/sample-candidates.ts'
import type { Candidate, LastAnswer } from '../../src/service/routing/candidate.ts'
import type { Measurement } from '../measurement.ts'
import { quantile } from '../quantile.ts'
import { ModelChance } from './chance.ts'
import type { RecordedSession, RecordedStep, SessionSet } from './recorded.ts'

const mostError = 0.05

const leastWithin = 90
const tried =
  'tried were the first read of the last agent of the same model as forecast, the mean share of the cache and a longer memory of it, ' +
  'the state of the step before, and whole blocks of the cache. docs/benchmarks.md has their figures.'

export function costBars(sets: readonly SessionSet[]): Measurement[] {
  return sets.flatMap(({ name, sessions }) => {
    const clock = { nowMs: 0 }
    // One memory for all, as in a running service: what a vendor without promise reads is learnt over sessions.
    const memory = new ConversationMemory(() => clock.nowMs)
    const costs = sessions.map((session) => costsOf(session, memory, clock))
    const sumOf = (field: 'expected' | 'charged') => costs.reduce((sum, one) => sum + one[field], 0)
    const within = shareWithin(costs)
    const bound = shareWithin(boundOf(costs))
    if (within < leastWithin) process.stdout.write(`bar 9, ${name}, missed: ${tried}\n`)
    const what = `bar 9, ${name}: sessions with an estimate within 5 % (${sessions.length})`
    return [
      {
        what,
        unit: '%',
        measured: within,
        target: { atLeast: leastWithin },
        baseline: { what: 'if the losses were known, and fell at random', value: bound },
      },
      told(`bar 9, ${name}: median error of a session`, 100 * quantile(costs.map(errorOf), 0.5)),
      {
        what: `bar 9, ${name}: error of all sessions together`,
        unit: '%',
        measured: 100 * Math.abs(sumOf('expected') / sumOf('charged') - 1),
        target: { atMost: 5 },
      },
      ...causeLines(name, costs),
    ]
  })
}

/** What makes an estimate wrong. `lost`: less was read than the cache held; `found`: more than is known of it. */
type Cause = 'first' | 'lost' | 'found'

interface SessionCost {
  id: string
  expected: number
  charged: number
  /** Nano-dollars that each cause changed. */
  causes: Record<Cause, number>
  /** Of each step with something in the cache: what it costs above its estimate per token that is not read. */
  steps: { cached: number; read: number; perToken: number }[]
}

const causeWords: Record<Cause, string> = {
  first: 'the first prompt was in the cache already',
  lost: 'the vendor read less than its cache held',
  found: 'the vendor read more than is known',
}

/** The worst ten sessions of a set, by their largest cause. */
function causeLines(name: string, costs: readonly SessionCost[]): Measurement[] {
  const wrong = costs.filter((one) => errorOf(one) > mostError)
  const shares = (['first', 'lost', 'found'] as const).flatMap((cause) => {
    const count = wrong.filter((one) => largestOf(one) === cause).length
    return count === 0
      ? []
      : [told(`bar 9, ${name}: wrong because ${causeWords[cause]}`, (100 * count) / costs.length)]
  })
  const worst = wrong.toSorted((a, b) => errorOf(b) - errorOf(a)).slice(0, 10)
  const listed = worst.map((one) =>
    told(
      `bar 9, ${name}, ${one.id.slice(0, 40)}: ${causeWords[largestOf(one)]}`,
      100 * errorOf(one),
    ),
  )
  return [...shares, ...listed]
}

function largestOf({ causes }: SessionCost): Cause {
  const { first, lost, found } = causes
  if (first >= lost && first >= found) return 'first'
  return lost >= found ? 'lost' : 'found'
}

function errorOf({ expected, charged }: Pick<SessionCost, 'expected' | 'charged'>): number {
  return Math.abs(expected / charged - 1)
}

function shareWithin(costs: readonly Pick<SessionCost, 'expected' | 'charged'>[]): number {
  return (100 * costs.filter((one) => errorOf(one) <= mostError).length) / costs.length
}

/**
 * The same sessions if each step's share of what it read of its cache were drawn from all steps, and its mean were known
 * beforehand: no estimate can do better where losses fall at random.
 */
function boundOf(costs: readonly SessionCost[]): Pick<SessionCost, 'expected' | 'charged'>[] {
  const chance = new ModelChance(3)
  const shares = costs.flatMap(({ steps }) => steps.map(({ read, cached }) => read / cached))
  const mean = shares.reduce((sum, share) => sum + share, 0) / Math.max(1, shares.length)
  return costs.map(({ charged, steps }) => {
    const actual = steps.reduce((sum, one) => sum - one.read * one.perToken, 0)
    const drawn = steps.reduce((sum, one) => {
      const share = shares[Math.floor(chance.next() * shares.length)] ?? mean
      return sum - share * one.cached * one.perToken
    }, 0)
    const known = steps.reduce((sum, one) => sum - mean * one.cached * one.perToken, 0)
    const rest = charged - actual
    return { charged: rest + drawn, expected: rest + known }
  })
}

const catalog = loadCatalog()
const candidates = new Map<string, Candidate>()

export function candidateOf(modelId: string): Candidate {
  const known = candidates.get(modelId)
  if (known !== undefined) return known
  const price = findCatalogModel(catalog, modelId)
  if (price === null) throw new Error(`the catalogue has no ${modelId}`)
  const found = candidate({ modelId, price })
  candidates.set(modelId, found)
  return found
}

function costsOf(
  { id, steps }: RecordedSession,
  memory: ConversationMemory,
  clock: { nowMs: number },
): SessionCost {
  const startMs = clock.nowMs
  const cost: SessionCost = {
    id,
    charged: 0,
    expected: 0,
    causes: { first: 0, lost: 0, found: 0 },
    steps: [],
  }
  for (const step of steps) {
    const model = candidateOf(step.modelId)
    clock.nowMs = startMs + step.startedMs
    const lastAnswer = memory.lastAnswerOf(id)
    const { promptTokens, outputTokens, readTokens } = step
    const flow = cacheFlow(model, promptTokens, {
      lastAnswer,
      writesCache: () => chargesForWriting(model.price),
    })
    const expected = expectedCostNanoUsd(model.price, { ...flow, promptTokens, outputTokens })
    const charged = chargeOf(model, step)
    cost.expected += expected
    cost.charged += charged
    const isFirst = lastAnswer === null
    const cause = isFirst ? 'first' : readTokens < flow.cachedTokens ? 'lost' : 'found'
    cost.causes[cause] += Math.abs(charged - expected)
    const held = heldTokens(step, lastAnswer)
    if (held > 0) {
      const read = Math.min(readTokens, held)
      cost.steps.push({ cached: held, read, perToken: readValue(model, promptTokens) })
    }
    clock.nowMs = startMs + step.endedMs
    memory.answered(id, answerOf(model, step))
  }
  return cost
}

/** What the vendor would read if it lost nothing. */
function heldTokens(
  { modelId, promptTokens }: RecordedStep,
  lastAnswer: LastAnswer | null,
): number {
  if (lastAnswer === null) return 0
  const { readShare: _share, ...whole } = lastAnswer
  return cachedTokens({ modelId, effort: null }, promptTokens, whole)
}

/** Nano-dollars that reading a token saves. */
function readValue({ price }: Candidate, promptTokens: number): number {
  const row = priceRow(price, promptTokens)
  const write = chargesForWriting(price) ? row.cacheWriteUsdPerMtok : null
  return ((write ?? row.inputUsdPerMtok) - (row.cacheReadUsdPerMtok ?? row.inputUsdPerMtok)) * 1e3
}

function chargeOf({ price }: Candidate, step: RecordedStep): number {
  const { promptTokens, readTokens, writtenTokens, outputTokens } = step
  return costNanoUsd(price, {
    inputTokens: promptTokens - readTokens - writtenTokens,
    cacheReadTokens: readTokens,
    cacheWriteTokens: writtenTokens,
    outputTokens,
  })
}

function answerOf(model: Candidate, { promptTokens, readTokens, writtenTokens }: RecordedStep) {
  const { modelId } = model
  const { isPromised, lifetimeMs } = cacheRuleOf(model)
  if (!isPromised) return { modelId, promptTokens, readTokens }
  return { modelId, promptTokens, cachedTokens: readTokens + writtenTokens, lifetimeMs }
}

function told(what: string, measured: number): Measurement {
  return { what, unit: '%', measured, target: null }
}
