/** The parts of an answer put together into the one body of a request that is not streamed. */
import type {
  ChatCompletion,
  ChatDelta,
  CompletionMessage,
  FinishReason,
} from '../../shared/chat.ts'
import { metaOf, type ChatPart } from './complete-chat.ts'

type ToolCall = NonNullable<CompletionMessage['tool_calls']>[number]

interface CollectedChoice {
  message: CompletionMessage
  /** By the upstream's index, which may be any number: as an array's it could take all memory. */
  toolCalls: Map<number, ToolCall>
  logprobs: unknown
}

/** @param identity  `chatcmpl-…`, Unix seconds, whether `_meta` says why, too. @throws what `parts` throws */
export async function collectCompletion(
  parts: AsyncIterable<ChatPart>,
  identity: { id: string; created: number; isExplained: boolean },
): Promise<ChatCompletion> {
  const choices = new Map<number, CollectedChoice>()
  let end: Extract<ChatPart, { kind: 'end' }> | null = null
  for await (const part of parts) {
    if (part.kind === 'end') end = part
    else for (const choice of part.choices) addDelta(choices, choice)
  }
  // `completeChat` ends with an end part or throws.
  if (!end) throw new Error('the answer ended without an end')
  const { model, usage, finishReasons } = end
  return {
    id: identity.id,
    object: 'chat.completion',
    created: identity.created,
    model,
    choices: [...finishReasons]
      .toSorted(([a], [b]) => a - b)
      .map(([index, reason]) => choiceOf(index, choices.get(index) ?? newChoice(), reason)),
    usage,
    _meta: metaOf(end, identity.isExplained),
  }
}

function choiceOf(
  index: number,
  collected: CollectedChoice,
  finish_reason: FinishReason,
): ChatCompletion['choices'][number] {
  const { message, toolCalls, logprobs } = collected
  if (toolCalls.size > 0) message.tool_calls = inOrder(toolCalls)
  else if (!message.refusal) message.content ??= ''
  return { index, message, finish_reason, ...(logprobs === undefined ? {} : { logprobs }) }
}

function newChoice(): CollectedChoice {
  const message: CompletionMessage = { role: 'assistant', content: null }
  return { message, toolCalls: new Map(), logprobs: undefined }
}

function inOrder(toolCalls: ReadonlyMap<number, ToolCall>): ToolCall[] {
  return [...toolCalls].toSorted(([a], [b]) => a - b).map(([, call]) => call)
}

function addDelta(
  choices: Map<number, CollectedChoice>,
  { index, delta, logprobs }: { index: number; delta: ChatDelta; logprobs?: unknown },
): void {
  const collected = choices.get(index) ?? newChoice()
  choices.set(index, collected)
  if (logprobs !== undefined) collected.logprobs = logprobs
  const { message } = collected
  if (delta.content) message.content = (message.content ?? '') + delta.content
  if (delta.refusal) message.refusal = (message.refusal ?? '') + delta.refusal
  if (delta.reasoning) message.reasoning = (message.reasoning ?? '') + delta.reasoning
  if (delta.reasoning_content) {
    message.reasoning_content = (message.reasoning_content ?? '') + delta.reasoning_content
  }
  for (const call of delta.tool_calls ?? []) addToolCall(collected.toolCalls, call)
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
