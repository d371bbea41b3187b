import { create } from 'zustand'
import type { Attachment } from '../../../shared/chat/attachments.ts'
import type { ChatSent } from '../../../shared/chat/chat-calls.ts'
import type {
  Conversation,
  ConversationMessage,
  Instructions,
  PresetCopy,
} from '../../../shared/chat/conversations.ts'
import type { Router } from '../../../shared/entities.ts'
import { agentOf, forgetAgentChoice, useAgentChoices } from './chat-agents.ts'
import { call, CallError, toCallError } from './client.ts'
import { saveSoon } from './draft-saving.ts'
import { createListStore } from './list.ts'
import { usualRouter } from './last-answer.ts'
import { arrivingIn, followAnswer, useLiveAnswers, type AnswerStream } from './live-answers.ts'
import { loadThumbs } from './thumbs.ts'
import type { Queue } from './queue-state.ts'
import { messagesOf, threadOf } from './stored-messages.ts'
import { collectStreamPorts, type PortSource, type StreamPorts } from './stream-ports.ts'

export const useConversations = createListStore(() => call('conversations:list'))

/** The key of a new conversation. */
export const newConversation = 'new'

export const noInstructions: Instructions = { systemPrompt: '', parameters: {} }

export interface Thread {
  /** Null until loaded. */
  messages: readonly ConversationMessage[] | null
  /** The last error of loading or sending; null after success. */
  error: CallError | null
}

/** What the next new conversation begins with. */
export interface Beginning {
  instructions: Instructions
  preset: PresetCopy | null
  routerId: string | null
}

interface ChatState {
  /** A conversation's id, or `newConversation`. */
  current: string
  threads: Readonly<Record<string, Thread>>
  /** Unsent messages by conversation. They survive leaving the page, and a restart. */
  drafts: Readonly<Record<string, string>>
  /** Files of unsent messages, by conversation. */
  attached: Readonly<Record<string, readonly Attachment[]>>
  /** By conversation; stored with the draft. */
  queues: Readonly<Record<string, Queue>>
  /** Of the next new conversation. */
  newInstructions: Instructions
  newPreset: PresetCopy | null
  /** Of the next new conversation. */
  newFolderId: string | null
  /** What the folder's preset gave it, and what it had before; null without such a folder. */
  fromFolder: { given: Beginning; before: Beginning } | null
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
  attached: {},
  queues: {},
  newInstructions: noInstructions,
  newPreset: null,
  newFolderId: null,
  fromFolder: null,
  routerChoices: {},
  sending: null,
  areChartsShown: false,
}))

/** How many thumbs are loaded at once. Older answers show none. */
const mostThumbs = 1000

const draftPauseMs = 300
/** Conversations that may have changed elsewhere since their messages were read. */
const staleThreads = new Set<string>()
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

/** Opens a conversation and reads its messages if needed. Those that are known are shown meanwhile. */
export async function openConversation(id: string): Promise<void> {
  useChat.setState({ current: id })
  if (id === newConversation) return
  const isKnown = Boolean(useChat.getState().threads[id]?.messages)
  const isStale = staleThreads.has(id) && !isArriving(id)
  if (!isKnown || isStale) await readMessages(id)
}

/** Whether an answer arrives. What is stored of it is older than what is shown. */
function isArriving(id: string): boolean {
  return arrivingIn(messagesShown(id)).length > 0
}

/** Changes an unsent message, which is stored once the user pauses. */
export function setDraft(conversation: string, text: string): void {
  useChat.setState(({ drafts }) => ({ drafts: { ...drafts, [conversation]: text } }))
  saveSoon(conversation, { text }, draftPauseMs)
}

/** Changes the files of an unsent message. */
export function setAttached(conversation: string, attachments: readonly Attachment[]): void {
  useChat.setState(({ attached }) => ({ attached: { ...attached, [conversation]: attachments } }))
  saveSoon(conversation, { attachments: [...attachments] }, 0)
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
  /** A model of the router, taken instead of its choice. */
  model?: string | null
  text: string
  /** The files of a message that is not the draft, which then stays. */
  queuedFiles?: readonly Attachment[] | undefined
  /** Of a message that waited in a queue. */
  queuedId?: string | null
}): Promise<string | null> {
  const { conversation: key, routerId, model = null, text, queuedFiles, queuedId = null } = message
  const conversationId = key === newConversation ? null : key
  const known = useConversations.getState().items?.find(({ id }) => id === key)
  const agent = agentOf(known, useAgentChoices.getState()[key])
  const before = useChat.getState()
  const begun = await beginAnswer(key, () =>
    call('chat:send', {
      conversationId,
      routerId,
      agent,
      model,
      text,
      attachments: [...(queuedFiles ?? useChat.getState().attached[key] ?? [])],
      ...instructionsFor(key),
      folderId: useChat.getState().newFolderId,
      preset: useChat.getState().newPreset,
      queuedId,
    }),
  )
  if (begun === null || begun instanceof CallError) return null
  const { conversation, question } = begun.sent
  const { id } = conversation
  if (!queuedFiles) {
    // What was typed and attached while the message was accepted stays.
    const { drafts, attached } = useChat.getState()
    const sent = before.drafts[key] ?? ''
    const written = drafts[key] ?? ''
    const typed = written.startsWith(sent) ? written.slice(sent.length) : written
    const added = attached[key]?.filter((file) => !before.attached[key]?.includes(file)) ?? []
    setDraft(key, '')
    setAttached(key, [])
    if (typed !== '') setDraft(id, typed)
    if (added.length > 0) setAttached(id, added)
  }
  forgetAgentChoice(key)
  changeThread(id, ({ messages }) => ({ messages: [...(messages ?? []), question], error: null }))
  void begun.show()
  keepConversation(conversation)
  chooseRouter(id, routerId)
  clearError(key)
  useChat.setState(({ current }) => ({ current: current === key ? id : current }))
  if (key === newConversation)
    useChat.setState({ newInstructions: noInstructions, newPreset: null, newFolderId: null })
  return id
}

/** What a message says of its conversation's instructions: a new conversation begins with them. */
export function instructionsFor(conversation: string): { instructions?: Instructions } {
  if (conversation !== newConversation) return {}
  return { instructions: useChat.getState().newInstructions }
}

/** An answer that was accepted; `show` puts it into its thread and resolves to the final answer. */
export interface BegunAnswer {
  sent: ChatSent
  show(): Promise<ConversationMessage>
}

/**
 * Asks for an answer; one at a time, until the main process has accepted it. Never rejects: an error is in the
 * thread's `error`.
 * @returns null when another one is being sent
 */
export async function beginAnswer(
  conversation: string,
  send: () => Promise<ChatSent>,
): Promise<BegunAnswer | CallError | null> {
  const known = ports
  if (!known || useChat.getState().sending !== null) return null
  useChat.setState({ sending: conversation })
  try {
    const sent = await send()
    const { id } = sent.conversation
    const port = known.take(sent.streamId)
    return {
      sent,
      show() {
        changeThread(id, ({ messages }) => ({
          messages: [...(messages ?? []), sent.answer],
          error: null,
        }))
        return follow(id, sent.answer, port)
      },
    }
  } catch (reason) {
    const error = toCallError(reason)
    showThreadError(conversation, error)
    return error
  } finally {
    useChat.setState({ sending: null })
  }
}

/** Stops a streaming answer and keeps the partial text. */
export function stopAnswer(messageId: string): void {
  streams.get(messageId)?.stop()
}

/** Reloads the list and the open thread after a change elsewhere; the other threads when they are opened. Never rejects. */
export async function refreshChat(): Promise<void> {
  const { current, threads } = useChat.getState()
  const isRead = current !== newConversation && !isArriving(current)
  for (const id of Object.keys(threads)) staleThreads.add(id)
  await useConversations.getState().load()
  if (isRead) await readMessages(current)
}

/** Follows an answer that another window asked for. Never rejects. */
export async function followElsewhere(sent: ChatSent): Promise<void> {
  if (!ports) return
  const { id } = sent.conversation
  void follow(id, sent.answer, ports.take(sent.streamId))
  if (useChat.getState().threads[id]?.messages) await readMessages(id)
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
      const last = end?.answer ?? { ...answer, text, state: 'stopped' as const }
      // Meanwhile the person may have returned to an older answer.
      const shown = messagesShown(conversation)?.findLast(({ id }) => id === answer.id)
      const ended = { ...last, isSetAside: last.isSetAside || (shown?.isSetAside ?? false) }
      replaceMessage(conversation, ended)
      if (end) keepConversation(end.conversation)
      resolve(last)
    })
    streams.set(answer.id, stream)
  })
}

/** Turns of a long conversation that are read first, and are more than a window shows. */
const firstTurns = 40

/** Reads a conversation. Of a long one, its end is there before the rest. Never rejects. */
export async function readMessages(id: string): Promise<void> {
  // What changes from now on may be missing in what is read.
  staleThreads.delete(id)
  try {
    const known = messagesShown(id)
    const { messages, isWhole } = await threadOf(id, known === null ? firstTurns : null)
    if (messagesShown(id) !== known) return await readMessages(id)
    showRead(id, messages)
    const all = isWhole ? messages : await readRest(id, messages)
    await loadThumbs(all.flatMap(({ meta }) => meta?.requestId ?? []).slice(-mostThumbs))
  } catch (error) {
    staleThreads.add(id)
    const failure = toCallError(error)
    readErrors.add(failure)
    changeThread(id, (thread) => ({ ...thread, error: failure }))
  }
}

/** @param shown  what the thread shows of it so far. @returns all messages */
async function readRest(id: string, shown: Thread['messages']): Promise<ConversationMessage[]> {
  const messages = await messagesOf(id)
  const current = messagesShown(id)
  // What was sent meanwhile may be missing in what was read.
  if (current !== shown) return await readRest(id, current)
  showRead(id, messages)
  return messages
}

/** Errors of reading, which end with the next reading that succeeds. Others stay until the next action. */
const readErrors = new WeakSet<CallError>()

function showRead(id: string, messages: Thread['messages']): void {
  changeThread(id, ({ error }) => ({
    messages,
    error: error !== null && readErrors.has(error) ? null : error,
  }))
}

/** The messages of a thread as the window has them; null before they are read. */
export function messagesShown(id: string): Thread['messages'] {
  return useChat.getState().threads[id]?.messages ?? null
}

export function changeThread(id: string, change: (thread: Thread) => Thread): void {
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

export function replaceMessage(conversation: string, message: ConversationMessage): void {
  changeThread(conversation, (thread) => ({
    ...thread,
    messages: thread.messages?.map((old) => (old.id === message.id ? message : old)) ?? null,
  }))
}

/** Moves a changed conversation to the top of the list. */
export function keepConversation(conversation: Conversation): void {
  useConversations.setState(({ items }) => ({
    items: [conversation, ...(items ?? []).filter(({ id }) => id !== conversation.id)],
  }))
}
