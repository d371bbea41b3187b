/**
 * The chat window's conversations: stored messages, and answers that come through the same
 * `completeChat` as everybody else's. What has arrived of an answer is stored while it streams, so
 * that a crash loses half a second of it and nothing before.
 */
import type { AgentMeta } from '../shared/chat.ts'
import { turnsOf, type Turn } from '../shared/conversation-turns.ts'
import type { AnswerMeta, Conversation, ConversationMessage, Router } from '../shared/entities.ts'
import { StreamBroken } from './chat/attempts.ts'
import type { AnswerChat, ExecutionPart } from './agents/agent-call.ts'
import { ClientClosed, type ChatPart } from './chat/chat-call.ts'
import { toChatMessages } from './conversation-turns.ts'
import { DashboardError } from './dashboard/dashboard.ts'
import { ServiceError } from './errors.ts'
import type { LiveConfiguration } from './storage/live-configuration.ts'
import type { ConversationStore } from './storage/storage.ts'

export interface ConversationsOptions {
  store: ConversationStore
  answerChat: AnswerChat
  configuration: LiveConfiguration
  now: () => number
  newId: () => string
  onChanged: () => void
  /** Told of what is a bug of ours; the person sees that something went wrong. */
  onBug: (error: unknown) => void
}

export interface ChatInput {
  /** Null begins a new conversation. */
  conversationId: string | null
  routerId: string
  /** Who answers; null or left out: a model of the router's choice. */
  agent?: string | null
  text: string
}

/** The last question once more, of a model of the person's choice. */
export interface AgainInput {
  conversationId: string
  routerId: string
  /** `<provider>:<model_name>`, one of the router's. */
  model: string
  /** The answers there are stay beside the new one; else they are set aside for it. */
  isBeside: boolean
}

/** One answer of the chat window, as it is made. */
export interface ChatAnswer {
  conversation: Conversation
  question: ConversationMessage
  answer: ConversationMessage
  /** Text as it arrives; ends when the answer did, however it ended. Not reading it stops nothing. */
  deltas: AsyncIterable<string>
  /** The answer as it was stored at its end; never rejects: a failure is in `state` and `error`. */
  finished: Promise<FinishedAnswer>
  /** Stops the answer; what has arrived is kept. */
  stop(): void
}

export interface FinishedAnswer {
  answer: ConversationMessage
  conversation: Conversation
}

const savedEveryMs = 500
const titleCharacters = 60

export class Conversations {
  readonly #options: ConversationsOptions
  readonly #running = new Map<AbortController, Running>()

  constructor(options: ConversationsOptions) {
    this.#options = options
  }

  /** Most recently used first. */
  list(): Promise<Conversation[]> {
    return this.#options.store.list()
  }

  /** Oldest first. */
  messages(id: string): Promise<ConversationMessage[]> {
    return this.#options.store.messages(id)
  }

  /** @throws DashboardError not_found */
  async rename(id: string, title: string): Promise<Conversation> {
    const conversation = { ...(await this.#existing(id)), title }
    await this.#options.store.save(conversation)
    this.#options.onChanged()
    return conversation
  }

  /** Ends its answers first: nobody would see them. */
  async remove(id: string): Promise<void> {
    for (const [controller, { conversationId }] of this.#running) {
      if (conversationId === id) controller.abort(new ClientClosed())
    }
    await this.#options.store.remove(id)
    this.#options.onChanged()
  }

  /** @throws ServiceError router_not_found. @throws DashboardError not_found (the conversation) */
  async send(input: ChatInput): Promise<ChatAnswer> {
    const router = this.#router(input.routerId)
    const conversation = await this.#begin(input)
    const earlier = turnsOf(await this.#options.store.messages(conversation.id))
    const question = this.#newMessage('user', input.text)
    await this.#options.store.saveMessage(conversation.id, question)
    return this.#answer({ router, conversation, model: null, earlier, question })
  }

  /**
   * Asks the last question again.
   * @throws ServiceError router_not_found. @throws DashboardError not_found (the conversation), conflict
   * where there is nothing to ask again yet
   */
  async again({ conversationId, routerId, model, isBeside }: AgainInput): Promise<ChatAnswer> {
    const { store } = this.#options
    const router = this.#router(routerId)
    const conversation = await this.#existing(conversationId)
    const turns = turnsOf(await store.messages(conversationId))
    const [earlier, last] = [turns.slice(0, -1), turns.at(-1)]
    if (!last || last.answers.some(({ state }) => state === 'streaming')) {
      throw new DashboardError('conflict', 'Wait until the question is answered, or stop that.')
    }
    if (!isBeside) await this.#setAside(conversationId, last.answers)
    return this.#answer({ router, conversation, model, earlier, question: last.question })
  }

  /**
   * Keeps this one of the answers to its question and sets the others aside.
   * @returns the thread, oldest first. @throws DashboardError not_found
   */
  async keep(conversationId: string, answerId: string): Promise<ConversationMessage[]> {
    const { store, onChanged } = this.#options
    const turns = turnsOf(await store.messages(conversationId))
    const answers = turns.map((turn) => turn.answers).find((some) => some.some(hasId(answerId)))
    const kept = answers?.find(hasId(answerId))
    if (!answers || !kept) throw new DashboardError('not_found', 'This answer is gone.')
    const others = answers.filter((answer) => answer !== kept)
    await this.#setAside(conversationId, others)
    await store.saveMessage(conversationId, { ...kept, isSetAside: false })
    onChanged()
    return store.messages(conversationId)
  }

  async #setAside(conversationId: string, answers: readonly ConversationMessage[]): Promise<void> {
    for (const answer of answers) {
      await this.#options.store.saveMessage(conversationId, { ...answer, isSetAside: true })
    }
  }

  async #answer(asked: Asked): Promise<ChatAnswer> {
    const { conversation, question } = asked
    const { store, onChanged } = this.#options
    const answer: ConversationMessage = { ...this.#newMessage('assistant', ''), state: 'streaming' }
    await store.saveMessage(conversation.id, answer)
    onChanged()

    const controller = new AbortController()
    const generation = { ...asked, answer, signal: controller.signal }
    const { deltas, push, end } = openDeltas()
    const finished = generate(generation, this.#options, push).finally(() => {
      end()
      this.#running.delete(controller)
      onChanged()
    })
    this.#running.set(controller, { conversationId: conversation.id, finished })
    const stop = () => controller.abort(new ClientClosed())
    return { conversation, question, answer, deltas, finished, stop }
  }

  /** Stops every running answer and resolves when what had arrived is stored. */
  async close(): Promise<void> {
    for (const controller of this.#running.keys()) controller.abort(new ClientClosed())
    await Promise.all([...this.#running.values()].map(({ finished }) => finished))
  }

  #router(id: string): Router {
    const router = this.#options.configuration.current().routers.get(id)
    if (!router) throw new ServiceError('router_not_found', 'There is no router with this id.')
    return router
  }

  async #existing(id: string): Promise<Conversation> {
    const conversation = await this.#options.store.get(id)
    if (!conversation) throw new DashboardError('not_found', 'This conversation is gone.')
    return conversation
  }

  async #begin({ conversationId, routerId, agent = null, text }: ChatInput): Promise<Conversation> {
    const known = conversationId === null ? null : await this.#existing(conversationId)
    const { store, newId, now } = this.#options
    const nowMs = now()
    const conversation: Conversation = known
      ? { ...known, routerId, agent, updatedAtMs: nowMs }
      : {
          id: newId(),
          title: titleOf(text),
          routerId,
          agent,
          createdAtMs: nowMs,
          updatedAtMs: nowMs,
        }
    await store.save(conversation)
    return conversation
  }

  #newMessage(role: ConversationMessage['role'], text: string): ConversationMessage {
    const { newId, now } = this.#options
    return {
      id: newId(),
      role,
      text,
      createdAtMs: now(),
      state: 'complete',
      error: null,
      isSetAside: false,
      meta: null,
      agentMeta: null,
    }
  }
}

interface Running {
  conversationId: string
  finished: Promise<FinishedAnswer>
}

interface Asked {
  router: Router
  conversation: Conversation
  /** One of the router's; null lets the router choose. */
  model: string | null
  /** What was said before the question. */
  earlier: readonly Turn[]
  question: ConversationMessage
}

interface Generation extends Asked {
  answer: ConversationMessage
  signal: AbortSignal
}

/** Runs one answer to its end, whoever still looks at it. */
async function generate(
  generation: Generation,
  options: ConversationsOptions,
  push: (text: string) => void,
): Promise<FinishedAnswer> {
  const { conversation, signal } = generation
  const saver = openSaver(generation, options)
  let { answer } = generation
  try {
    for await (const part of await start(generation, options)) {
      const text = textOf(part)
      answer = { ...answer, text: answer.text + text, ...metaOf(part, answer) }
      if (text !== '') push(text)
      saver.save(answer)
    }
    answer = { ...answer, state: 'complete' }
  } catch (error) {
    answer = signal.aborted
      ? { ...answer, state: 'stopped' }
      : { ...answer, state: 'failed', error: wordsFor(error, options.onBug) }
  }
  await saver.finish(answer)
  return { answer, conversation: await asStored(conversation, options) }
}

/** It may have got another title meanwhile. */
async function asStored(
  conversation: Conversation,
  { store, onBug }: ConversationsOptions,
): Promise<Conversation> {
  try {
    return (await store.get(conversation.id)) ?? conversation
  } catch (error) {
    onBug(error)
    return conversation
  }
}

async function start(
  { router, answer, conversation, model, earlier, question, signal }: Generation,
  { answerChat }: ConversationsOptions,
): Promise<AsyncIterable<ChatPart | ExecutionPart>> {
  const { agent } = conversation
  const named = model ?? (agent === null ? null : `agent:${agent}`)
  const admitted = await answerChat.admit({
    // The answer's id is the request's, so that a chip leads to its row in the ledger.
    requestId: answer.id,
    router,
    body: {
      ...(named === null ? {} : { model: named }),
      messages: toChatMessages([...earlier, { question, answers: [] }]),
      stream: true,
    },
    apiKeyId: null,
    source: 'chat',
    acceptAnyModel: false,
    client: null,
    conversation: conversation.id,
    // Who asks again in the window wants another answer.
    cacheUse: 'none',
  })
  return admitted.stream(signal)
}

function hasId(id: string): (message: ConversationMessage) => boolean {
  return (message) => message.id === id
}

function textOf(part: ChatPart | ExecutionPart): string {
  if (part.kind === 'end') return ''
  return part.choices.map(({ delta }) => delta.content ?? '').join('')
}

function metaOf(
  part: ChatPart | ExecutionPart,
  answer: ConversationMessage,
): { meta: AnswerMeta | null; agentMeta: AgentMeta | null } {
  if (part.kind !== 'end') return { meta: null, agentMeta: null }
  if ('execution_id' in part.meta) return { meta: null, agentMeta: part.meta }
  const { cost, ...meta } = part.meta
  return { meta: { requestId: answer.id, costUsd: cost, ...meta }, agentMeta: null }
}

function wordsFor(error: unknown, onBug: (error: unknown) => void): string {
  if (error instanceof StreamBroken) return error.error.message
  if (error instanceof ServiceError) return error.message
  onBug(error)
  return 'Something went wrong in Modelport. Try again.'
}

function titleOf(text: string): string {
  const line = text.trim().replaceAll(/\s+/g, ' ')
  return line.length <= titleCharacters ? line : `${line.slice(0, titleCharacters - 1)}…`
}

/** Stores the growing answer now and then, one write at a time, and its end for certain. */
function openSaver({ conversation }: Generation, { store, now, onBug }: ConversationsOptions) {
  let savedAtMs = now()
  let saving = Promise.resolve()
  const write = (answer: ConversationMessage) => {
    saving = saving.then(() => store.saveMessage(conversation.id, answer)).catch(onBug)
    return saving
  }
  return {
    save(answer: ConversationMessage): void {
      if (now() - savedAtMs < savedEveryMs) return
      savedAtMs = now()
      void write(answer)
    },
    finish: write,
  }
}

/** A queue that is read at the reader's pace, or not at all. */
function openDeltas() {
  let isRead = true
  let controller: ReadableStreamDefaultController<string> | null = null
  const deltas = new ReadableStream<string>({
    start: (opened) => void (controller = opened),
    cancel: () => void (isRead = false),
  })
  return {
    deltas,
    push: (text: string) => isRead && controller?.enqueue(text),
    end: () => isRead && controller?.close(),
  }
}
