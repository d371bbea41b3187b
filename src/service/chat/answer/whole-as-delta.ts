import type { ChunkChoice, CompletionChoice } from '../../../shared/chat/chat.ts'

/** The whole message as a stream's only delta. */
export function toDelta({ message, logprobs, ...choice }: CompletionChoice): ChunkChoice {
  const { tool_calls: calls, ...delta } = message
  const toolCalls = calls?.map((call, index) => ({ index, ...call }))
  const whole = toolCalls ? { ...delta, tool_calls: toolCalls } : delta
  const piece = { ...choice, delta: whole, finish_reason: null }
  return logprobs === null ? piece : { ...piece, logprobs }
}
