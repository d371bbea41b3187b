/**
 * Checks the answers of a cascade's tier before one of them is used. The checks find unusable answers, not
 * wrong ones: they see only the text.
 */
import {
  contentText,
  type ChatCompletion,
  type ChatRequest,
  type CompletionMessage,
} from '../../shared/chat/chat.ts'
import type { acceptances } from '../../shared/routers/routing-settings.ts'

/** `reads_only` is the check of a session's gate, and no choice of a person. */
export type Acceptance = (typeof acceptances)[number] | 'reads_only'

export type Choice = ChatCompletion['choices'][number]

export interface AcceptanceContext {
  body: Pick<ChatRequest, 'n' | 'tools' | 'response_format'>
  /** Whether a value matches a JSON Schema of the request. */
  matchesSchema(schema: unknown, value: unknown): boolean
  /** Whether the answer does nothing but call tools that read or check. */
  readsOnly(choice: Choice): boolean
}

/** Most characters of compared texts. Longer ones use different words even when they agree. */
const longestComparedText = 200
/** Numbers with more digits would lose precision and compare as equal. */
const mostExactDigits = 15

/** Why no answer to this request can be checked; null when it can. */
export function whyNotApplicable(
  accept: Acceptance,
  body: AcceptanceContext['body'],
): string | null {
  if (accept === 'agree' && (body.n ?? 1) > 1) return 'several answers are not compared'
  if (accept === 'tool_call_valid' && (body.tools ?? []).length === 0)
    return 'the request has no tools'
  return null
}

/**
 * Why the tier's first answer is not used; null when it is. The reason does not quote the answer.
 * @param answers  the choices of each model of the tier, in its order: two for `agree`, otherwise one
 */
export function whyNotAccepted(
  accept: Acceptance,
  answers: readonly (readonly Choice[])[],
  judging: AcceptanceContext,
): string | null {
  if (accept === 'agree') return whyNotAgreed(answers)
  const check = checks[accept]
  const choices = answers.flat()
  if (choices.length === 0) return 'there is no answer'
  for (const choice of choices) {
    const reason = check(choice, judging)
    if (reason !== null) return reason
  }
  return null
}

const checks: Record<
  Exclude<Acceptance, 'agree'>,
  (choice: Choice, judging: AcceptanceContext) => string | null
> = {
  valid_json: whyNotJson,
  tool_call_valid: whyNotCalled,
  not_refused_not_cut_off: whyNotWhole,
  reads_only: (choice, { readsOnly }) =>
    readsOnly(choice) ? whyNotWhole(choice) : 'the answer does more than read',
}

// ---- two answers that agree ----------------------------------------------------------------------

function whyNotAgreed(answers: readonly (readonly Choice[])[]): string | null {
  const forms = answers.map(([choice]) => choice && normalForm(choice.message))
  const [first] = forms
  if (forms.some((form) => form === undefined)) return 'there is no answer'
  if (forms.some((form) => form === null)) return 'an answer is empty or too long to be compared'
  return forms.every((form) => form === first) ? null : 'the answers differ'
}

/**
 * A normal form that is equal for answers that agree: for tool calls, names and arguments; for JSON, its
 * values in any member order; for a short text, its words and numbers without case, emphasis and final
 * punctuation. Null when there is nothing to compare or the text is too long.
 */
function normalForm({ content, refusal, tool_calls: calls = [] }: CompletionMessage) {
  if (calls.length > 0) {
    const called = calls.map(({ function: of, custom }) =>
      of ? [of.name, jsonForm(of.arguments)] : [custom?.name, custom?.input],
    )
    return `calls ${JSON.stringify(called)}`
  }
  const text = contentText(content).trim()
  if (text === '' || refusal) return null
  if (/^[[{]/.test(text) && parseJson(text) !== undefined) return `json ${jsonForm(text)}`
  return text.length > longestComparedText ? null : `text ${textForm(text)}`
}

function jsonForm(text: string): string {
  const value = parseJson(text)
  // Two numbers beyond double precision would look the same.
  const isExact = !new RegExp(`\\d{${mostExactDigits + 1}}`).test(text)
  return value !== undefined && isExact ? JSON.stringify(value, withSortedMembers) : text.trim()
}

function withSortedMembers(_name: string, value: unknown): unknown {
  if (!isRecord(value)) return value
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

/** `**1,000.50**.` and `1000.5` are equal. */
function textForm(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[*_`"'“”‘’]/g, '')
    .replaceAll(/\d{1,3}(?:,\d{3})+(?!\d)/g, (number) => number.replaceAll(',', ''))
    .replaceAll(/\d+(?:\.\d+)?/g, plainNumber)
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replace(/ ?[.!?]+$/, '')
}

/** `1.50` becomes 1.5; possible codes such as 007 stay unchanged. */
function plainNumber(digits: string): string {
  const isCode = /^0\d/.test(digits) || digits.length > mostExactDigits
  return isCode ? digits : String(Number(digits))
}

// ---- one usable answer ---------------------------------------------------------------------------

/** @returns null when the answer is the JSON that the request asks for */
export function whyNotJson(
  { message }: Choice,
  { body, matchesSchema }: AcceptanceContext,
): string | null {
  const value = parseJson(contentText(message.content))
  if (value === undefined) return 'the answer is not JSON'
  const format = body.response_format ?? null
  if (format?.type === 'json_object' && !isRecord(value)) return 'the answer is not a JSON object'
  if (format?.type !== 'json_schema') return null
  const { json_schema: wanted } = format
  const schema = isRecord(wanted) ? wanted['schema'] : undefined
  if (schema === undefined || matchesSchema(schema, value)) return null
  return 'the answer does not match the schema'
}

/** @returns null when the answer calls tools of the request with arguments that match */
export function whyNotCalled(
  { message }: Choice,
  { body, matchesSchema }: AcceptanceContext,
): string | null {
  const calls = message.tool_calls ?? []
  if (calls.length === 0) return 'the answer calls no tool'
  const parametersByName = new Map((body.tools ?? []).map(nameAndParameters))
  for (const { function: called } of calls) {
    // A custom tool takes any text.
    if (called === undefined) continue
    if (!parametersByName.has(called.name))
      return 'the answer calls a tool that the request does not have'
    const value = parseJson(called.arguments)
    if (!isRecord(value)) return 'the arguments of a call are not a JSON object'
    const parameters = parametersByName.get(called.name)
    if (parameters !== undefined && !matchesSchema(parameters, value))
      return 'the arguments of a call do not match its tool’s schema'
  }
  return null
}

function nameAndParameters(tool: Readonly<Record<string, unknown>>): [string, unknown] {
  const { function: definition } = tool
  if (!isRecord(definition)) return ['', undefined]
  const { name, parameters } = definition
  return [typeof name === 'string' ? name : '', parameters ?? undefined]
}

/**
 * How models start a refusal in English. In other languages, only refusals that the provider marks are seen.
 */
const regret =
  /^(?:(?:(?:i['’]?m|i am) )?(?:very |so |really )?sorry|i apologi[sz]e|unfortunately|as an ai[^,.]{0,60})[,.:; ]*(?:but )?/i
const refusal =
  /^(?:i|we) (?:can['’]t|cannot|can not|won['’]t|will not|am unable to|am not able to|must decline)\b|^(?:i['’]m|we['’]re) (?:unable|not able) to\b/i

const flawsInWords = {
  cut_off: 'the answer ended with "length"',
  filtered: 'the answer ended with "content_filter"',
  // The record does not store a provider's own value.
  ended_otherwise: 'the answer ended in another way',
  refused: 'the model refused',
  begins_like_refusal: 'the answer begins like a refusal',
  empty: 'the answer is empty',
} as const
export type Flaw = keyof typeof flawsInWords

function whyNotWhole(choice: Choice): string | null {
  if (choice.finish_reason === 'function_call') return 'the answer ended with "function_call"'
  const flaw = flawOf(choice)
  return flaw && flawsInWords[flaw]
}

/** Why the answer is not a whole one; null when it is. */
export function flawOf({ message, finish_reason: end }: Choice): Flaw | null {
  if (end === 'length') return 'cut_off'
  if (end === 'content_filter') return 'filtered'
  if (end !== 'stop' && end !== 'tool_calls') return 'ended_otherwise'
  if (message.refusal) return 'refused'
  if ((message.tool_calls ?? []).length > 0) return null
  const text = contentText(message.content).trim()
  if (text === '') return 'empty'
  return refusal.test(text.replace(regret, '')) ? 'begins_like_refusal' : null
}

/** @returns undefined when it is not JSON */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
