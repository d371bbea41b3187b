/**
 * What an answer shows by itself: whether it is the JSON that was asked for, whether its tool calls fit, and whether
 * it is empty, cut off or refused. An answer gives at most one signal, because a cut or refused one is not expected
 * to be JSON as well.
 */
import type { ChatRequest, ChatUsage } from '../../../shared/chat/chat.ts'
import type { DecisionRecord } from '../../../shared/requests/detail.ts'
import type { SignalName } from '../../../shared/requests/signals.ts'
import { isEmpty } from '../../providers/passed-fields.ts'
import {
  flawOf,
  whyNotCalled,
  whyNotJson,
  type Choice,
  type Flaw,
} from '../../routing/acceptance.ts'

/** The answer that a signal is about. */
export interface JudgedAnswer {
  modelId: string
  /** The reading of its prompt; null when it was not read. */
  reading: DecisionRecord['reading']
}

export interface ShownSignal {
  name: SignalName
  isGood: boolean
}

export interface SignalContext {
  body: ChatRequest
  /** @returns null when it is unknown whether the value matches */
  schemaMatch(schema: unknown, value: unknown): boolean | null
  /** Null when the provider reported no usage. */
  usage: ChatUsage | null
  /** Whether a budget made the answer shorter than the request allows. */
  isLimited: boolean
}

/** An answer of the length that the request allows; less ended for another reason. Counts differ a little. */
const wholeLength = 0.9

/**
 * @param choices  whole, or the beginning of each where neither JSON nor tool calls are checked
 * @returns null when the answer shows nothing
 */
export function answerSignal(
  choices: readonly Choice[],
  context: SignalContext,
): ShownSignal | null {
  for (const choice of choices) {
    const flaw = flawOf(choice)
    if (flaw !== null) return ofFlaw(flaw, choice, context)
  }
  if (choices.length === 0) return null
  if (choices.some(callsTools)) return checked('tool_call', choices.filter(callsTools), context)
  return asksForJson(context.body) ? checked('format', choices, context) : null
}

export function asksForJson({
  response_format: format,
}: Pick<ChatRequest, 'response_format'>): boolean {
  return format?.type === 'json_object' || format?.type === 'json_schema'
}

function callsTools({ message }: Choice): boolean {
  return (message.tool_calls?.length ?? 0) > 0
}

function ofFlaw(flaw: Flaw, { message }: Choice, context: SignalContext): ShownSignal | null {
  switch (flaw) {
    case 'cut_off':
      return isCutEarly(context) ? { name: 'cut_off', isGood: false } : null
    case 'empty':
      return hasOtherOutput(message) ? null : { name: 'empty', isGood: false }
    case 'filtered':
    case 'refused':
    case 'begins_like_refusal':
      return { name: 'refused', isGood: false }
    case 'ended_otherwise':
      return null
  }
}

/** An answer cut off at the caller's own limit says little about its model. */
function isCutEarly({ body, usage, isLimited }: SignalContext): boolean {
  if (isLimited) return false
  const allowed = body.max_completion_tokens ?? body.max_tokens ?? null
  if (allowed === null) return true
  const length = usage?.completion_tokens ?? Infinity
  return length < wholeLength * allowed * (body.n ?? 1)
}

const textFields: ReadonlySet<string> = new Set([
  'role',
  'content',
  'refusal',
  'tool_calls',
  'reasoning',
  'reasoning_content',
  'reasoning_details',
])

/** Whether the message has output besides text, such as audio or images. */
function hasOtherOutput(message: Choice['message']): boolean {
  const { content } = message
  const parts = typeof content === 'string' || content === null ? [] : content
  if (parts.some(({ type }) => type !== 'text' && type !== 'thinking')) return true
  return Object.keys(message).some((name) => !textFields.has(name) && !isEmpty(message[name]))
}

function checked(
  name: 'format' | 'tool_call',
  choices: readonly Choice[],
  { body, schemaMatch }: SignalContext,
): ShownSignal | null {
  const seen = { isUnclear: false }
  const matchesSchema = (schema: unknown, value: unknown) => {
    const matches = schemaMatch(schema, value)
    seen.isUnclear ||= matches === null
    return matches ?? true
  }
  const whyNot = name === 'format' ? whyNotJson : whyNotCalled
  const isGood = choices.every(
    (choice) => whyNot(choice, { body, matchesSchema, readsOnly: () => false }) === null,
  )
  return isGood && seen.isUnclear ? null : { name, isGood }
}
