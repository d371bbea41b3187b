/** The shown path of a conversation, as turns. The window and the service share it, so that both keep the same answers. */
import type { ConversationMessage } from './conversations.ts'

/** What tells the place of a message in the tree. */
export type Placed = Pick<
  ConversationMessage,
  'id' | 'parentId' | 'role' | 'state' | 'text' | 'isSetAside'
> &
  Partial<Pick<ConversationMessage, 'toolSteps' | 'attachments' | 'imported'>>

/** One question of the path with its answers. */
export interface Turn<Message extends Placed = ConversationMessage> {
  question: Message
  /** The question and what was asked in its place, oldest first. */
  questions: readonly Message[]
  /** Answers, oldest first. */
  answers: readonly Message[]
}

/**
 * The path that is shown, oldest turn first. Answers that follow no question are left out.
 * @param first  its first turns, where they are known
 */
export function turnsOf<Message extends Placed>(
  messages: readonly Message[],
  first: readonly Turn<Message>[] = [],
): Turn<Message>[] {
  const turns = [...first]
  const last = first.at(-1)
  const end = last && endOf(last)
  // A parent is stored before its children.
  const later = end ? messages.slice(messages.indexOf(end) + 1) : messages
  const children = Map.groupBy(later, ({ parentId }) => parentId)
  const under = (id: string | null, role: Message['role']) =>
    (children.get(id) ?? []).filter((message) => message.role === role)
  let parentId = end?.id ?? null
  for (;;) {
    const questions = under(parentId, 'user')
    const question = questions.findLast(({ isSetAside }) => !isSetAside) ?? questions.at(-1)
    if (!question) return turns
    const turn = { question, questions, answers: under(question.id, 'assistant') }
    turns.push(turn)
    parentId = endOf(turn).id
  }
}

/**
 * The last turns of the shown path as a thread of its own: each with its versions and answers, without the branches that
 * follow those.
 */
export function endOfThread<Message extends Placed>(
  messages: readonly Message[],
  turns: number,
): Message[] {
  const [first, ...later] = turnsOf(messages).slice(-turns)
  if (!first) return []
  const questions = first.questions.map((question) => ({ ...question, parentId: null }))
  return [
    ...questions,
    ...first.answers,
    ...later.flatMap((turn) => [...turn.questions, ...turn.answers]),
  ]
}

/**
 * Whether a question tells a model nothing. An imported answer that follows no question follows such a one, and so may a
 * question whose file the export lacks.
 */
export function isUnsaid(question: { text: string; attachments: readonly unknown[] }): boolean {
  return question.text === '' && question.attachments.length === 0
}

/** US dollars of these answers. */
export function costUsdOf(
  messages: readonly Pick<ConversationMessage, 'meta' | 'agentMeta'>[],
): number {
  return messages.reduce(
    (sum, { meta, agentMeta }) => sum + (meta?.costUsd ?? agentMeta?.total_cost ?? 0),
    0,
  )
}

/** The message of a turn that the next question follows. */
export function endOf<Message extends Placed>({ question, answers }: Turn<Message>): Message {
  return keptAnswer(answers) ?? answers.at(-1) ?? question
}

/** The message and everything that follows it, in all branches. */
export function subtreeOf<Message extends Placed>(
  messages: readonly Message[],
  id: string,
): Message[] {
  const ids = new Set([id])
  // A parent is stored before its children.
  for (const { id: child, parentId } of messages)
    if (parentId !== null && ids.has(parentId)) ids.add(child)
  return messages.filter((message) => ids.has(message.id))
}

/** The messages before a message, on its own path, oldest first. */
export function ancestorsOf<Message extends Placed>(
  messages: readonly Message[],
  { parentId }: Placed,
): Message[] {
  const ids = new Map(messages.map((message) => [message.id, message]))
  const path: Message[] = []
  for (let id = parentId; id !== null;) {
    const message = ids.get(id)
    if (!message) break
    path.unshift(message)
    id = message.parentId
  }
  return path
}

/** What can be shown in the place of a message: itself and its siblings, oldest first. */
export function siblingsOf<Message extends Placed>(
  messages: readonly Message[],
  { parentId, role }: Placed,
): Message[] {
  return messages.filter((other) => other.parentId === parentId && other.role === role)
}

/**
 * The answer that a conversation continues with: the last usable one that is not set aside. If a new answer failed or was
 * stopped before its first word, this is the answer it was meant to replace.
 * @returns null when no answer is usable
 */
export function keptAnswer<Message extends Placed>(answers: readonly Message[]): Message | null {
  const usable = answers.filter(isUsable)
  return usable.findLast(({ isSetAside }) => !isSetAside) ?? usable.at(-1) ?? null
}

/** Whether it has text or calls of tools. An imported answer may consist of an image or of details. */
function isUsable({ state, text, toolSteps = [], attachments = [], imported }: Placed): boolean {
  const isWithoutText = attachments.length > 0 || (imported?.details.length ?? 0) > 0
  if (text !== '' || toolSteps.length > 0) return state !== 'failed'
  return state === 'complete' && isWithoutText
}
