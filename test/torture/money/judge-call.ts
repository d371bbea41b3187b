/**
 * What a vendor bills for one request, which part of it Modelport can know, and the names of the rest. Nothing here uses
 * the code under test. Amounts are in nano-dollars.
 */
import { ticksToArrive, totalOf } from './answer-call.ts'
import type { Report } from './answer-events.ts'
import type { BilledCall } from './billed-call.ts'
import { searchNanoUsd, usFactor } from './billed-later.ts'

/** US dollars for a million tokens. */
export interface CallPrice {
  input: number
  cacheRead: number
  cacheWrite: number
  output: number
}

/** What the vendor bills and nobody can know on this side of the connection. */
export const unknowns = [
  'output in flight when the connection closed',
  'output made after the connection closed',
  'a whole answer that was cut off or unreadable',
  'hidden reasoning that no usage reported',
  'cache writes that no usage reported',
  'stored or linked text that no usage reported',
  'searches that no usage reported',
  'answers of best_of that no usage reported',
] as const
export type Unknown = (typeof unknowns)[number]

export interface Judged {
  billed: number
  knowable: number
  /** The most that an estimate may come to. */
  most: number
  /** The most that an estimate of what is linked may come to. */
  mostLinked: number
  unknown: Partial<Record<Unknown, number>>
}

export interface JudgeOptions {
  price: CallPrice
  /** Of the model: no prompt is longer. */
  contextTokens: number
  /** Tick at which the connection closed or the caller left. */
  goneTick: number
}

const nanoPerTokenAtOneUsd = 1_000

export function judge(call: BilledCall, { price: usual, ...options }: JudgeOptions): Judged {
  const price = call.tokens.isInUs ? inUs(usual) : usual
  const mostLinked = call.tokens.named > 0 ? atUsd(options.contextTokens, price.input) : 0
  const estimates = { most: mostOf(call, price), mostLinked }
  const shown = call.sent.reduce((sum, { tokens }) => sum + tokens, 0)
  const arrived = call.sent.filter(({ tick }) => options.goneTick - tick >= ticksToArrive)
  if (isUnbilled(call, shown)) {
    const isKnown = call.end === 'refused' && arrived.length > 0
    const most = isKnown ? { most: 0, mostLinked: 0 } : estimates
    return { billed: 0, knowable: 0, ...most, unknown: {} }
  }
  const made = madeTokens(call, shown)
  const billed =
    promptOf(call, price) + atUsd(made, price.output) + (made > 0 ? searchBill(call, price) : 0)
  const report = arrived.findLast((one) => one.report !== null)?.report ?? null
  const unknown = unknownOf(call, price, { made, shown, report, arrived })
  const knowable = billed - Object.values(unknown).reduce((sum, amount) => sum + amount, 0)
  if (isExact(call, report)) return { billed, knowable, most: billed, mostLinked: 0, unknown }
  return { billed, knowable, most: Math.max(billed, estimates.most), mostLinked, unknown }
}

/** Vectors may come in several parts, of which one failed: the whole is then estimated. */
function isExact(call: BilledCall, report: Report | null): boolean {
  const isWhole = call.end === 'answered' && call.form !== 'embeddings'
  return isWhole && report?.outputTokens === totalOf(call)
}

interface Arrived extends Pick<Output, 'made' | 'shown'> {
  /** The last that arrived. */
  report: Report | null
  arrived: BilledCall['sent']
}

function unknownOf(
  call: BilledCall,
  price: CallPrice,
  { made, shown, report, arrived }: Arrived,
): Judged['unknown'] {
  const known = report?.outputTokens ?? arrived.reduce((sum, { tokens }) => sum + tokens, 0)
  const isCounted = typeof report?.outputTokens === 'number'
  const unknown: Judged['unknown'] = report === null ? unreportedPrompt(call, price) : {}
  const searched = isCounted || made === 0 ? 0 : searchBill(call, price)
  unknown['searches that no usage reported'] = searched
  for (const [name, tokens] of rest(call, { made, shown, known, isCounted }))
    unknown[name] = (unknown[name] ?? 0) + atUsd(tokens, price.output)
  return unknown
}

function inUs({ input, cacheRead, cacheWrite, output }: CallPrice): CallPrice {
  return {
    input: input * usFactor,
    cacheRead: cacheRead * usFactor,
    cacheWrite: cacheWrite * usFactor,
    output: output * usFactor,
  }
}

/** The prompt as it is billed, without its text as input: what is behind a name, and what writing to a cache adds. */
function unreportedPrompt(call: BilledCall, price: CallPrice): Judged['unknown'] {
  const { prompt, named } = call.tokens
  const billed = promptOf(call, price)
  const unknown = billed - Math.min(billed, atUsd(prompt - named, price.input))
  const ofNamed = Math.min(unknown, atUsd(named, Math.max(price.input, price.cacheWrite)))
  return {
    'stored or linked text that no usage reported': ofNamed,
    'cache writes that no usage reported': unknown - ofNamed,
  }
}

function searchBill({ tokens: { searches, found } }: BilledCall, price: CallPrice): number {
  return searches * searchNanoUsd + atUsd(found, price.input)
}

/** Refusals, requests that were not read, and failures in place of an answer. */
function isUnbilled({ end }: BilledCall, shown: number): boolean {
  return end === 'refused' || end === 'unread' || (end === 'failed' && shown === 0)
}

function promptOf({ tokens: { prompt, cached, written } }: BilledCall, price: CallPrice): number {
  return (
    atUsd(prompt - cached - written, price.input) +
    atUsd(cached, price.cacheRead) +
    atUsd(written, price.cacheWrite)
  )
}

/** The output that the vendor made and bills, of all choices. */
function madeTokens(call: BilledCall, shown: number): number {
  const { vendor, plan, tokens, form, end } = call
  const total = totalOf(call)
  if (end === 'answered' || plan.fault === 'malformed') return form === 'embeddings' ? 0 : total
  // The server broke before it sent anything: whether the model had begun to write is not known.
  if (plan.fault === 'reset' || plan.fault === 'cut at its head') return 0
  const onLeave = form === 'stream' ? vendor.onLeave.stream : vendor.onLeave.whole
  if (end === 'failed' || (onLeave === 'stops' && form === 'stream')) {
    const hidden = shown > 0 ? tokens.hidden * tokens.choices : 0
    const written = (shown / tokens.returned) * tokens.choices
    const late = end === 'left' && shown > 0 ? plan.eventsAfterLeaving * plan.tokensPerEvent : 0
    return Math.min(total, hidden + written + late * tokens.choices)
  }
  return onLeave === 'finishes' ? total : 0
}

interface Output {
  made: number
  shown: number
  known: number
  /** Whether `known` is the vendor's own count. */
  isCounted: boolean
}

/** The tokens beyond the known ones, by name. */
function rest(call: BilledCall, { made, shown, known, isCounted }: Output): [Unknown, number][] {
  const { form, tokens } = call
  const unknown = Math.max(0, made - known)
  const hidden = isCounted ? 0 : Math.min(unknown, tokens.hidden * tokens.choices, made - shown)
  if (form !== 'stream' && known === 0)
    return [['a whole answer that was cut off or unreadable', unknown]]
  const inFlight = Math.min(unknown - hidden, Math.max(0, shown - known))
  const perReturned = (tokens.choices - tokens.returned) / tokens.returned
  const spare = isCounted ? 0 : Math.min(unknown - hidden - inFlight, shown * perReturned)
  return [
    ['hidden reasoning that no usage reported', hidden],
    ['output in flight when the connection closed', inFlight],
    ['answers of best_of that no usage reported', spare],
    ['output made after the connection closed', unknown - hidden - inFlight - spare],
  ]
}

/** Modelport counts 3.6 characters for a token and four tokens for a message; the mock four and three. */
function mostOf(call: BilledCall, price: CallPrice): number {
  const prompt = (call.tokens.prompt + call.tokens.found) * 1.3 + 40
  const output = totalOf(call) * 1.2 + call.tokens.choices + 1
  const fees = call.tokens.searches * searchNanoUsd
  return atUsd(prompt, Math.max(price.input, price.cacheWrite)) + atUsd(output, price.output) + fees
}

function atUsd(tokens: number, usdPerMtok: number): number {
  return tokens * usdPerMtok * nanoPerTokenAtOneUsd
}
