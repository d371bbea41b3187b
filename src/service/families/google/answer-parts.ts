/** An earlier answer of the model as Gemini's parts, with the thought signatures that the model gave. */
import type { ChatMessage, WireFields } from '../../../shared/chat/chat.ts'
import { fieldsOf, listOf, stringOf, toolInput } from '../../json-fields.ts'
import { textParts, textsOf } from './upstream/parts.ts'
import type { GeminiPart } from './upstream/rest.ts'
import type { TranslationContext } from './upstream/traits.ts'

/** The mark of this vendor's items in `reasoning_details`. */
export const reasoningFormat = 'google-gemini-v1'

/**
 * Google's documented stand-in for calls that another model made or whose signature was lost. Without one,
 * Gemini 3 refuses the request. @see https://ai.google.dev/gemini-api/docs/thought-signatures
 */
export const noSignature = 'skip_thought_signature_validator'

type ToolCall = NonNullable<ChatMessage['tool_calls']>[number]

interface CalledName {
  name: string
  /** The position of the call in the conversation. */
  order: number
}
/** Names of called functions, by the id of the call. */
export type CalledNames = ReadonlyMap<string, CalledName>

/** A tool's result names only the id of its call; Gemini needs the function's name. */
export function calledNames(messages: readonly ChatMessage[]): CalledNames {
  const names = new Map<string, CalledName>()
  for (const call of messages.flatMap(({ tool_calls }) => tool_calls ?? [])) {
    names.set(call.id, { name: nameOf(call), order: names.size })
  }
  return names
}

export function answerParts(message: ChatMessage, context: TranslationContext): GeminiPart[] {
  const signatures = new Signatures(message['reasoning_details'])
  const refusal = stringOf(message['refusal']) ?? ''
  const texts: GeminiPart[] = [
    ...textsOf(message.content).map((text) => ({ text })),
    ...textParts(refusal),
  ]
  const calls = callsOf(message).map((call) => callPart(call, signatures, context))
  const [firstCall] = calls
  if (signatures.ofText !== null) {
    sign({ texts, firstCall, signature: signatures.ofText })
  }
  if (context.traits.needsSignatures && firstCall && firstCall.thoughtSignature === undefined) {
    firstCall.thoughtSignature = noSignature
  }
  return [...signatures.thoughts, ...texts, ...calls]
}

/** A signature without a call belongs to the last text; a model that only called gave it with its first call. */
function sign({
  texts,
  firstCall,
  signature,
}: {
  texts: GeminiPart[]
  firstCall: GeminiPart | undefined
  signature: string
}): void {
  const last = texts.at(-1)
  if (last !== undefined) last.thoughtSignature = signature
  else if (firstCall === undefined) texts.push({ text: '', thoughtSignature: signature })
  else firstCall.thoughtSignature ??= signature
}

/** The calls of a message, also in the form before tools, `function_call`, which has no id. */
function callsOf(message: ChatMessage): ToolCall[] {
  const { name, arguments: given } = fieldsOf(message['function_call'])
  if (typeof name !== 'string') return message.tool_calls ?? []
  return [{ id: '', type: 'function', function: { name, arguments: stringOf(given) ?? '' } }]
}

function callPart(
  call: ToolCall,
  signatures: Signatures,
  { dialect }: TranslationContext,
): GeminiPart {
  const { id, function: called, custom } = call
  const google = fieldsOf(fieldsOf(call['extra_content'])['google'])
  const signature = signatures.ofCall(id) ?? stringOf(google['thought_signature'])
  const args = custom === undefined ? toolInput(called?.arguments ?? '') : { input: custom.input }
  return {
    functionCall: {
      ...(dialect.hasCallIds && id !== '' ? { id } : {}),
      name: nameOf(call),
      args,
    },
    ...(signature === null ? {} : { thoughtSignature: signature }),
  }
}

function nameOf({ function: called, custom }: ToolCall): string {
  return called?.name ?? custom?.name ?? ''
}

/** What an answer's `reasoning_details` contain for this vendor; items of other vendors are dropped. */
class Signatures {
  /** Thoughts that the model wants back: those with a signature. */
  readonly thoughts: GeminiPart[] = []
  ofText: string | null = null
  readonly #ofCalls = new Map<string, string>()

  constructor(details: unknown) {
    for (const item of listOf(details).map(fieldsOf)) {
      if (item['format'] === reasoningFormat) this.#add(item)
    }
  }

  ofCall(id: string): string | null {
    return this.#ofCalls.get(id) ?? null
  }

  #add(item: WireFields): void {
    const id = stringOf(item['id'])
    const data = stringOf(item['data'])
    const signature = stringOf(item['signature'])
    if (item['type'] === 'reasoning.text' && signature !== null) {
      const text = stringOf(item['text']) ?? ''
      this.thoughts.push({ text, thought: true, thoughtSignature: signature })
    }
    if (item['type'] !== 'reasoning.encrypted' || data === null) return
    if (id === null) this.ofText = data
    else this.#ofCalls.set(id, data)
  }
}
