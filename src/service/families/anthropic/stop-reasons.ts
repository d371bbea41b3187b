/** Why an answer ended, in both forms. */
import type { FinishReason } from '../../../shared/chat/chat.ts'

/**
 * Anthropic's `stop_reason` in OpenAI's words. `pause_turn` (a server tool needs another request) and reasons
 * newer than this table are passed on as they are, because `stop` would claim that the answer is complete.
 */
const finishReasons: Readonly<Record<string, FinishReason>> = {
  end_turn: 'stop',
  stop_sequence: 'stop',
  tool_use: 'tool_calls',
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  refusal: 'content_filter',
}

export function finishReasonOf(stopReason: string): FinishReason {
  return finishReasons[stopReason] ?? stopReason
}

/** The first of each in the table is the general one. */
const stopReasons = new Map(
  Object.entries(finishReasons)
    .toReversed()
    .map(([stop, finish]) => [finish, stop]),
).set('function_call', 'tool_use')

/** @param callsTools  some upstreams end an answer that calls tools with `stop`, and callers then ignore the calls */
export function stopReasonOf(finishReason: FinishReason, callsTools: boolean): string {
  if (callsTools && finishReason === 'stop') return 'tool_use'
  return stopReasons.get(finishReason) ?? finishReason
}
