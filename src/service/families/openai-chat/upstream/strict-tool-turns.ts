/**
 * Conversations with tools at vendors that take less than OpenAI's form (`strictToolTurns`): Mistral refuses ids of calls
 * that are not nine letters and digits, and after tool results everything but an answer or another result.
 */
import { hash } from 'node:crypto'
import type { ChatMessage } from '../../../../shared/chat/chat.ts'
import type { Adjustment } from '../../../../shared/models/model-abilities.ts'

export const answerAdded: Adjustment = {
  parameter: 'messages',
  change: 'sent_with_added_answer',
  reason: 'the provider takes only an answer after tool results',
}

export function withStrictIds(messages: readonly ChatMessage[]): ChatMessage[] {
  return messages.map((message) => {
    const { tool_call_id: id, tool_calls: calls } = message
    if (id !== undefined) return { ...message, tool_call_id: strictId(id) }
    if (calls === undefined) return message
    return { ...message, tool_calls: calls.map((call) => ({ ...call, id: strictId(call.id) })) }
  })
}

/** A hash, so that an id is the same in its call, in its result and in every turn. */
function strictId(id: string): string {
  if (/^[a-zA-Z0-9]{9}$/.test(id)) return id
  return hash('sha256', id, 'base64')
    .replaceAll(/[^a-zA-Z0-9]/g, '')
    .slice(0, 9)
}

/** Adds an answer where one is missing: the results keep their texts, and the next message its parts. */
export function withAnswers(messages: readonly ChatMessage[]): ChatMessage[] {
  return messages.flatMap((message, place) =>
    lacksAnswer(message, messages[place - 1]) ? [{ ...addedAnswer }, message] : [message],
  )
}

/** Mistral refuses an answer without any text. */
const addedAnswer: ChatMessage = { role: 'assistant', content: 'OK.' }

export function lackAnswers(messages: readonly ChatMessage[]): boolean {
  return messages.some((message, place) => lacksAnswer(message, messages[place - 1]))
}

function lacksAnswer({ role }: ChatMessage, before: ChatMessage | undefined): boolean {
  return before?.role === 'tool' && role !== 'tool' && role !== 'assistant'
}
