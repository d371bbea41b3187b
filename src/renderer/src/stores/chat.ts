import { create } from 'zustand'
import type { Conversation, ConversationMessage, Router } from '../../../shared/entities.ts'
import { agentOf, forgetAgentChoice, useAgentChoices } from './chat-agents.ts'
import { call, CallError, toCallError } from './client.ts'
import { createListStore } from './list.ts'
import { usualRouter } from './last-answer.ts'
import { lastKeptAnswer, otherThan, setAside } from './answers.ts'
import { followAnswer, useLiveAnswers, type AnswerStream } from './live-answers.ts'
import { loadThumbs } from './thumbs.ts'
import { collectStreamPorts, type PortSource, type StreamPorts } from './stream-ports.ts'

export const useConversations = createListStore(() => call('conversations:list'))

/** The key of a new conversation. */
export const newConversation = 'new'

export interface Thread {
  /** Null until loaded. */
  messages: readonly ConversationMessage[] | null
  /** The last error of loading or sending; null after success. */
  error: CallError | null
}

interface ChatState {
  /** A conversation's id, or `newConversation`. */
  current: string
  threads: Readonly<Record<string, Thread>>
  /** Unsent messages by conversation. They survive leaving the page. */
  drafts: Readonly<Record<string, string>>
  /** The router picked in this session, by conversation. */
  routerChoices: Readonly<Record<string, string>>
  /** The conversation whose message is being sent to the main process. */
  sending: string | null
  areChartsShown: boolean
}

export const useChat = create<ChatState>(() => ({
  current: newConversation,
  threads: {},
  drafts: {},
  routerChoices: {},
  sending: null,
  areChartsShown: false,
}))

/** How many thumbs are loaded at once. Older answers show none. */
const mostThumbs = 1000

const streams = new Map<string, AnswerStream>()
let ports: StreamPorts | null = null

/** Starts listening for stream ports. Call it before the first message. */
export function connectChat(source: PortSource): void {
  ports = collectStreamPorts(source)
}

/** The port of a stream outside conversations; null before `connectChat`. */
export function takePort(streamId: string): Promise<MessagePort> | null {
  return ports?.take(streamId) ?? null
}

/**
 * The router of the next message: the picked one, else the previous one. At first that of the last conversation, and
 * the demo only when there is no other.
 */
export function routerOf<Choice extends Pick<Router, 'id' | 'models'>>(
  conversation: string,
  routers: readonly Choice[],
  chat: Pick<ChatState, 'routerChoices'>,
): Choice | undefined {
  const conversations = useConversations.getState().items
  const used = conversations?.find(({ id }) => id === conversation)?.routerId
  const wanted = chat.routerChoices[conversation] ?? used ?? chat.routerChoices[newConversation]
  const last = conversations?.[0]?.routerId ?? null
  return routers.find(({ id }) => id === wanted) ?? usualRouter(routers, last)
}

/** Opens a new conversation on this router. */
export function beginConversation(routerId: string): void {
  chooseRouter(newConversation, routerId)
  useChat.setState({ current: newConversation })
}

/** Opens a conversation and loads its messages if needed. */
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
 * Sends a message and follows its answer. The draft stays when the main process rejects it.
 * Never rejects: an error is in the thread's `error`.
 * @returns the conversation's id; null when nothing was sent
 */
export async function sendMessage(message: {
  conversation: string
  routerId: string
  text: string
}): Promise<string | null> {
  const { conversation: key, routerId, text } = message
  if (!ports || useChat.getState().sending !== null) return null
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
    return id
  } catch (error) {
    changeThread(key, ({ messages }) => ({ messages, error: toCallError(error) }))
    return null
  } finally {
    useChat.setState({ sending: null })
  }
}

/** A changed question, for a new conversation that begins with the turns before it. */
export interface BranchRequest {
  conversation: string
  questionId: string
  routerId: string
  text: string
}

/** Asks a changed question in a new conversation and opens it. Never rejects: an error is in the thread's `error`. */
export async function branchConversation(request: BranchRequest): Promise<void> {
  const { conversation: from, questionId, routerId, text } = request
  if (!ports || useChat.getState().sending !== null) return
  useChat.setState({ sending: from })
  try {
    const sent = await call('chat:branch', { conversationId: from, questionId, routerId, text })
    const { id } = sent.conversation
    const messages = useChat.getState().threads[from]?.messages ?? []
    const earlier = messages.slice(
      0,
      messages.findIndex((message) => message.id === questionId),
    )
    changeThread(id, () => ({ messages: [...earlier, sent.question, sent.answer], error: null }))
    keepConversation(sent.conversation)
    chooseRouter(id, routerId)
    useChat.setState({ current: id })
    void followBranch(id, sent.answer, ports.take(sent.streamId))
  } catch (error) {
    changeThread(from, ({ messages }) => ({ messages, error: toCallError(error) }))
  } finally {
    useChat.setState({ sending: null })
  }
}

/** Follows the answer, then reads the copies of the earlier messages, which have ids of their own. */
async function followBranch(
  id: string,
  answer: ConversationMessage,
  port: Promise<MessagePort>,
): Promise<void> {
  await follow(id, answer, port)
  await readMessages(id)
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
  if (!ports || useChat.getState().sending !== null) return null
  useChat.setState({ sending: id })
  try {
    const replaced = lastKeptAnswer(useChat.getState().threads[id]?.messages ?? [])
    const sent = await call('chat:again', { conversationId: id, routerId, model, isBeside })
    changeThread(id, ({ messages }) => ({
      messages: [...setAside(messages ?? [], sent.question.id, isBeside), sent.answer],
      error: null,
    }))
    const arriving = follow(id, sent.answer, ports.take(sent.streamId))
    if (!isBeside && replaced) void tellOfReplacement(id, replaced, arriving)
    return null
  } catch (reason) {
    const error = toCallError(reason)
    showThreadError(id, error)
    return error
  } finally {
    useChat.setState({ sending: null })
  }
}

/**
 * Continues the last answer where it broke off or was stopped, and follows it. Never rejects: an error is in the
 * thread's `error`.
 */
export async function continueAnswer(id: string, routerId: string): Promise<void> {
  if (!ports || useChat.getState().sending !== null) return
  useChat.setState({ sending: id })
  try {
    const sent = await call('chat:continue', { conversationId: id, routerId })
    changeThread(id, ({ messages }) => ({
      messages: [...setAside(messages ?? [], sent.question.id, false), sent.answer],
      error: null,
    }))
    void follow(id, sent.answer, ports.take(sent.streamId))
  } catch (error) {
    changeThread(id, ({ messages }) => ({ messages, error: toCallError(error) }))
  } finally {
    useChat.setState({ sending: null })
  }
}

/** Keeps one of several answers and records it as the preferred one. Never rejects. */
export async function keepAnswer(id: string, chosen: ConversationMessage): Promise<void> {
  const before = useChat.getState().threads[id]?.messages ?? []
  const other = otherThan(chosen, before)
  try {
    const messages = await call('chat:keep', { conversationId: id, answerId: chosen.id })
    changeThread(id, () => ({ messages, error: null }))
    if (!other) return
    // Earlier feedback may contradict this choice.
    await takeBack('regenerated', chosen)
    await takeBack('preferred', other)
    await tellOf(id, 'preferred', [chosen, other])
  } catch (error) {
    changeThread(id, ({ messages }) => ({ messages, error: toCallError(error) }))
  }
}

/** Records that an answer was replaced, once the new answer is complete. */
async function tellOfReplacement(
  conversation: string,
  replaced: ConversationMessage,
  arriving: Promise<ConversationMessage>,
): Promise<void> {
  const answer = await arriving
  if (answer.state === 'complete') await tellOf(conversation, 'regenerated', [replaced, answer])
}

/** Records feedback on the answers of two models. Two answers of one model express no preference. */
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

/** Stops a streaming answer and keeps the partial text. */
export function stopAnswer(messageId: string): void {
  streams.get(messageId)?.stop()
}

/** @throws CallError when the title is invalid or the conversation does not exist */
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

/** Reloads the list and the open thread after a change elsewhere. Never rejects. */
export async function refreshChat(): Promise<void> {
  const { current, threads } = useChat.getState()
  const messages = threads[current]?.messages ?? []
  const isArriving = messages.some(({ id }) => id in useLiveAnswers.getState())
  await useConversations.getState().load()
  if (current !== newConversation && !isArriving) await readMessages(current)
}

/** Follows a stream. Resolves to the final answer. */
async function follow(
  conversation: string,
  answer: ConversationMessage,
  port: Promise<MessagePort>,
): Promise<ConversationMessage> {
  useLiveAnswers.setState({ [answer.id]: answer.text })
  const opened = await port
  return new Promise((resolve) => {
    const stream = followAnswer(answer, opened, (end) => {
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

export function showThreadError(id: string, error: CallError): void {
  changeThread(id, ({ messages }) => ({ messages, error }))
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

/** Moves a changed conversation to the top of the list. */
function keepConversation(conversation: Conversation): void {
  useConversations.setState(({ items }) => ({
    items: [conversation, ...(items ?? []).filter(({ id }) => id !== conversation.id)],
  }))
}
