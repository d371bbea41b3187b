import { create } from 'zustand'
import type { Conversation, ConversationMessage } from '../../../shared/entities.ts'
import { agentOf, forgetAgentChoice, useAgentChoices } from './chat-agents.ts'
import { call, CallError, toCallError } from './client.ts'
import { createListStore } from './list.ts'
import { keptAnswer, otherThan, setAside } from './answers.ts'
import { followAnswer, useLiveAnswers, type AnswerStream } from './live-answers.ts'
import { loadThumbs } from './thumbs.ts'
import { collectStreamPorts, type PortSource, type StreamPorts } from './stream-ports.ts'

export const useConversations = createListStore(() => call('conversations:list'))

/** The key of the conversation that has not begun yet. */
export const newConversation = 'new'

export interface Thread {
  /** Null until they were read once. */
  messages: readonly ConversationMessage[] | null
  /** Why reading or sending failed last; null after one that did not. */
  error: CallError | null
}

interface ChatState {
  /** A conversation's id, or `newConversation`. */
  current: string
  threads: Readonly<Record<string, Thread>>
  /** What stands in the composer, by conversation: it survives leaving the page. */
  drafts: Readonly<Record<string, string>>
  /** The router picked for a conversation in this session, by conversation. */
  routerChoices: Readonly<Record<string, string>>
  /** The conversation whose message is on its way to the main process. */
  sending: string | null
  areChartsShown: boolean
}

export const useChat = create<ChatState>(() => ({
  current: newConversation,
  threads: {},
  drafts: {},
  routerChoices: {},
  sending: null,
  areChartsShown: true,
}))

/** As many as are asked about at once; older answers show none. */
const mostThumbs = 1000

const streams = new Map<string, AnswerStream>()
let ports: StreamPorts | null = null

/** Begins to hear the ports that answers stream through; must come before the first message. */
export function connectChat(source: PortSource): void {
  ports = collectStreamPorts(source)
}

/** The port of a stream that is no answer of a conversation; null before any are heard. */
export function takePort(streamId: string): Promise<MessagePort> | null {
  return ports?.take(streamId) ?? null
}

/** The router a conversation's next message goes to: picked, used before, or the first there is. */
export function routerOf(
  conversation: string,
  routerIds: readonly string[],
  chat: Pick<ChatState, 'routerChoices'>,
): string | null {
  const used = useConversations.getState().items?.find(({ id }) => id === conversation)?.routerId
  const wanted = chat.routerChoices[conversation] ?? used ?? chat.routerChoices[newConversation]
  return routerIds.find((id) => id === wanted) ?? routerIds[0] ?? null
}

/** Shows a conversation, reading its messages when they are not there yet. */
export async function openConversation(id: string): Promise<void> {
  useChat.setState({ current: id })
  if (id !== newConversation && !useChat.getState().threads[id]?.messages) await readMessages(id)
}

export function setDraft(conversation: string, text: string): void {
  useChat.setState(({ drafts }) => ({ drafts: { ...drafts, [conversation]: text } }))
}

export function chooseRouter(conversation: string, routerId: string): void {
  useChat.setState(({ routerChoices }) => ({
    routerChoices: { ...routerChoices, [conversation]: routerId },
  }))
}

/**
 * Sends a message and follows its answer; the draft stays when the main process refuses it.
 * Never rejects: a refusal stands in the thread's `error`.
 */
export async function sendMessage(message: {
  conversation: string
  routerId: string
  text: string
}): Promise<void> {
  const { conversation: key, routerId, text } = message
  if (!ports || useChat.getState().sending !== null) return
  useChat.setState({ sending: key })
  try {
    const conversationId = key === newConversation ? null : key
    const known = useConversations.getState().items?.find(({ id }) => id === key)
    const agent = agentOf(known, useAgentChoices.getState()[key])
    const sent = await call('chat:send', { conversationId, routerId, agent, text })
    const { id } = sent.conversation
    setDraft(key, '')
    forgetAgentChoice(key)
    changeThread(id, ({ messages }) => ({
      messages: [...(messages ?? []), sent.question, sent.answer],
      error: null,
    }))
    keepConversation(sent.conversation)
    chooseRouter(id, routerId)
    clearError(key)
    useChat.setState(({ current }) => ({ current: current === key ? id : current }))
    void follow(id, sent.answer, ports.take(sent.streamId))
  } catch (error) {
    changeThread(key, ({ messages }) => ({ messages, error: toCallError(error) }))
  } finally {
    useChat.setState({ sending: null })
  }
}

/** The last question once more, of one of the router's models. */
export interface AgainRequest {
  conversation: string
  routerId: string
  model: string
  /** The answers there are stay beside the new one; else they are set aside for it. */
  isBeside: boolean
}

/**
 * Asks the last question again and follows its answer. Where that takes the place of another model's
 * answer, it is told as feedback once it is there. Never rejects: a refusal stands in the thread's `error`.
 */
export async function askAgain(request: AgainRequest): Promise<void> {
  const { conversation: id, routerId, model, isBeside } = request
  if (!ports || useChat.getState().sending !== null) return
  useChat.setState({ sending: id })
  try {
    const replaced = keptAnswer(useChat.getState().threads[id]?.messages ?? [])
    const sent = await call('chat:again', { conversationId: id, routerId, model, isBeside })
    changeThread(id, ({ messages }) => ({
      messages: [...setAside(messages ?? [], sent.question.id, isBeside), sent.answer],
      error: null,
    }))
    const arriving = follow(id, sent.answer, ports.take(sent.streamId))
    if (!isBeside && replaced) void tellOfReplacement(id, replaced, arriving)
  } catch (error) {
    changeThread(id, ({ messages }) => ({ messages, error: toCallError(error) }))
  } finally {
    useChat.setState({ sending: null })
  }
}

/** Keeps one of several answers and tells that it was the better one. Never rejects. */
export async function keepAnswer(id: string, chosen: ConversationMessage): Promise<void> {
  const before = useChat.getState().threads[id]?.messages ?? []
  const other = otherThan(chosen, before)
  try {
    const messages = await call('chat:keep', { conversationId: id, answerId: chosen.id })
    changeThread(id, () => ({ messages, error: null }))
    if (!other) return
    // Whoever changes their mind said the opposite before.
    await takeBack('regenerated', chosen)
    await takeBack('preferred', other)
    await tellOf(id, 'preferred', [chosen, other])
  } catch (error) {
    changeThread(id, ({ messages }) => ({ messages, error: toCallError(error) }))
  }
}

/** Says that an answer was not wanted, once there is another in its place. */
async function tellOfReplacement(
  conversation: string,
  replaced: ConversationMessage,
  arriving: Promise<ConversationMessage>,
): Promise<void> {
  const answer = await arriving
  if (answer.state === 'complete') await tellOf(conversation, 'regenerated', [replaced, answer])
}

/** What is said of two models' answers; two of one model tell nothing. */
async function tellOf(
  conversation: string,
  kind: 'regenerated' | 'preferred',
  [answer, other]: readonly [ConversationMessage, ConversationMessage],
): Promise<void> {
  const [mine, others] = [answer.meta, other.meta]
  if (!mine || !others || mine.modelUsed === others.modelUsed) return
  const { requestId } = mine
  try {
    await call('feedback:give', { requestId, kind, otherRequestId: others.requestId })
  } catch (error) {
    changeThread(conversation, (thread) => ({ ...thread, error: toCallError(error) }))
  }
}

/** Takes back what was said of an answer, if anything was. @throws CallError */
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

/** Ends the answer that is arriving; what has arrived is kept. */
export function stopAnswer(messageId: string): void {
  streams.get(messageId)?.stop()
}

/** @throws CallError when the title is not allowed or the conversation is gone */
export async function renameConversation(id: string, title: string): Promise<void> {
  keepConversation(await call('conversations:rename', { id, title }))
}

/** @throws CallError when it cannot be deleted */
export async function removeConversation(id: string): Promise<void> {
  await call('conversations:remove', { id })
  useChat.setState(({ current, threads }) => {
    const { [id]: _gone, ...others } = threads
    return { threads: others, current: current === id ? newConversation : current }
  })
  await useConversations.getState().load()
}

/** Reads again what the window shows, after something else changed it. Never rejects. */
export async function refreshChat(): Promise<void> {
  const { current, threads } = useChat.getState()
  const messages = threads[current]?.messages ?? []
  const isArriving = messages.some(({ id }) => id in useLiveAnswers.getState())
  await useConversations.getState().load()
  if (current !== newConversation && !isArriving) await readMessages(current)
}

/** Resolves to the answer as it ended. */
async function follow(
  conversation: string,
  answer: ConversationMessage,
  port: Promise<MessagePort>,
): Promise<ConversationMessage> {
  useLiveAnswers.setState({ [answer.id]: '' })
  const opened = await port
  return new Promise((resolve) => {
    const stream = followAnswer(answer.id, opened, (end) => {
      streams.delete(answer.id)
      const text = useLiveAnswers.getState()[answer.id] ?? ''
      const ended = end?.answer ?? { ...answer, text, state: 'stopped' as const }
      replaceMessage(conversation, ended)
      if (end) keepConversation(end.conversation)
      resolve(ended)
    })
    streams.set(answer.id, stream)
  })
}

async function readMessages(id: string): Promise<void> {
  try {
    const messages = await call('conversations:messages', { id })
    changeThread(id, () => ({ messages, error: null }))
    await loadThumbs(messages.flatMap(({ meta }) => meta?.requestId ?? []).slice(-mostThumbs))
  } catch (error) {
    changeThread(id, (thread) => ({ ...thread, error: toCallError(error) }))
  }
}

function changeThread(id: string, change: (thread: Thread) => Thread): void {
  useChat.setState(({ threads }) => ({
    threads: { ...threads, [id]: change(threads[id] ?? { messages: null, error: null }) },
  }))
}

function clearError(id: string): void {
  if (useChat.getState().threads[id]) changeThread(id, (thread) => ({ ...thread, error: null }))
}

function replaceMessage(conversation: string, message: ConversationMessage): void {
  changeThread(conversation, (thread) => ({
    ...thread,
    messages: (thread.messages ?? []).map((old) => (old.id === message.id ? message : old)),
  }))
}

/** Puts a changed conversation on top of the list, where the newest stands. */
function keepConversation(conversation: Conversation): void {
  useConversations.setState(({ items }) => ({
    items: [conversation, ...(items ?? []).filter(({ id }) => id !== conversation.id)],
  }))
}
