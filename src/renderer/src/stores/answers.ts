/** Chooses the answers of a thread that the window shows, and what changes when another one is kept. */
import {
  keptAnswer,
  siblingsOf,
  turnsOf,
  type Turn,
} from '../../../shared/chat/conversation-turns.ts'
import type { ConversationMessage } from '../../../shared/chat/conversations.ts'

type Messages = readonly ConversationMessage[]

const knownTurns = new WeakMap<Messages, readonly Turn[]>()

/** The shown path of a thread, computed once for the same messages: selectors ask for it at each change of the store. */
export function threadTurns(messages: Messages): readonly Turn[] {
  const known = knownTurns.get(messages)
  if (known) return known
  const turns = turnsOf(messages)
  knownTurns.set(messages, turns)
  return turns
}

/** The answers of a turn that are shown: several until one of them is kept. */
export function shownAnswers({ answers }: Pick<Turn, 'answers'>): Messages {
  const shown = answers.filter(({ isSetAside }) => !isSetAside)
  if (shown.length > 0) return shown
  // The one in place of a deleted answer was set aside. The path follows the kept one.
  const kept = keptAnswer(answers)
  return kept ? [kept] : answers.slice(-1)
}

/** The kept answer to the last question; null when there is none. */
export function lastKeptAnswer(messages: Messages): ConversationMessage | null {
  return keptAnswer(threadTurns(messages).at(-1)?.answers ?? [])
}

/** The answer that the user rejected by keeping `chosen`: the one shown beside it or in its place. */
export function otherThan(
  chosen: ConversationMessage,
  messages: Messages,
): ConversationMessage | null {
  const answers = siblingsOf(messages, chosen)
  return shownAnswers({ answers }).findLast(({ id }) => id !== chosen.id) ?? null
}

/** Sets messages aside for a new one in their place. */
export function setAside(messages: Messages, aside: Messages): Messages {
  return messages.map((message) =>
    aside.includes(message) ? { ...message, isSetAside: true } : message,
  )
}

/** The messages after one of them is shown in place of its siblings. Turns before it stay the same objects. */
export function inPlaceOfSiblings(messages: Messages, shown: ConversationMessage): Messages {
  const turns = threadTurns(messages)
  const siblings = siblingsOf(messages, shown)
  const place = turns.findLastIndex(({ questions, answers }) =>
    [...questions, ...answers].some(({ id }) => id === shown.id),
  )
  const changed = messages.map((message) => {
    const isSetAside = siblings.includes(message) ? message.id !== shown.id : message.isSetAside
    return isSetAside === message.isSetAside ? message : { ...message, isSetAside }
  })
  knownTurns.set(changed, turnsOf(changed, turns.slice(0, Math.max(place, 0))))
  return changed
}
