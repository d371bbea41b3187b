/** A recorded decision in plain sentences, written when a user asks and never on the request path. */
import { modelAt, qualityPoints } from './reason-words.ts'
import { formatQuality } from '../../shared/models/quality-words.ts'
import type { Domain } from '../../shared/app/domains.ts'
import { formatCount, formatDuration, formatGrams } from '../../shared/strings/format.ts'
import type {
  DecisionRecord,
  Estimate,
  FirstLook,
  RankParameters,
} from '../../shared/requests/detail.ts'
import {
  isMoved,
  type ForbiddenReason,
  type SessionChange,
  type StuckMark,
} from '../../shared/requests/session-change.ts'
import {
  difficultyLevel,
  easyDifficulty,
  logitOf,
  sigmoid,
} from '../../shared/models/quality-scale.ts'
import type { StrategyName } from '../../shared/routers/strategy-names.ts'
import { strategyProfiles } from '../../shared/routers/strategies.ts'
import type { Acceptance } from './acceptance.ts'
import { pacedContenders } from './order.ts'
import { strategies } from './strategies/index.ts'
import type { Contender } from './strategies/strategy.ts'

const domainInWords: Readonly<Record<Exclude<Domain, 'other'>, string>> = {
  chat_writing: 'chat and writing',
  code: 'code',
  maths_quant: 'maths',
  science_medical: 'science',
  law_business: 'law and business',
  humanities_social: 'humanities',
  extraction_transform: 'extraction',
}

const acceptanceInWords: Readonly<Record<Acceptance, string>> = {
  agree: 'both models agree',
  valid_json: 'it is valid JSON',
  tool_call_valid: 'its tool calls match their definitions',
  not_refused_not_cut_off: 'it is neither a refusal nor cut off',
  reads_only: 'it only reads',
}

export interface Explanation {
  /** Why the first model was first. */
  why: string
  /** The smallest change that would have put the second model first; null when no single change would. */
  flip: string | null
}

export function explain(record: DecisionRecord): Explanation {
  const accepted = record.cascade?.findIndex(({ outcome }) => outcome === 'accepted') ?? -1
  if (accepted !== -1) return byCascade(accepted, record)
  return explainOrder(record)
}

/** Explains a decision in which a tier's answer was used, so that the strategy's order played no part. */
function byCascade(tier: number, { cascade = [] }: DecisionRecord): Explanation {
  const { models = [], accept } = cascade[tier] ?? {}
  const check = accept === undefined ? '' : `: ${acceptanceInWords[accept]}`
  const why = `Attempt ${tier + 1} of the cascade (${models.join(' and ')}) passed its check${check}.`
  return { why, flip: null }
}

function explainOrder(record: DecisionRecord): Explanation {
  const { why, flip } = explainFirst(record)
  const [first] = record.ranked
  const cache = first && record.strategy !== 'pinned' ? cacheSentence(first.model, record) : null
  return cache === null ? { why, flip } : { why: `${why} ${cache}`, flip }
}

/** `About 21,000 tokens of the conversation are in its prompt cache; a change of model would have …` */
function cacheSentence(chosen: string, { warmCache, ranked }: DecisionRecord): string | null {
  const models = new Set(ranked.map(({ model }) => model))
  if (warmCache === undefined || models.size < 2) return null
  const { model, tokens, worthNanoUsd } = warmCache
  const cached = `About ${formatCount(tokens)} tokens of the conversation are in`
  return model === chosen
    ? `${cached} its prompt cache; a change of model would have thrown away ${usd(worthNanoUsd)}.`
    : `${cached} the prompt cache of ${model}; this change of model throws away ${usd(worthNanoUsd)}.`
}

function explainFirst(record: DecisionRecord): Explanation {
  const [first] = record.ranked
  if (!first) return { why: 'No model could take the request.', flip: null }
  if (record.strategy === 'pinned') return { why: 'The request named this model.', flip: null }
  const { strategy, parameters } = record
  // No strategy chooses a model for embeddings.
  if (parameters === null) return { why: 'The router’s first model for embeddings.', flip: null }
  const contenders = record.ranked.map(withEffortInName)
  if (contenders.length === 1) {
    const why =
      record.excluded.length === 0
        ? 'The router’s only model.'
        : 'The only model of the router that can take the request.'
    return { why, flip: null }
  }
  if (record.kept === 'session') return { why: 'You pinned this model to the session.', flip: null }
  const { kept, change } = record
  if (kept !== null)
    return { why: `Kept for the conversation: ${keptInWords(kept, change)}.`, flip: null }
  if (change !== undefined && isMoved(change)) return { why: changeInWords(change), flip: null }
  if (record.look !== undefined) return { why: lookSentence(record.look, record), flip: null }
  if (record.drawnWith !== null && record.drawnWith < 0.5) {
    return {
      why: 'Picked at random from the models that are good enough, to learn how good it is.',
      flip: null,
    }
  }
  const { keepsListOrder } = strategyProfiles[strategy]
  const { why, flip } = choiceInWords(strategy, contenders, parameters)
  const ofPrompt = keepsListOrder
    ? []
    : [promptSentence(record), difficultySentence(record, contenders)]
  const next = runnerUp(contenders, differenceOf(record))
  const freed = change === undefined ? null : `A free choice: ${changeReasons[change.rule]}.`
  const sentences = [freed, why, ...ofPrompt, next]
  return {
    why: sentences.filter((sentence) => sentence !== null).join(' '),
    flip,
  }
}

/** What the strategy says, by the qualities that it compared. Under pacing, they are not those that the dialog shows. */
function choiceInWords(
  strategy: StrategyName,
  contenders: readonly Contender[],
  parameters: RankParameters,
): Explanation {
  const { why, flip } = strategies[strategy]
  const paced = pacedContenders(contenders, parameters)
  if (paced === contenders || strategyProfiles[strategy].keepsListOrder) {
    return { why: `${why(contenders, parameters)}.`, flip: flip(contenders, parameters) }
  }
  const lost = qualityPoints(parameters.qualityPerUsd / 100)
  const pace = `Spending is ahead of the budget: each cent of expected cost counts as ${lost} less expected quality.`
  return { why: `${pace} After this deduction: ${why(paced, parameters)}.`, flip: null }
}

const keptReasons: Readonly<Record<NonNullable<DecisionRecord['kept']>, string>> = {
  tool: 'it called the tool whose result is in this request',
  near: 'it is about as good as the first choice',
  warm: 'its prompt cache is warm',
  agent: 'it answers this agent until it ends',
  session: 'you pinned it to the session',
}

const forbiddenInWords: Readonly<Record<ForbiddenReason, string>> = {
  open_calls: 'a call has no result yet',
  vendor_state: 'its vendor holds the conversation',
  vendor_tools: 'tools of its vendor are open',
  thinking: 'the turn must begin with the model’s own thinking',
  parameters: 'the other model does not take all parameters of the request',
  safeguards: 'the other vendor does not check actions',
}

function keptInWords(
  kept: NonNullable<DecisionRecord['kept']>,
  change: SessionChange | undefined,
): string {
  if (change?.forbidden === undefined) return keptReasons[kept]
  return `a change (${changeReasons[change.rule]}) is forbidden, because ${forbiddenInWords[change.forbidden]}`
}

const changeReasons: Readonly<Record<SessionChange['rule'], string>> = {
  start: 'the agent begins',
  compacted: 'the conversation was compacted',
  cold: 'its cache is cold',
  stuck: 'the turn is stuck',
  check_failed: 'your check failed after an edit',
  cheap_first: 'turns begin with the cheapest model until your check fails',
  saves: 'steps that only read are cheaper here',
  back: 'an edit or your message follows',
  gate: 'a cheaper model reads for the one that edits',
}

const stuckInWords: Readonly<Record<StuckMark, string>> = {
  repeat: 'a call came again',
  errors: 'four of ten results are errors',
  edits: '15 edits',
  long: 'more than 50 steps',
}

/** `Changed inside the session: … 3 steps save $0.0461, filling its cache costs $0.00690.` */
function changeInWords({ rule, mark, sums }: SessionChange): string {
  const of = mark === undefined ? '' : ` (${stuckInWords[mark]})`
  const why = `Changed inside the session: ${changeReasons[rule]}${of}.`
  if (sums === undefined) return why
  const { steps, savedNanoUsd, fillNanoUsd, lostNanoUsd } = sums
  const saved = steps === 0 ? '' : ` ${steps} steps save ${usd(steps * savedNanoUsd)}.`
  const cost = fillNanoUsd + lostNanoUsd
  return `${why}${saved}${cost === 0 ? '' : ` Filling caches costs ${usd(cost)}.`}`
}

/** `The prompt looks most like code (94 %).`; null when it was not read. */
function promptSentence({ reading }: DecisionRecord): string | null {
  const [likeliest] = reading?.domains ?? []
  if (!likeliest) return null
  const [domain, probability] = likeliest
  const likely = `(${Math.round(probability * 100)} %).`
  return domain === 'other'
    ? `The prompt is probably of no known kind ${likely}`
    : `The prompt looks most like ${domainInWords[domain]} ${likely}`
}

/**
 * `It looks hard: proof, formal maths; expected quality 44 of p:small, 79 of p:large.`; null for a prompt of usual
 * difficulty.
 */
function difficultySentence(
  { reading }: DecisionRecord,
  contenders: readonly Contender[],
): string | null {
  if (reading === null) return null
  const { difficulty, difficultyReasons } = reading
  const level = difficultyLevel(difficulty)
  if (level === 'usual') return null
  const reasons = difficultyReasons.length > 0 ? `: ${difficultyReasons.join(', ')}` : ''
  const expected = compared(contenders, difficulty)
    .toSorted((a, b) => a.estimate.quality - b.estimate.quality)
    .map(({ model, estimate }) => `${formatQuality(estimate.quality)} of ${model}`)
  return `It looks ${level}${reasons}; expected quality ${expected.join(', ')}.`
}

/** A model below this on easy prompts is no choice for any. */
const goodWhenEasy = 0.9

/** The chosen model, and the cheapest one that answers easy prompts well, or otherwise the best. */
function compared(contenders: readonly Contender[], difficulty: number): Contender[] {
  const [first] = contenders
  if (!first) return []
  const harder = difficulty - easyDifficulty
  const [cheapest] = contenders
    .filter(({ estimate }) => sigmoid(logitOf(estimate.quality) + harder) >= goodWhenEasy)
    .toSorted((a, b) => a.estimate.costNanoUsd - b.estimate.costNanoUsd)
  const [best] = contenders.toSorted((a, b) => b.estimate.quality - a.estimate.quality)
  const other = cheapest === undefined || cheapest === first ? best : cheapest
  return other === undefined || other === first ? [first] : [first, other]
}

/**
 * `A first look: it has 1 answer so far and may take 0.4 s. The strategy’s own choice, p:slow, is expected to take
 * 0.9 s.`
 */
function lookSentence(look: FirstLook, { strategy, ranked }: DecisionRecord): string {
  const { insteadOf, answers } = look
  const doesTo = figureInWords(strategy)
  const known = answers === 1 ? '1 answer' : `${answers} answers`
  const expected = ranked.find(({ model }) => model === insteadOf)?.estimate
  const own = `The strategy’s own choice is ${insteadOf}`
  const instead = expected ? `${own}, expected to ${doesTo(expected)}` : own
  return `A first look: the model has ${known} so far and may ${doesTo(look)}. ${instead}.`
}

type Figures = Pick<Estimate, 'costNanoUsd' | 'latencyMs' | 'micrograms'>

function figureInWords(strategy: DecisionRecord['strategy']): (figures: Figures) => string {
  const { saves, usesWeights } = comparison(strategy)
  if (saves === 'time') return ({ latencyMs }) => `take ${formatDuration(latencyMs)}`
  if (usesWeights) {
    return (one) => `cost ${usd(one.costNanoUsd)} and take ${formatDuration(one.latencyMs)}`
  }
  if (saves === 'grams') return ({ micrograms }) => `cause ${formatGrams(micrograms / 1e6)} of CO2e`
  return ({ costNanoUsd }) => `cost ${usd(costNanoUsd)}`
}

function comparison(strategy: DecisionRecord['strategy']) {
  const ofNone = { saves: 'money', usesWeights: false } as const
  return strategy === 'pinned' ? ofNone : strategyProfiles[strategy]
}

type Difference = (first: Estimate, second: Estimate) => string

function differenceOf({ strategy, parameters }: DecisionRecord): Difference {
  const { saves } = comparison(strategy)
  if (saves === 'time') return (...pair) => timeDifference(pair, parameters?.latencyPercentile)
  return saves === 'grams' ? carbonDifference : costDifference
}

function runnerUp([first, second]: readonly Contender[], difference: Difference): string | null {
  if (!first || !second) return null
  const differences = [
    difference(first.estimate, second.estimate),
    qualityDifference(first.estimate, second.estimate),
  ]
  return `The next, ${second.model}, ${differences.join(' ')}.`
}

const timeSourceInWords: Readonly<Record<Estimate['latencySource'], string>> = {
  learned: 'measured here',
  prior: 'from published figures',
  assumed: 'only assumed',
}

/** The difference of two times. Those of different sources cannot be compared exactly, so both are named. */
function timeDifference([first, second]: [Estimate, Estimate], percentile: 50 | 95 = 50): string {
  const timeOf = (one: Estimate) =>
    formatDuration(percentile === 95 ? one.latencyP95Ms : one.latencyMs)
  const often = percentile === 95 ? ' in 19 of 20 cases' : ''
  if (first.latencySource === second.latencySource) {
    return `would have taken ${timeOf(second)} instead of ${timeOf(first)}${often}`
  }
  const [firstSource, secondSource] = [first, second].map(
    (one) => timeSourceInWords[one.latencySource],
  )
  return `would have taken ${timeOf(second)} (${secondSource}) instead of ${timeOf(first)} (${firstSource})${often}`
}

function carbonDifference(first: Estimate, second: Estimate): string {
  const gramsOf = ({ micrograms }: Estimate) => formatGrams(micrograms / 1e6)
  const unknown = second.carbonMethod === 'unknown' ? ', its size being unpublished,' : ''
  return `would have caused${unknown} ${gramsOf(second)} of CO2e instead of ${gramsOf(first)}`
}

function costDifference(first: Estimate, second: Estimate): string {
  if (second.costNanoUsd === first.costNanoUsd) return 'would have cost the same'
  if (first.costNanoUsd === 0)
    return `would have cost ${usd(second.costNanoUsd)} instead of nothing`
  const times = second.costNanoUsd / first.costNanoUsd
  const percent = Math.round((times - 1) * 100)
  if (percent === 0) return 'would have cost the same'
  if (percent < 0) return `would have cost ${-percent} % less`
  return percent < 100
    ? `would have cost ${percent} % more`
    : `would have cost ${Number(times.toPrecision(2))} times as much`
}

function qualityDifference(first: Estimate, second: Estimate): string {
  const more = Math.round((second.quality - first.quality) * 1e4) / 1e4
  if (more === 0) return 'for the same expected quality'
  return `for ${qualityPoints(more)} ${more > 0 ? 'more' : 'less'} expected quality`
}

function usd(nanoUsd: number): string {
  return `$${(nanoUsd / 1e9).toPrecision(3)}`
}

function withEffortInName(contender: Contender): Contender {
  return { ...contender, model: modelAt(contender.model, contender.effort) }
}
