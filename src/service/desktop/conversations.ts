/**
 * The conversations of the chat window. Answers go through the same `completeChat` as API requests.
 * Partial answers are stored while they stream, so a crash loses at most half a second.
 */
import { contentText, type AgentMeta } from '../../shared/chat.ts'
import { turnsOf, type Turn } from '../../shared/conversation-turns.ts'
import type {
  AnswerMeta,
  Conversation,
  ConversationMessage,
  Router,
} from '../../shared/entities.ts'
import type { Preview } from '../../shared/preview.ts'
import { StreamBroken } from '../chat/attempts/attempts.ts'
import type { AnswerChat, ExecutionPart } from '../agents/agent-call.ts'
import { ClientClosed, type ChatPart } from '../chat/chat-call.ts'
import type { PreviewChat } from '../chat/preview.ts'
import { toChatMessages } from './conversation-turns.ts'
import { windowCall } from './window-call.ts'
import { DashboardError } from '../dashboard/dashboard.ts'
import { ServiceError } from '../errors.ts'
import type { LiveConfiguration } from '../storage/live-configuration.ts'
import type { ConversationStore } from '../storage/storage.ts'

export interface ConversationsOptions {
  store: ConversationStore
  answerChat: AnswerChat
  previewChat: PreviewChat
  configuration: LiveConfiguration
  now: () => number
  newId: () => string
  onChanged: () => void
  /** Called with unexpected errors; the user sees a general message. */
  onBug: (error: unknown) => void
}

export interface ChatInput {
  /** Null starts a new conversation. */
  conversationId: string | null
  routerId: string
  /** The agent that answers. Null or missing: the router chooses a model. */
  agent?: string | null
  text: string
}

/** A message whose model the router would choose. */
export type PreviewInput = Pick<ChatInput, 'conversationId' | 'routerId' | 'text'>

/** A request to answer the last question again with a model that the user chose. */
export interface AgainInput {
  conversationId: string
  routerId: string
  /** `<provider>:<model_name>`, a model of the router. */
  model: string
  /** True keeps the existing answers beside the new one; false sets them aside. */
  isBeside: boolean
}

/** An answer while it streams. */
export interface ChatAnswer {
  conversation: Conversation
  question: ConversationMessage
  answer: ConversationMessage
  /** Text as it arrives. Ends when the answer ends. The answer continues even if this is not read. */
  deltas: AsyncIterable<string>
  /** The stored final answer. Never rejects: a failure is in `state` and `error`. */
  finished: Promise<FinishedAnswer>
  /** Stops the answer and keeps the partial text. */
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

  /** Deletes a conversation and stops its running answers first. */
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

  /** The decision for a message that is not sent. @throws ServiceError as `previewChat` */
  async preview({ conversationId, routerId, text }: PreviewInput): Promise<Preview> {
    const { store, newId, previewChat } = this.#options
    const stored = conversationId === null ? [] : await store.messages(conversationId)
    const messages = [...toChatMessages(turnsOf(stored)), { role: 'user' as const, content: text }]
    const router = this.#router(routerId)
    return previewChat(
      windowCall({ requestId: newId(), router, conversationId, model: null, messages }),
    )
  }

  /**
   * Answers the last question again.
   * @throws ServiceError router_not_found. @throws DashboardError not_found (the conversation), conflict
   * while an answer is streaming
   */
  async again({ conversationId, routerId, model, isBeside }: AgainInput): Promise<ChatAnswer> {
    const { store } = this.#options
    const router = this.#router(routerId)
    const conversation = await this.#existing(conversationId)
    const turns = turnsOf(await store.messages(conversationId))
    const [earlier, last] = [turns.slice(0, -1), turns.at(-1)]
    if (!last || last.answers.some(({ state }) => state === 'streaming')) {
      throw new DashboardError('conflict', 'Wait for the answer, or stop it first.')
    }
    if (!isBeside) await this.#setAside(conversationId, last.answers)
    return this.#answer({ router, conversation, model, earlier, question: last.question })
  }

  /**
   * Keeps one answer and sets the other answers to the same question aside.
   * @returns the thread, oldest first. @throws DashboardError not_found
   */
  async keep(conversationId: string, answerId: string): Promise<ConversationMessage[]> {
    const { store, onChanged } = this.#options
    const turns = turnsOf(await store.messages(conversationId))
    const answers = turns.map((turn) => turn.answers).find((some) => some.some(hasId(answerId)))
    const kept = answers?.find(hasId(answerId))
    if (!answers || !kept) throw new DashboardError('not_found', 'This answer no longer exists.')
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

  async #answer(request: AnswerRequest): Promise<ChatAnswer> {
    const { conversation, question } = request
    const { store, onChanged } = this.#options
    const answer: ConversationMessage = { ...this.#newMessage('assistant', ''), state: 'streaming' }
    await store.saveMessage(conversation.id, answer)
    onChanged()

    const controller = new AbortController()
    const generation = { ...request, answer, signal: controller.signal }
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

  /** Stops all running answers and resolves when their partial texts are stored. */
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
    if (!conversation) throw new DashboardError('not_found', 'This conversation no longer exists.')
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

interface AnswerRequest {
  router: Router
  conversation: Conversation
  /** A model of the router; null lets the router choose. */
  model: string | null
  /** The turns before the question. */
  earlier: readonly Turn[]
  question: ConversationMessage
}

interface Generation extends AnswerRequest {
  answer: ConversationMessage
  signal: AbortSignal
}

/** Runs an answer to its end, even if the window is closed. */
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

/** Reads the conversation again, because its title may have changed. */
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
  const call = windowCall({
    // The answer and its request share an id, so that the chip can find the row in the ledger.
    requestId: answer.id,
    router,
    conversationId: conversation.id,
    model: model ?? (agent === null ? null : `agent:${agent}`),
    messages: toChatMessages([...earlier, { question, answers: [] }]),
  })
  const admitted = await answerChat.admit(call)
  return admitted.stream(signal)
}

function hasId(id: string): (message: ConversationMessage) => boolean {
  return (message) => message.id === id
}

function textOf(part: ChatPart | ExecutionPart): string {
  if (part.kind === 'end') return ''
  return part.choices.map(({ delta }) => contentText(delta.content)).join('')
}

function metaOf(
  part: ChatPart | ExecutionPart,
  answer: ConversationMessage,
): { meta: AnswerMeta | null; agentMeta: AgentMeta | null } {
  if (part.kind !== 'end') return { meta: null, agentMeta: null }
  if ('execution_id' in part.meta) return { meta: null, agentMeta: part.meta }
  const { cost, ...figures } = part.meta
  const fallback = 'fallback' in part ? part.fallback : null
  const meta = { requestId: answer.id, costUsd: cost, ...figures, fallback }
  return { meta, agentMeta: null }
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

/** Stores a growing answer every half second, one write at a time, and always stores its end. */
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

/** An unbounded queue of deltas. Dropping the reader does not stop the writer. */
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
