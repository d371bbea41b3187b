/** The pieces of an answer put together into the choices of one that is not streamed. */
import type {
  ChatCompletion,
  ChatDelta,
  ChatUsage,
  ChunkChoice,
  CompletionMessage,
  FinishReason,
  ToolCallDelta,
} from '../../shared/chat.ts'
import type { ProviderChunk } from '../providers/provider.ts'
import { ChoiceEnds } from './choice-ends.ts'
import { newToolCallId, ToolCallNormalizer } from './tool-calls.ts'

export interface WholeAnswer {
  /** In the order of their indices. */
  choices: ChatCompletion['choices']
  /** Null where the provider reported none. */
  usage: ChatUsage | null
}

type ToolCall = NonNullable<CompletionMessage['tool_calls']>[number]

interface CollectedChoice {
  message: CompletionMessage
  logprobs: unknown
  finishReason: FinishReason
}

/** @param chunk  all of the answer. @throws ProviderError when it broke off before its end */
export function wholeAnswer(chunk: ProviderChunk): WholeAnswer {
  const ends = new ChoiceEnds()
  ends.note(chunk)
  ends.refuseUnfinished()
  const choices = new CollectedChoices()
  choices.add(new ToolCallNormalizer(newToolCallId).normalize(chunk.choices))
  return { choices: choices.whole(), usage: chunk.usage }
}

/** Deltas put together; their tool calls have to be normalised. */
export class CollectedChoices {
  readonly #choices = new Map<number, CollectedChoice>()

  add(choices: readonly ChunkChoice[]): void {
    for (const choice of choices) addDelta(this.#choices, choice)
  }

  /** What came until now, in the order of the indices; `stop` where a choice has not ended. */
  whole(): ChatCompletion['choices'] {
    return [...this.#choices]
      .toSorted(([a], [b]) => a - b)
      .map(([index, choice]) => choiceOf(index, choice))
  }
}

function choiceOf(index: number, collected: CollectedChoice): ChatCompletion['choices'][number] {
  const { message, logprobs, finishReason: finish_reason } = collected
  if (message.tool_calls === undefined && !message.refusal) message.content ??= ''
  return logprobs === undefined
    ? { index, message, finish_reason }
    : { index, message, finish_reason, logprobs }
}

function newChoice(): CollectedChoice {
  const message: CompletionMessage = { role: 'assistant', content: null }
  return { message, logprobs: undefined, finishReason: 'stop' }
}

function addDelta(
  choices: Map<number, CollectedChoice>,
  { index, delta, logprobs, finish_reason }: ChunkChoice,
): void {
  const collected = choices.get(index) ?? newChoice()
  choices.set(index, collected)
  if (logprobs !== undefined) collected.logprobs = logprobs
  if (finish_reason !== null) collected.finishReason = finish_reason
  addText(collected.message, delta)
  if (delta.tool_calls === undefined) return
  collected.message.tool_calls ??= []
  for (const call of delta.tool_calls) addToolCall(collected.message.tool_calls, call)
}

function addText(message: CompletionMessage, delta: ChatDelta): void {
  if (delta.content) message.content = (message.content ?? '') + delta.content
  if (delta.refusal) message.refusal = (message.refusal ?? '') + delta.refusal
  if (delta.reasoning) message.reasoning = (message.reasoning ?? '') + delta.reasoning
  if (delta.reasoning_content) {
    message.reasoning_content = (message.reasoning_content ?? '') + delta.reasoning_content
  }
}

/** Normalised, so a call's place is its index. */
function addToolCall(toolCalls: ToolCall[], { index, id = '', function: called }: ToolCallDelta) {
  const { name = '', arguments: text = '' } = called ?? {}
  const known = toolCalls[index]
  if (known) known.function.arguments += text
  else toolCalls[index] = { id, type: 'function', function: { name, arguments: text } }
}
