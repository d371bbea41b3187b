/** Joins the pieces of an answer into the choices of an answer that is not streamed. */
import type {
  ChatDelta,
  ChatUsage,
  ChunkChoice,
  CompletionChoice,
  CompletionMessage,
  CompletionToolCall,
  ToolCallDelta,
  WireFields,
} from '../../../shared/chat/chat.ts'
import type { PassedHeaders } from '../../providers/passed-headers.ts'
import type { ProviderChunk, ServerTimings } from '../../providers/provider.ts'
import { ChoiceEnds } from './choice-ends.ts'
import { mergeContent, mergeFields } from './merge-fields.ts'
import { newToolCallId, ToolCallNormalizer } from './tool-calls.ts'

export interface WholeAnswer {
  /** Sorted by index. */
  choices: CompletionChoice[]
  /** Null when the provider reported none. */
  usage: ChatUsage | null
  /** Other fields, as in `ProviderChunk`, like the following. */
  extras?: WireFields
  namedModel?: string
  timings?: ServerTimings
  queuedMs?: number
  headers?: PassedHeaders
  events?: readonly string[]
}

/** @param chunk  the whole answer. @throws ProviderError when it broke off before its end */
export function wholeAnswer(chunk: ProviderChunk): WholeAnswer {
  const ends = new ChoiceEnds()
  ends.note(chunk)
  ends.refuseUnfinished()
  const choices = new CollectedChoices()
  choices.add(new ToolCallNormalizer(newToolCallId).normalize(chunk.choices))
  const { usage, extras, namedModel, timings, queuedMs, headers, events } = chunk
  return {
    choices: choices.whole(),
    usage,
    ...(extras && { extras }),
    ...(namedModel !== undefined && { namedModel }),
    ...(timings && { timings }),
    ...(queuedMs !== undefined && { queuedMs }),
    ...(headers && { headers }),
    ...(events && { events }),
  }
}

/** Joins deltas; their tool calls must be normalized. */
export class CollectedChoices {
  readonly #choices = new Map<number, CompletionChoice>()

  add(choices: readonly ChunkChoice[]): void {
    for (const choice of choices) addChoice(this.#choiceAt(choice.index), choice)
  }

  /** The choices so far, sorted by index; a choice that has not ended gets `stop`. */
  whole(): CompletionChoice[] {
    const choices = [...this.#choices.values()].toSorted((a, b) => a.index - b.index)
    for (const { message } of choices) if (hasOnlyText(message)) message.content ??= ''
    return choices
  }

  #choiceAt(index: number): CompletionChoice {
    const known = this.#choices.get(index)
    if (known) return known
    const message: CompletionMessage = { role: 'assistant', content: null, refusal: null }
    const choice: CompletionChoice = { index, message, finish_reason: 'stop', logprobs: null }
    this.#choices.set(index, choice)
    return choice
  }
}

/** Whether a message has only text. Content is null only if the message has something in its place. */
function hasOnlyText({ tool_calls, refusal, function_call, audio }: CompletionMessage): boolean {
  return tool_calls === undefined && !refusal && !function_call && !audio
}

function addChoice(collected: CompletionChoice, choice: ChunkChoice): void {
  const { index: _index, delta, finish_reason, ...rest } = choice
  if (finish_reason !== null) collected.finish_reason = finish_reason
  mergeFields(collected, rest)
  addDelta(collected.message, delta)
}

function addDelta(
  message: CompletionMessage,
  { role: _role, content, tool_calls, ...rest }: ChatDelta,
): void {
  if (content !== undefined && content !== null) {
    message.content = mergeContent(message.content, content)
  }
  mergeFields(message, rest)
  if (tool_calls === undefined) return
  message.tool_calls ??= []
  for (const call of tool_calls) addToolCall(message.tool_calls, call)
}

/** Adds a piece of a call. The calls are normalized, so a call's position is its index. */
function addToolCall(calls: CompletionToolCall[], { index, ...piece }: ToolCallDelta): void {
  const known = calls[index]
  if (known) return mergeFields(known, piece)
  const call: CompletionToolCall = { id: '', type: 'function' }
  mergeFields(call, piece)
  calls[index] = call
}
