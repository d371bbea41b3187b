/** The chunks of an answer put together into the choices of one that is not streamed. */
import type {
  ChatCompletion,
  ChatDelta,
  ChatUsage,
  CompletionMessage,
  FinishReason,
} from '../../shared/chat.ts'
import type { ProviderChunk } from '../providers/provider.ts'
import { ChoiceEnds } from './choice-ends.ts'

export interface WholeAnswer {
  /** In the order of their indices. */
  choices: ChatCompletion['choices']
  /** Null where the provider reported none. */
  usage: ChatUsage | null
}

type ToolCall = NonNullable<CompletionMessage['tool_calls']>[number]

interface CollectedChoice {
  message: CompletionMessage
  /** By the upstream's index, which may be any number: as an array's it could take all memory. */
  toolCalls: Map<number, ToolCall> | null
  logprobs: unknown
  finishReason: FinishReason
}

/** @throws ProviderError when the answer broke off before its end; what `chunks` throws */
export async function collectAnswer(chunks: AsyncIterable<ProviderChunk>): Promise<WholeAnswer> {
  const choices = new Map<number, CollectedChoice>()
  const ends = new ChoiceEnds()
  let usage: ChatUsage | null = null
  for await (const chunk of chunks) {
    ends.note(chunk)
    for (const choice of chunk.choices) addDelta(choices, choice)
    usage = chunk.usage ?? usage
  }
  ends.refuseUnfinished()
  return {
    choices: [...choices]
      .toSorted(([a], [b]) => a - b)
      .map(([index, choice]) => choiceOf(index, choice)),
    usage,
  }
}

function choiceOf(index: number, collected: CollectedChoice): ChatCompletion['choices'][number] {
  const { message, toolCalls, logprobs, finishReason: finish_reason } = collected
  if (toolCalls !== null) message.tool_calls = inOrder(toolCalls)
  else if (!message.refusal) message.content ??= ''
  return logprobs === undefined
    ? { index, message, finish_reason }
    : { index, message, finish_reason, logprobs }
}

function inOrder(toolCalls: ReadonlyMap<number, ToolCall>): ToolCall[] {
  return [...toolCalls].toSorted(([a], [b]) => a - b).map(([, call]) => call)
}

function newChoice(): CollectedChoice {
  const message: CompletionMessage = { role: 'assistant', content: null }
  return { message, toolCalls: null, logprobs: undefined, finishReason: 'stop' }
}

function addDelta(
  choices: Map<number, CollectedChoice>,
  { index, delta, logprobs, finish_reason }: ProviderChunk['choices'][number],
): void {
  const collected = choices.get(index) ?? newChoice()
  choices.set(index, collected)
  if (logprobs !== undefined) collected.logprobs = logprobs
  if (finish_reason !== null) collected.finishReason = finish_reason
  addText(collected.message, delta)
  if (delta.tool_calls === undefined) return
  collected.toolCalls ??= new Map()
  for (const call of delta.tool_calls) addToolCall(collected.toolCalls, call)
}

function addText(message: CompletionMessage, delta: ChatDelta): void {
  if (delta.content) message.content = (message.content ?? '') + delta.content
  if (delta.refusal) message.refusal = (message.refusal ?? '') + delta.refusal
  if (delta.reasoning) message.reasoning = (message.reasoning ?? '') + delta.reasoning
  if (delta.reasoning_content) {
    message.reasoning_content = (message.reasoning_content ?? '') + delta.reasoning_content
  }
}

function addToolCall(
  toolCalls: Map<number, ToolCall>,
  call: NonNullable<ChatDelta['tool_calls']>[number],
): void {
  const known = toolCalls.get(call.index)
  const { name = '', arguments: text = '' } = call.function ?? {}
  if (known) {
    known.function.name += name
    known.function.arguments += text
  } else {
    const id = call.id ?? ''
    toolCalls.set(call.index, { id, type: 'function', function: { name, arguments: text } })
  }
}
