/** A recorded decision in a person's words, made when somebody asks and never on the request path. */
import type { Domain } from '../../shared/domains.ts'
import type { DecisionRecord, Estimate } from '../../shared/request-detail.ts'
import type { Acceptance } from './acceptance.ts'
import { strategies } from './strategies/index.ts'
import type { Contender } from './strategies/strategy.ts'

const domainInWords: Readonly<Record<Domain, string>> = {
  chat_writing: 'chat and writing',
  code: 'code',
  maths_quant: 'maths',
  science_medical: 'science',
  law_business: 'law and business',
  humanities_social: 'humanities',
  extraction_transform: 'extraction',
  other: 'other',
}

const acceptanceInWords: Readonly<Record<Acceptance, string>> = {
  agree: 'both agree on',
  valid_json: 'is valid JSON',
  tool_call_valid: 'calls its tools as they are defined',
  not_refused_not_cut_off: 'is neither a refusal nor cut off',
}

export interface Explanation {
  /** Why the first was first. */
  why: string
  /** What would have put the second first; null where nothing single would. */
  flip: string | null
}

export function explain(record: DecisionRecord): Explanation {
  const accepted = record.cascade?.findIndex(({ outcome }) => outcome === 'accepted') ?? -1
  if (accepted !== -1) return byCascade(accepted, record)
  return explainOrder(record)
}

/** A tier's answer was given: the order of the strategy had no part in it. */
function byCascade(tier: number, { cascade = [] }: DecisionRecord): Explanation {
  const { models = [], accept } = cascade[tier] ?? {}
  const check = accept === undefined ? '' : acceptanceInWords[accept]
  const why = `Try ${tier + 1} of the router’s cascade, ${models.join(' and ')}, gave an answer that ${check}.`
  return { why, flip: null }
}

function explainOrder(record: DecisionRecord): Explanation {
  const [first] = record.ranked
  if (!first) return { why: 'No model could take the request.', flip: null }
  if (record.strategy === 'pinned') return { why: 'The request named this model.', flip: null }
  const { strategy, parameters } = record
  const contenders = estimated(record.ranked)
  if (parameters === null || contenders.length === 0) return legacy(first.reason)
  if (contenders.length === 1) {
    const others =
      record.excluded.length === 0
        ? 'it is the router’s only model'
        : 'no other model can take the request'
    return { why: `Chosen because ${others}.`, flip: null }
  }
  if (record.kept !== null) {
    const why = record.kept === 'tool' ? 'its tool was called' : 'it is about as good as the first'
    return { why: `Kept for the conversation: ${why}.`, flip: null }
  }
  if (record.drawnWith !== null && record.drawnWith < 0.5) {
    return { why: 'Drawn at random among those good enough, to learn how good it is.', flip: null }
  }
  const { why, flip } = strategies[strategy]
  return {
    why: `Chosen because it is ${why(contenders, parameters)}${forPrompts(record)}.${runnerUp(contenders)}`,
    flip: flip(contenders, parameters),
  }
}

function legacy(reason: string | null): Explanation {
  return {
    why: reason === null ? 'No reason was recorded.' : `Chosen because: ${reason}.`,
    flip: null,
  }
}

/** " for code prompts (probability 0.94)" */
function forPrompts({ reading }: DecisionRecord): string {
  const [likeliest] = reading?.domains ?? []
  if (!likeliest) return ''
  const [domain, probability] = likeliest
  return ` for ${domainInWords[domain]} prompts (probability ${probability.toFixed(2)})`
}

function runnerUp([first, second]: readonly Contender[]): string {
  if (!first || !second) return ''
  const differences = [
    costDifference(first.estimate, second.estimate),
    qualityDifference(first.estimate, second.estimate),
  ]
  return ` The next, ${second.model}, ${differences.join(' ')}.`
}

function costDifference(first: Estimate, second: Estimate): string {
  if (first.costNanoUsd === second.costNanoUsd) return 'would have cost the same'
  if (first.costNanoUsd === 0)
    return `would have cost ${usd(second.costNanoUsd)} instead of nothing`
  const times = second.costNanoUsd / first.costNanoUsd
  return times > 1
    ? `would have cost ${times.toPrecision(2)} times as much`
    : `would have cost ${Math.round((1 - times) * 100)} % less`
}

function qualityDifference(first: Estimate, second: Estimate): string {
  const more = Math.round((second.quality - first.quality) * 1e4) / 1e4
  if (more === 0) return 'for the same expected quality'
  return `for ${Math.abs(more)} ${more > 0 ? 'more' : 'less'} expected quality`
}

function usd(nanoUsd: number): string {
  return `$${(nanoUsd / 1e9).toPrecision(3)}`
}

/** Those with figures: rows of older versions have none. */
export function estimated(ranked: DecisionRecord['ranked']): Contender[] {
  return ranked.flatMap(({ model, position, estimate }) =>
    estimate === null ? [] : [{ model, position, estimate }],
  )
}
