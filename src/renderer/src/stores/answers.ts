/** Chooses the answers of a thread that the window shows, and what changes when another one is kept. */
import { keptAnswer, turnsOf, type Turn } from '../../../shared/chat/conversation-turns.ts'
import type { ConversationMessage } from '../../../shared/entities.ts'

type Messages = readonly ConversationMessage[]

/** The answers of a turn: those to show, and those that are set aside. */
export function splitAnswers({ answers }: Pick<Turn, 'answers'>): {
  shown: Messages
  setAside: Messages
} {
  return {
    shown: answers.filter(({ isSetAside }) => !isSetAside),
    setAside: answers.filter(({ isSetAside }) => isSetAside),
  }
}

/** The kept answer to the last question; null when there is none. */
export function lastKeptAnswer(messages: Messages): ConversationMessage | null {
  return keptAnswer(turnsOf(messages).at(-1)?.answers ?? [])
}

/** The answer that the user rejected by keeping `chosen`: the one shown beside it or in its place. */
export function otherThan(
  chosen: ConversationMessage,
  messages: Messages,
): ConversationMessage | null {
  const turn = turnsOf(messages).find(({ answers }) => answers.some(({ id }) => id === chosen.id))
  if (!turn) return null
  return splitAnswers(turn).shown.findLast(({ id }) => id !== chosen.id) ?? null
}

/** Sets the answers after a question aside for a new one, unless the new one comes beside them. */
export function setAside(messages: Messages, questionId: string, isBeside: boolean): Messages {
  const position = messages.findIndex(({ id }) => id === questionId)
  if (isBeside || position === -1) return messages
  return messages.map((message, index) =>
    index > position ? { ...message, isSetAside: true } : message,
  )
}
