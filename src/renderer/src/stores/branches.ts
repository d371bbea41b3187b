/** Other branches of a conversation: questions that are changed, and answers that are asked for again. */
import { siblingsOf, subtreeOf, turnsOf } from '../../../shared/chat/conversation-turns.ts'
import type { ConversationMessage } from '../../../shared/chat/conversations.ts'
import type { Lesson } from '../../../shared/chat/feedback.ts'
import { t } from '../../../shared/strings/strings.ts'
import { inPlaceOfSiblings, lastKeptAnswer, otherThan, setAside } from './answers.ts'
import {
  beginAnswer,
  changeThread,
  keepConversation,
  messagesShown,
  readMessages,
  replaceMessage,
  showThreadError,
} from './chat.ts'
import { call, CallError, toCallError } from './client.ts'
import { showUndo } from './toasts.ts'

/** A changed question. */
export interface EditRequest {
  conversation: string
  question: ConversationMessage
  routerId: string
  text: string
}

/**
 * Asks a changed question as a branch beside the other. Never rejects: an error is in the thread's `error`.
 * @returns whether it was asked
 */
export async function editQuestion(request: EditRequest): Promise<boolean> {
  const { conversation: id, question, routerId, text } = request
  const input = { conversationId: id, questionId: question.id, routerId, text }
  const begun = await beginAnswer(id, () => call('chat:edit', input))
  if (begun === null || begun instanceof CallError) return false
  const { sent } = begun
  const siblings = siblingsOf(messagesShown(id) ?? [], question)
  changeThread(id, ({ messages }) => ({
    messages: [...setAside(messages ?? [], siblings), sent.question],
    error: null,
  }))
  keepConversation(sent.conversation)
  void begun.show()
  return true
}

/** A request to answer the last question again. */
export interface AgainRequest {
  conversation: string
  routerId: string
  /** One of the router's models; null lets the router choose. */
  model: string | null
  /** True keeps the existing answers beside the new one; false sets them aside. */
  isBeside: boolean
}

/**
 * Answers the last question again and follows the answer. When it replaces another model's
 * answer, that counts as feedback once it is complete. Never rejects: an error is in the thread's `error`.
 * @returns the error; null after success
 */
export async function askAgain(request: AgainRequest): Promise<CallError | null> {
  const { conversation: id, routerId, model, isBeside } = request
  const replaced = lastKeptAnswer(messagesShown(id) ?? [])
  const input = { conversationId: id, routerId, model, isBeside }
  const begun = await beginAnswer(id, () => call('chat:again', input))
  if (begun === null || begun instanceof CallError) return begun
  if (!isBeside) setAnswersAside(id)
  const arriving = begun.show()
  if (!isBeside && replaced) {
    void tellOfReplacement(id, replaced, arriving)
    void showAgainIfUnusable(id, replaced, arriving)
  }
  return null
}

/**
 * Continues the last answer where it broke off or was stopped, and follows it. Never rejects: an error is in the
 * thread's `error`.
 */
export async function continueAnswer(id: string, routerId: string): Promise<void> {
  const replaced = lastKeptAnswer(messagesShown(id) ?? [])
  const input = { conversationId: id, routerId }
  const begun = await beginAnswer(id, () => call('chat:continue', input))
  if (begun === null || begun instanceof CallError) return
  setAnswersAside(id)
  const arriving = begun.show()
  if (replaced) void showAgainIfUnusable(id, replaced, arriving)
}

/** Shows a message and its branch in place of its siblings, at once. Never rejects. */
export async function showBranch(id: string, shown: ConversationMessage): Promise<void> {
  changeThread(id, ({ messages }) => ({
    messages: inPlaceOfSiblings(messages ?? [], shown),
    error: null,
  }))
  await inThread(id, async () => {
    try {
      await call('chat:show', { conversationId: id, messageId: shown.id })
    } catch (error) {
      await readMessages(id)
      throw error
    }
    // A person who returns to an answer no longer rejects it.
    await takeBack('regenerated', shown)
  })
}

/**
 * Keeps one of several answers and records it as the preferred one. Never rejects.
 * @returns what it taught; null when nothing was learned
 */
export async function keepAnswer(id: string, chosen: ConversationMessage): Promise<Lesson | null> {
  const other = otherThan(chosen, messagesShown(id) ?? [])
  await showBranch(id, chosen)
  if (!other) return null
  let lesson: Lesson | null = null
  await inThread(id, async () => {
    // Earlier feedback may contradict this choice.
    await takeBack('preferred', other)
    lesson = await tellOf('preferred', [chosen, other])
  })
  return lesson
}

/**
 * Changes the text of a message in its place. Never rejects: an error is in the thread's `error`.
 * @returns whether it was changed
 */
export async function correctMessage(
  id: string,
  { id: messageId }: ConversationMessage,
  text: string,
): Promise<boolean> {
  return await inThread(id, async () => {
    replaceMessage(id, await call('chat:correct', { conversationId: id, messageId, text }))
  })
}

/** Removes a message and what follows it, with a way back. Never rejects: an error is in the thread's `error`. */
export async function removeMessage(id: string, { id: messageId }: ConversationMessage) {
  await inThread(id, async () => {
    const ids = await call('chat:remove-message', { conversationId: id, messageId })
    changeThread(id, ({ messages }) => {
      const removed = new Set(subtreeOf(messages ?? [], messageId))
      return { messages: (messages ?? []).filter((one) => !removed.has(one)), error: null }
    })
    const words = t('{count, plural, one {Deleted 1 message} other {Deleted # messages}}', {
      count: ids.length,
    })
    showUndo(words, async () => {
      await call('chat:restore-messages', { ids })
      await readMessages(id)
    })
  })
}

function setAnswersAside(id: string): void {
  changeThread(id, (thread) => {
    const messages = thread.messages ?? []
    const answers = turnsOf(messages).at(-1)?.answers ?? []
    return { ...thread, messages: setAside(messages, answers) }
  })
}

/** Shows the replaced answer again if the service did so. What happened to the new one is shown below it. */
async function showAgainIfUnusable(
  id: string,
  replaced: ConversationMessage,
  arriving: Promise<ConversationMessage>,
): Promise<void> {
  const { isSetAside } = await arriving
  if (!isSetAside) return
  changeThread(id, (thread) => ({
    ...thread,
    messages: inPlaceOfSiblings(thread.messages ?? [], replaced),
  }))
}

/** Records that an answer was replaced, once the new answer is complete. */
async function tellOfReplacement(
  conversation: string,
  replaced: ConversationMessage,
  arriving: Promise<ConversationMessage>,
): Promise<void> {
  const answer = await arriving
  if (answer.state !== 'complete') return
  await inThread(conversation, async () => void (await tellOf('regenerated', [replaced, answer])))
}

/** Records feedback on the answers of two models. Two answers of one model express no preference. @throws CallError */
async function tellOf(
  kind: 'regenerated' | 'preferred',
  [answer, other]: readonly [ConversationMessage, ConversationMessage],
): Promise<Lesson | null> {
  const [mine, others] = [answer.meta, other.meta]
  if (!mine || !others || mine.modelUsed === others.modelUsed) return null
  const { requestId } = mine
  return call('feedback:give', { requestId, kind, otherRequestId: others.requestId })
}

/** Withdraws feedback on an answer, if there is any. @throws CallError */
async function takeBack(
  kind: 'regenerated' | 'preferred',
  answer: ConversationMessage,
): Promise<void> {
  if (!answer.meta) return
  try {
    await call('feedback:withdraw', { requestId: answer.meta.requestId, kind })
  } catch (error) {
    if (!(error instanceof CallError && error.code === 'not_found')) throw error
  }
}

/** @returns whether it worked */
async function inThread(id: string, work: () => Promise<void>): Promise<boolean> {
  try {
    await work()
    return true
  } catch (error) {
    showThreadError(id, toCallError(error))
    return false
  }
}
