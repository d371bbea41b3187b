/** A thread's messages as questions with their answers, of which one is kept. */
import type { ConversationMessage } from '../../../shared/entities.ts'

type Messages = readonly ConversationMessage[]

/** A question, or all answers to one, oldest first. */
export type Turn =
  | { kind: 'question'; message: ConversationMessage }
  | {
      kind: 'answers'
      /** The first one's id, whatever is added. */
      id: string
      /** Those shown: one, or several to choose from. */
      shown: Messages
      setAside: Messages
    }

export function turnsOf(messages: Messages): Turn[] {
  const turns: Turn[] = []
  for (const [index, message] of messages.entries()) {
    if (message.role === 'user') turns.push({ kind: 'question', message })
    else if (index === 0 || messages[index - 1]?.role === 'user') {
      const after = messages.slice(index)
      const end = after.findIndex(({ role }) => role === 'user')
      turns.push(answersOf(end === -1 ? after : after.slice(0, end), message.id))
    }
  }
  return turns
}

function answersOf(answers: Messages, id: string): Turn {
  const shown = answers.filter(({ isSetAside }) => !isSetAside)
  return { kind: 'answers', id, shown, setAside: answers.filter(({ isSetAside }) => isSetAside) }
}

/** The answer that stands for the last question now; null where there is none. */
export function keptAnswer(messages: Messages): ConversationMessage | null {
  const last = turnsOf(messages).at(-1)
  return last?.kind === 'answers' ? (last.shown.at(-1) ?? null) : null
}

/** The answer that another one was chosen over: the one that stood there, or stood beside it. */
export function otherThan(
  chosen: ConversationMessage,
  messages: Messages,
): ConversationMessage | null {
  for (const turn of turnsOf(messages)) {
    if (turn.kind === 'question') continue
    if (![...turn.shown, ...turn.setAside].some(({ id }) => id === chosen.id)) continue
    return turn.shown.findLast(({ id }) => id !== chosen.id) ?? null
  }
  return null
}

/** The messages once the question's answers made room, where they do. */
export function setAside(messages: Messages, questionId: string, isBeside: boolean): Messages {
  const asked = messages.findIndex(({ id }) => id === questionId)
  if (isBeside || asked === -1) return messages
  return messages.map((message, index) =>
    index > asked ? { ...message, isSetAside: true } : message,
  )
}
