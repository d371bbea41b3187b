/** The events of a streamed answer of the Responses API in the chat form. Types: the package `openai`. */
import type { FinishReason, WireFields } from '../../../../shared/chat/chat.ts'
import {
  appendChunk,
  type ProviderChunk,
  type UpstreamDelta,
  type UpstreamToolCall,
} from '../../../providers/provider.ts'
import type { EventConsumer } from '../../../providers/wire.ts'
import {
  betweenParts,
  chatLogprobs,
  extrasOf,
  namedIn,
  finishReasonOf,
  readResponseUsage,
  startedCall,
  toAnnotation,
  unknownForm,
} from '../answer.ts'
import { failureOf } from './failure.ts'
import { fieldsOf, stringOf, textOrNull } from '../../../json-fields.ts'
import { reasoningDetails } from './reasoning.ts'
import { parseExact } from '../../../exact-json.ts'

/** Deltas of text, and the field of the chat form that gets them. */
const textFields: ReadonlyMap<unknown, 'content' | 'refusal' | 'reasoning_content'> = new Map([
  ['response.output_text.delta', 'content'],
  ['response.refusal.delta', 'refusal'],
  ['response.reasoning_summary_text.delta', 'reasoning_content'],
  ['response.reasoning_text.delta', 'reasoning_content'],
])

interface OpenCall {
  index: number
  type: 'function' | 'custom'
  hasArguments: boolean
}

export class ResponseEvents implements EventConsumer {
  /** Open calls, by the item's position in the output. */
  readonly #calls = new Map<unknown, OpenCall>()
  #details = 0
  /** The part of reasoning that is arriving; null before the first. */
  #reasoningPart: string | null = null
  #isFinished = false

  isEnd(): boolean {
    return this.#isFinished
  }

  append(chunk: ProviderChunk | null, data: string): ProviderChunk | null {
    const event = fieldsOf(parseExact(data))
    const next = this.#read(event)
    return next === null ? chunk : appendChunk(chunk, next)
  }

  #read(event: WireFields): ProviderChunk | null {
    const { type } = event
    const field = textFields.get(type)
    if (field === 'reasoning_content') return textChunk(field, this.#asParagraph(event))
    if (field !== undefined) return textChunk(field, event)
    switch (type) {
      case 'response.output_item.added':
        return this.#itemAdded(event)
      case 'response.output_item.done':
        return this.#itemDone(event)
      case 'response.function_call_arguments.delta':
      case 'response.custom_tool_call_input.delta':
        return this.#argumentsOf(event, event['delta'])
      case 'response.output_text.annotation.added':
        return deltaChunk({ annotations: [toAnnotation(event['annotation'])] })
      case 'response.completed':
      case 'response.incomplete':
      case 'response.failed':
        return this.#finished(fieldsOf(event['response']))
      case 'error':
        throw failureOf(event['error'] ?? event)
      default:
        // Progress of the vendor's own tools, and repetitions of what the deltas said.
        return null
    }
  }

  /** A delta of reasoning, after a break where it begins another part. */
  #asParagraph(event: WireFields): WireFields {
    const { type, output_index, summary_index, content_index } = event
    const delta = stringOf(event['delta'])
    if (delta === null) return event
    const part = [type, output_index, summary_index ?? content_index].join(' ')
    const isNext = this.#reasoningPart !== null && this.#reasoningPart !== part
    this.#reasoningPart = part
    return isNext ? { ...event, delta: betweenParts + delta } : event
  }

  #itemAdded({ item, output_index }: WireFields): ProviderChunk | null {
    const fields = fieldsOf(item)
    const { type } = fields
    if (type !== 'function_call' && type !== 'custom_tool_call') return null
    const { id, type: kind } = startedCall(fields)
    const index = this.#calls.size
    this.#calls.set(output_index, { index, type: kind, hasArguments: false })
    const name = textOrNull(fields['name']) ?? ''
    const called = kind === 'custom' ? { custom: { name } } : { function: { name } }
    return callChunk({ index, id, type: kind, ...called })
  }

  /** A call may arrive without deltas of its arguments. */
  #itemDone(event: WireFields): ProviderChunk | null {
    const item = fieldsOf(event['item'])
    if (item['type'] === 'reasoning') return this.#reasoningDone(item)
    const call = this.#calls.get(event['output_index'])
    if (call === undefined || call.hasArguments) return null
    return this.#argumentsOf(event, item['arguments'] ?? item['input'])
  }

  #reasoningDone(item: WireFields): ProviderChunk | null {
    const details = reasoningDetails(item, this.#details)
    this.#details += details.length
    return details.length === 0 ? null : deltaChunk({ reasoning_details: details })
  }

  #argumentsOf({ output_index }: WireFields, given: unknown): ProviderChunk | null {
    const call = this.#calls.get(output_index)
    if (call === undefined) throw unknownForm()
    const text = textOrNull(given) ?? ''
    if (text === '') return null
    call.hasArguments = true
    const { index, type } = call
    return callChunk({
      index,
      ...(type === 'custom' ? { custom: { input: text } } : { function: { arguments: text } }),
    })
  }

  #finished(response: WireFields): ProviderChunk {
    this.#isFinished = true
    const reason = finishReasonOf(response, this.#calls.size > 0)
    return {
      ...deltaChunk({}, reason),
      usage: readResponseUsage(response),
      ...extrasOf(response),
      ...namedIn(response),
    }
  }
}

function textChunk(field: string, { delta, logprobs }: WireFields): ProviderChunk | null {
  const text = textOrNull(delta)
  if (text === null) throw unknownForm()
  if (text === '') return null
  const chunk = deltaChunk({ [field]: text })
  const [choice] = chunk.choices
  if (choice && Array.isArray(logprobs) && logprobs.length > 0) {
    choice.logprobs = chatLogprobs(logprobs)
  }
  return chunk
}

function callChunk(call: UpstreamToolCall): ProviderChunk {
  return deltaChunk({ tool_calls: [call] })
}

function deltaChunk(
  delta: UpstreamDelta,
  finish_reason: FinishReason | null = null,
): ProviderChunk {
  return { choices: [{ index: 0, delta, finish_reason }], usage: null }
}
