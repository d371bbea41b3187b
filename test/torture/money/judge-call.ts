/**
 * What a vendor bills for one request, which part of it Modelport can know, and the names of the rest. Nothing here uses
 * the code under test. Amounts are in nano-dollars.
 */
import { ticksToArrive, totalOf } from './answer-call.ts'
import type { BilledCall } from './billed-call.ts'

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
] as const
export type Unknown = (typeof unknowns)[number]

export interface Judged {
  billed: number
  knowable: number
  /** The most that an estimate may come to. */
  most: number
  unknown: Partial<Record<Unknown, number>>
}

export interface JudgeOptions {
  price: CallPrice
  /** Tick at which the connection closed or the caller left. */
  goneTick: number
}

const nanoPerTokenAtOneUsd = 1_000

export function judge(call: BilledCall, { price, goneTick }: JudgeOptions): Judged {
  const most = mostOf(call, price)
  const shown = call.sent.reduce((sum, { tokens }) => sum + tokens, 0)
  const arrived = call.sent.filter(({ tick }) => goneTick - tick >= ticksToArrive)
  if (isUnbilled(call, shown)) {
    const isKnown = call.end === 'refused' && arrived.length > 0
    return { billed: 0, knowable: 0, most: isKnown ? 0 : most, unknown: {} }
  }
  const report = arrived.findLast((one) => one.report !== null)?.report ?? null
  const prompt = promptOf(call, price)
  const knownPrompt =
    report === null ? Math.min(prompt, atUsd(call.tokens.prompt, price.input)) : prompt
  const made = madeTokens(call, shown)
  const known = report?.outputTokens ?? arrived.reduce((sum, { tokens }) => sum + tokens, 0)
  const parts = rest(call, {
    made,
    shown,
    known,
    isCounted: typeof report?.outputTokens === 'number',
  })
  const unknown: Judged['unknown'] = { 'cache writes that no usage reported': prompt - knownPrompt }
  for (const [name, tokens] of parts)
    unknown[name] = (unknown[name] ?? 0) + atUsd(tokens, price.output)
  const billed = prompt + atUsd(made, price.output)
  const knowable = billed - Object.values(unknown).reduce((sum, amount) => sum + amount, 0)
  // Vectors may come in several parts, of which one failed: the whole is then estimated.
  const isWhole = call.end === 'answered' && call.form !== 'embeddings'
  const isExact = isWhole && report?.outputTokens === totalOf(call)
  return { billed, knowable, most: isExact ? billed : Math.max(billed, most), unknown }
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
    const late = end === 'left' && shown > 0 ? plan.eventsAfterLeaving * plan.tokensPerEvent : 0
    return Math.min(total, hidden + shown + late * tokens.choices)
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
  return [
    ['hidden reasoning that no usage reported', hidden],
    ['output in flight when the connection closed', inFlight],
    ['output made after the connection closed', unknown - hidden - inFlight],
  ]
}

/** Modelport counts 3.6 characters for a token and four tokens for a message; the mock four and three. */
function mostOf(call: BilledCall, price: CallPrice): number {
  const prompt = call.tokens.prompt * 1.3 + 40
  const output = totalOf(call) * 1.2 + call.tokens.choices + 1
  return atUsd(prompt, Math.max(price.input, price.cacheWrite)) + atUsd(output, price.output)
}

function atUsd(tokens: number, usdPerMtok: number): number {
  return tokens * usdPerMtok * nanoPerTokenAtOneUsd
}
