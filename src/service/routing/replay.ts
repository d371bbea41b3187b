/**
 * Estimates what requests of the ledger would have cost under other settings, with the same order function
 * and the recorded estimates. A request that keeps its model keeps its actual figures. For another model,
 * they follow from both models' estimates and the actual figures. Because the other model never received the request,
 * they stay estimates, with a range from resampling the requests.
 */
import { isMoved } from '../../shared/requests/session-change.ts'
import { modelAt } from './reason-words.ts'
import type { RequestRecord } from '../../shared/entities.ts'
import type { StrategyName } from '../../shared/routers/strategy-names.ts'
import type { Band, ReplayFigures, ReplayReport, ReplaySkip } from '../../shared/routers/replay.ts'
import type {
  DecisionRecord,
  Estimate,
  LossAccount,
  RankParameters,
  RequestDetail,
  TierRecord,
} from '../../shared/requests/detail.ts'
import { putFirst, whyKept } from './keep-model.ts'
import { afterChoice } from './loss-account.ts'
import { order } from './order.ts'
import { Resamples } from './resamples.ts'
import type { Contender } from './strategies/strategy.ts'

export interface ReplayedRow {
  record: Pick<
    RequestRecord,
    'status' | 'modelUsed' | 'costNanoUsd' | 'latencyMs' | 'carbonGrams' | 'cachedFrom'
  >
  detail: Pick<RequestDetail, 'decision' | 'tokens'>
}

export interface ReplayRule {
  strategy: StrategyName
  parameters: RankParameters
  /** The models that could have taken a request under other settings; absent: those that could then. */
  contendersOf?(decision: DecisionRecord): readonly Contender[]
  /** Whether conversations may stay with their model; absent: as recorded. */
  isSticky?: boolean
}

/**
 * Adds rows individually, in any order. It remembers two numbers of each. An account that these decisions did not
 * record is opened, and moves with the rows.
 */
export class Replay {
  readonly #rule: ReplayRule
  readonly #actual = new Resamples(figureNames.length)
  readonly #expected = new Resamples(figureNames.length)
  readonly #models = new Map<string, { actual: number; expected: number }>()
  readonly #skipped: Record<ReplaySkip, number> = {
    failed: 0,
    pinned: 0,
    from_cache: 0,
    cascade: 0,
    embeddings: 0,
    not_recorded: 0,
    no_model: 0,
  }
  readonly #latencies: { actual: number[]; expected: number[] } = { actual: [], expected: [] }
  #requests = 0
  #changed = 0
  #account: LossAccount | null

  constructor(rule: ReplayRule) {
    this.#rule = rule
    this.#account = rule.parameters.account
  }

  add(row: ReplayedRow): void {
    this.#requests += 1
    const parameters = { ...this.#rule.parameters, account: this.#account }
    const replayed = replayRow(row, { ...this.#rule, parameters })
    if (typeof replayed === 'string') {
      this.#skipped[replayed] += 1
      return
    }
    const { used, chosen, actual, expected, account } = replayed
    this.#account = account
    if (used !== chosen) this.#changed += 1
    this.#modelOf(used).actual += 1
    this.#modelOf(chosen).expected += 1
    this.#actual.add(figureNames.map((name) => actual[name]))
    this.#expected.add(figureNames.map((name) => expected[name]))
    this.#latencies.actual.push(actual.latencyMs)
    this.#latencies.expected.push(expected.latencyMs)
  }

  report(): Omit<ReplayReport, 'isCut'> {
    const actual = this.#actual.bands()
    const expected = this.#expected.bands()
    return {
      strategy: this.#rule.strategy,
      requests: this.#requests,
      replayed: this.#actual.count,
      skipped: { ...this.#skipped },
      changed: this.#changed,
      actual: toFigures((name, index) => this.#summed(name, actual[index]).mid),
      expected: toFigures((name, index) => this.#summed(name, expected[index])),
      latencyP95Ms: {
        actual: percentile95(this.#latencies.actual),
        expected: percentile95(this.#latencies.expected),
      },
      models: [...this.#models]
        .map(([model, counts]) => ({ model, ...counts }))
        .toSorted((a, b) => b.expected - a.expected || (a.model < b.model ? -1 : 1)),
    }
  }

  /** The total of a figure: a sum of money and grams, a mean of the others. */
  #summed(name: FigureName, mean: Band = nothing): Band {
    const times = name === 'costUsd' || name === 'carbonGrams' ? this.#actual.count : 1
    return { low: mean.low * times, mid: mean.mid * times, high: mean.high * times }
  }

  #modelOf(model: string): { actual: number; expected: number } {
    const known = this.#models.get(model) ?? { actual: 0, expected: 0 }
    this.#models.set(model, known)
    return known
  }
}

type FigureName = keyof ReplayFigures<number>
const figureNames: readonly FigureName[] = ['costUsd', 'latencyMs', 'carbonGrams', 'quality']
const nothing: Band = { low: 0, mid: 0, high: 0 }

function percentile95(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.ceil(sorted.length * 0.95) - 1] ?? 0
}

function toFigures<Figure>(
  figureOf: (name: FigureName, index: number) => Figure,
): ReplayFigures<Figure> {
  return {
    costUsd: figureOf('costUsd', 0),
    latencyMs: figureOf('latencyMs', 1),
    carbonGrams: figureOf('carbonGrams', 2),
    quality: figureOf('quality', 3),
  }
}

export interface ReplayedRequest {
  used: string
  chosen: string
  actual: ReplayFigures<number>
  expected: ReplayFigures<number>
  /** The rule's account after the request; unchanged where the recorded one decided. */
  account: LossAccount | null
}

/** One request under other settings, or why it cannot be replayed. */
export function replayRow(
  { record, detail }: ReplayedRow,
  rule: ReplayRule,
): ReplayedRequest | ReplaySkip {
  if (record.status >= 400 || record.modelUsed === null) return 'failed'
  if (record.cachedFrom !== null) return 'from_cache'
  const { decision } = detail
  if (decision.strategy === 'pinned') return 'pinned'
  // No strategy chooses their model.
  if (decision.needs.includes('embeddings')) return 'embeddings'
  // Its cost is that of several models, and no strategy chose the one that answered.
  if (decision.cascade?.some(wasAsked)) return 'cascade'
  const recorded = decision.ranked
  const used = recorded.find(({ model }) => model === record.modelUsed)
  if (!used || decision.parameters === null) return 'not_recorded'
  const choice = firstUnder(rule, decision, { recorded, used })
  if (!choice) return 'no_model'
  const { chosen, account } = choice
  const actual = {
    costUsd: record.costNanoUsd / 1e9,
    latencyMs: record.latencyMs,
    carbonGrams: record.carbonGrams,
    quality: used.estimate.quality,
  }
  const isSame = chosen.model === used.model && chosen.effort === used.effort
  const expected = isSame ? actual : asAnswered(chosen, used, { actual, detail })
  return { used: used.model, chosen: chosen.model, actual, expected, account }
}

function wasAsked({ outcome }: TierRecord): boolean {
  return outcome === 'accepted' || outcome === 'not_accepted'
}

/** The model that would have answered: one that failed before, or was skipped, could not. */
function firstUnder(
  rule: ReplayRule,
  decision: DecisionRecord,
  { recorded, used }: { recorded: readonly Contender[]; used: Contender },
): { chosen: Contender; account: LossAccount | null } | null {
  const { strategy } = rule
  const before = recorded.slice(0, recorded.indexOf(used))
  const unavailable = new Set(before.map(({ model }) => model).filter((one) => one !== used.model))
  const contenders = rule.contendersOf?.(decision) ?? recorded
  const parameters = parametersFor(decision, rule.parameters, areSame(contenders, recorded))
  const ranked = order(contenders, strategy, parameters)
  const inOrder = inKeptOrder(ranked, decision, { ...rule, parameters })
  const chosen = inOrder.find(({ model }) => !unavailable.has(model))
  if (!chosen) return null
  const { account } = rule.parameters
  const isOwn = account !== null && parameters.account === account
  return {
    chosen,
    account: isOwn
      ? afterChoice(account, { among: ranked, chosen, paced: parameters.qualityPerUsd })
      : account,
  }
}

/** Parameters then: the price of quality by the budget, or by the account with the same models and rule. */
function parametersFor(
  { parameters: recorded }: DecisionRecord,
  rule: RankParameters,
  hasSameModels: boolean,
): RankParameters {
  const paced = { ...rule, qualityPerUsd: recorded?.qualityPerUsd ?? 0 }
  const isSameRule = hasSameModels && recorded?.limitEachPrompt === rule.limitEachPrompt
  if (rule.account === null || !isSameRule) return paced
  return { ...paced, account: recorded.account ?? rule.account }
}

function areSame(contenders: readonly Contender[], recorded: readonly Contender[]): boolean {
  if (contenders === recorded) return true
  const nameOf = ({ model, effort }: Contender) => modelAt(model, effort)
  const names = new Set(recorded.map(nameOf))
  return contenders.length === recorded.length && contenders.every((one) => names.has(nameOf(one)))
}

/** The contenders with the recorded first model first, where it was kept for its conversation, looked at or drawn. */
function inKeptOrder(
  ranked: readonly Contender[],
  { ranked: [first], strategy: recordedStrategy, kept, drawnWith, look, change }: DecisionRecord,
  { strategy, parameters, isSticky = true }: ReplayRule,
): readonly Contender[] {
  if (!first) return ranked
  const isOther = look !== undefined || (drawnWith !== null && drawnWith < 0.5)
  const isDrawn = isOther && strategy === recordedStrategy
  const options = { strategy, parameters, isToolPending: kept === 'tool', isSticky }
  const isKept = kept !== null && whyKept(first.model, ranked, options) !== null
  const isOfSession = kept === 'session' || kept === 'warm' || kept === 'agent' || isMoved(change)
  const stays = isDrawn || isOfSession || isKept
  return stays ? putFirst(first.model, ranked) : ranked
}

interface ComparedRequest {
  actual: ReplayFigures<number>
  detail: ReplayedRow['detail']
}

/** The other model's figures for this request: the actual figures, scaled by the ratio of the estimates. */
function asAnswered(
  { estimate }: Contender,
  { estimate: was }: Contender,
  { actual, detail: { tokens, decision } }: ComparedRequest,
): ReplayFigures<number> {
  const promptTokens = tokens.input + (tokens.cacheRead ?? 0) + (tokens.cacheWrite ?? 0)
  const outputTokens = tokens.output + (tokens.reasoning ?? 0)
  return {
    costUsd: costUsd(estimate, {
      prompts: ratio(promptTokens, decision.promptTokens),
      // The other model's answer is longer or shorter in the same ratio as its usual answers.
      answers: ratio(outputTokens, was.outputTokens),
    }),
    latencyMs: actual.latencyMs * ratio(estimate.latencyMs, was.latencyMs),
    carbonGrams: actual.carbonGrams * ratio(estimate.micrograms, was.micrograms),
    quality: estimate.quality,
  }
}

function costUsd(
  { costNanoUsd, promptNanoUsd }: Estimate,
  times: { prompts: number; answers: number },
): number {
  const answerNanoUsd = costNanoUsd - promptNanoUsd
  return (promptNanoUsd * times.prompts + answerNanoUsd * times.answers) / 1e9
}

/** Ratio of two figures; 1 when the second is 0. */
function ratio(one: number, other: number): number {
  return other === 0 ? 1 : one / other
}
