/** The parts of an answer put together into the one body of a request that is not streamed. */
import type {
  ChatCompletion,
  ChatDelta,
  CompletionMessage,
  FinishReason,
} from '../../shared/chat.ts'
import { metaOf, type ChatPart } from './complete-chat.ts'

interface CollectedChoice {
  message: CompletionMessage
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
    choices: [...finishReasons].map(([index, reason]) => choiceOf(choices, index, reason)),
    usage,
    _meta: metaOf(end, identity.isExplained),
  }
}

function choiceOf(
  choices: ReadonlyMap<number, CollectedChoice>,
  index: number,
  finish_reason: FinishReason,
): ChatCompletion['choices'][number] {
  const collected = choices.get(index)
  const message = collected?.message ?? { role: 'assistant' as const, content: '' }
  const logprobs = collected?.logprobs
  return { index, message, finish_reason, ...(logprobs === undefined ? {} : { logprobs }) }
}

function addDelta(
  choices: Map<number, CollectedChoice>,
  { index, delta, logprobs }: { index: number; delta: ChatDelta; logprobs?: unknown },
): void {
  const collected = choices.get(index) ?? {
    message: { role: 'assistant', content: null },
    logprobs: undefined,
  }
  choices.set(index, collected)
  if (logprobs !== undefined) collected.logprobs = logprobs
  const { message } = collected
  if (delta.content) message.content = (message.content ?? '') + delta.content
  if (delta.refusal) message.refusal = (message.refusal ?? '') + delta.refusal
  if (delta.reasoning) message.reasoning = (message.reasoning ?? '') + delta.reasoning
  if (delta.reasoning_content) {
    message.reasoning_content = (message.reasoning_content ?? '') + delta.reasoning_content
  }
  for (const call of delta.tool_calls ?? []) addToolCall(message, call)
}

function addToolCall(
  message: CompletionMessage,
  call: NonNullable<ChatDelta['tool_calls']>[number],
): void {
  message.tool_calls ??= []
  const known = message.tool_calls[call.index]
  const { name = '', arguments: text = '' } = call.function ?? {}
  if (known) {
    known.function.name += name
    known.function.arguments += text
  } else {
    message.tool_calls[call.index] = {
      id: call.id ?? '',
      type: 'function',
      function: { name, arguments: text },
    }
  }
}
