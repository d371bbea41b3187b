import type { ChatCompletion, ChunkChoice } from '../../shared/chat.ts'

/** The whole message as the one delta of a stream. */
export function toDelta({ message, ...choice }: ChatCompletion['choices'][number]): ChunkChoice {
  const { tool_calls: calls, ...delta } = message
  const toolCalls = calls?.map((call, index) => ({ index, ...call }))
  const whole = toolCalls ? { ...delta, tool_calls: toolCalls } : delta
  return { ...choice, delta: whole, finish_reason: null }
}
