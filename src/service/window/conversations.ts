/**
 * The conversations of the chat window. Answers go through the same `completeChat` as API requests.
 * Partial answers are stored while they stream, so a crash loses at most half a second.
 */
import type { AnswerDelta } from '../../shared/chat/chat-stream.ts'
import {
  costUsdOf,
  endOf,
  isUnsaid,
  keptAnswer,
  turnsOf,
  type Turn,
} from '../../shared/chat/conversation-turns.ts'
import type { Attachment, AttachmentReader, RouterReaders } from '../../shared/chat/attachments.ts'
import type { ChatMessage } from '../../shared/chat/chat.ts'
import type {
  Conversation,
  ConversationMessage,
  Instructions,
  PresetCopy,
} from '../../shared/chat/conversations.ts'
import type { Router } from '../../shared/entities.ts'
import type { Preview } from '../../shared/routers/preview.ts'
import { ClientClosed } from '../chat/chat-call.ts'
import type { PreviewChat } from '../chat/preview.ts'
import { openDeltas } from './answer-deltas.ts'
import { conversationRouter } from './conversation-router.ts'
import { ConversationLibrary, idsOf, refuseStreaming } from './conversation-library.ts'
import type { ToolOffer } from '../../shared/chat/tool-approvals.ts'
import { hasTools, type ConversationTools } from './conversation-tools.ts'
import { bodyOf, partOf, withoutCalls } from './conversation-turns.ts'
import {
  generateAnswer,
  type AnswerRequest,
  type FinishedAnswer,
  type GenerationOptions,
} from './generate-answer.ts'
import type { Titles } from './conversation-titles.ts'
import { windowCall } from './window-call.ts'
import { DashboardError } from '../dashboard/dashboard.ts'
import { ServiceError } from '../errors.ts'
import type { LiveConfiguration } from '../storage/live-configuration.ts'

export interface ConversationsOptions extends Omit<GenerationOptions, 'openTools' | 'routerNow'> {
  tools: ConversationTools
  previewChat: PreviewChat
  configuration: LiveConfiguration
  /** The router's models that can read the content of a message. */
  readersAt: (router: Router, content: NonNullable<ChatMessage['content']>) => AttachmentReader[]
  newId: () => string
  onChanged: () => void
  titles: Titles
}

export interface ChatInput {
  /** Null starts a new conversation. */
  conversationId: string | null
  routerId: string
  /** The agent that answers. Null or missing: the router chooses a model. */
  agent?: string | null
  /** `<provider>:<model_name>`, a model of the router; null or missing: the router or the agent answers. */
  model?: string | null
  text: string
  attachments?: readonly Attachment[]
  /** Of a new conversation; null or missing for none. An existing one has its own. */
  instructions?: Instructions | null
  /** Of a new conversation. */
  folderId?: string | null
  /** Of a new conversation. */
  preset?: PresetCopy | null
}

/** A message whose model the router would choose. */
export type PreviewInput = Omit<ChatInput, 'agent' | 'model' | 'folderId' | 'preset'>

/** A changed question, asked in place of another. */
export interface EditInput extends Pick<ChatInput, 'routerId' | 'text'> {
  conversationId: string
  /** The question that it replaces. */
  questionId: string
}

/** A request to answer the last question again. */
export interface AgainInput {
  conversationId: string
  routerId: string
  /** `<provider>:<model_name>`, a model of the router; null: the router or the conversation's agent answers. */
  model: string | null
  /** True keeps the existing answers beside the new one; false sets them aside. */
  isBeside: boolean
}

/** A request to continue the last answer. */
export type ContinueInput = Pick<AgainInput, 'conversationId' | 'routerId'>

/** An answer while it streams. */
export interface ChatAnswer {
  conversation: Conversation
  question: ConversationMessage
  answer: ConversationMessage
  /** Text and reasoning as they arrive. Ends when the answer ends. The answer continues even if this is not read. */
  deltas: AsyncIterable<AnswerDelta>
  /** The stored final answer. Never rejects: a failure is in `state` and `error`. */
  finished: Promise<FinishedAnswer>
  /** Stops the answer and keeps the partial text. */
  stop(): void
}

const titleCharacters = 60

/** An answer from the beginning to a question that has none. */
const newAnswer = { beginning: null, replaced: null }

const noInstructions: Instructions = { systemPrompt: '', parameters: {} }

export class Conversations extends ConversationLibrary {
  readonly #options: ConversationsOptions
  readonly #running = new Map<AbortController, Running>()

  constructor(options: ConversationsOptions) {
    super(options)
    this.#options = options
  }

  /** Removes a conversation and stops its running answers first; `restore` brings it back. */
  override async remove(id: string): Promise<void> {
    for (const [controller, { conversationId }] of this.#running) {
      if (conversationId === id) controller.abort(new ClientClosed())
    }
    await super.remove(id)
  }

  /** @throws ServiceError router_not_found. @throws DashboardError not_found (the conversation) */
  async send(input: ChatInput): Promise<ChatAnswer> {
    const { id } = this.#router(input.routerId)
    const conversation = await this.#begin(input)
    const messages = await this.#options.store.messages(conversation.id)
    const router = this.#routerFor(id, conversation, messages)
    const earlier = turnsOf(messages)
    const last = earlier.at(-1)
    const question = {
      ...this.#newMessage('user', input.text, last ? endOf(last).id : null),
      attachments: input.attachments ?? [],
    }
    await this.#options.store.saveMessage(conversation.id, question)
    const { model = null } = input
    return this.#answer({ ...newAnswer, router, conversation, model, earlier, question })
  }

  /**
   * Asks a changed question in place of another, as a branch beside it.
   * @throws as `send`, and DashboardError not_found (the question)
   */
  async edit({ conversationId, questionId, routerId, text }: EditInput): Promise<ChatAnswer> {
    const { store } = this.#options
    const known = await this.existing(conversationId)
    const messages = await store.messages(conversationId)
    const router = this.#routerFor(routerId, known, messages)
    const turns = turnsOf(messages)
    const position = turns.findIndex(({ question }) => question.id === questionId)
    const turn = turns[position]
    if (!turn) throw new DashboardError('not_found', 'This question no longer exists.')
    const { agent } = known
    const conversation = await this.#begin({ conversationId, routerId, agent, text })
    const question = {
      ...this.#newMessage('user', text, turn.question.parentId),
      attachments: turn.question.attachments,
    }
    await store.setAside(idsOf(turn.questions), true)
    await store.saveMessage(conversationId, question)
    const earlier = turns.slice(0, position)
    return this.#answer({ ...newAnswer, router, conversation, model: null, earlier, question })
  }

  /** The decision for a message that is not sent. @throws ServiceError as `previewChat` */
  async preview(input: PreviewInput): Promise<Preview> {
    const { conversationId, routerId, text } = input
    const { store, newId, previewChat, tools } = this.#options
    const known = conversationId === null ? input.instructions : await this.existing(conversationId)
    const stored = conversationId === null ? [] : await store.messages(conversationId)
    const message = this.#newMessage('user', text, null)
    const question = { ...message, attachments: input.attachments ?? [] }
    const turns = [...turnsOf(stored), { question, questions: [question], answers: [] }]
    const whole = await bodyOf(known ?? noInstructions, turns, store)
    const router = this.#routerFor(routerId, known ?? noInstructions, stored)
    const request = { router, model: null, conversationId }
    const offered = hasTools(known) ? await tools.offer({ ...request, body: whole }) : null
    const body = offered ? { ...whole, tools: offered.definitions } : withoutCalls(whole)
    return previewChat(windowCall({ requestId: newId(), ...request, body }))
  }

  /** What tools would add to each request of a conversation. @throws ServiceError router_not_found */
  describeTools(of: { conversationId: string | null; routerId: string }): Promise<ToolOffer> {
    return this.#options.tools.describe(this.#router(of.routerId), of.conversationId)
  }

  get approvals(): ConversationTools['approvals'] {
    return this.#options.tools.approvals
  }

  /**
   * Answers the last question again. An answer beside others may start while those are streaming, so that several
   * routers answer at the same time.
   * @throws ServiceError router_not_found. @throws DashboardError not_found (the conversation), conflict
   * without a question, or when an answer to be replaced is streaming
   */
  async again({ conversationId, routerId, model, isBeside }: AgainInput): Promise<ChatAnswer> {
    const conversation = await this.existing(conversationId)
    const { router, earlier, last } = await this.#lastTurn(routerId, conversation)
    if (!isBeside) {
      refuseStreaming(last.answers)
      await this.#options.store.setAside(idsOf(last.answers), true)
    }
    const { question } = last
    const replaced = isBeside ? null : keptAnswer(last.answers)
    const asked = { router, conversation, model, earlier, question }
    return this.#answer({ ...newAnswer, ...asked, replaced })
  }

  /**
   * Continues the last answer, which broke off or was stopped, with the same model where the router still has it.
   * @throws as `again`, and DashboardError conflict without a text to continue
   */
  async continue({ conversationId, routerId }: ContinueInput): Promise<ChatAnswer> {
    const conversation = await this.existing(conversationId)
    const { router, earlier, last } = await this.#lastTurn(routerId, conversation)
    refuseStreaming(last.answers)
    const partial = last.answers.findLast(({ isSetAside }) => !isSetAside)
    if (!partial || partial.state === 'complete' || isEmpty(partial)) {
      throw new DashboardError('conflict', 'There is no partial answer to continue.')
    }
    await this.#options.store.setAside(idsOf(last.answers), true)
    const used = partial.meta?.modelUsed
    const model = router.models.find((id) => id === used) ?? null
    const { question } = last
    const asked = { router, conversation, model, earlier, question }
    return this.#answer({ ...asked, beginning: partial, replaced: keptAnswer(last.answers) })
  }

  /** Which models of each router can read a file as it is sent. @throws DashboardError not_found (its content) */
  async readersOf(attachment: Attachment): Promise<RouterReaders[]> {
    const { store, configuration, readersAt } = this.#options
    const content = [await partOf(attachment, store)]
    return [...configuration.current().routers.values()].map((router) => {
      return {
        routerId: router.id,
        models: router.models.length,
        readers: readersAt(router, content),
      }
    })
  }

  /** @throws as `#routerFor`, and DashboardError conflict without a question */
  async #lastTurn(
    routerId: string,
    conversation: Conversation,
  ): Promise<{ router: Router; earlier: Turn[]; last: Turn }> {
    const messages = await this.#options.store.messages(conversation.id)
    const router = this.#routerFor(routerId, conversation, messages)
    const turns = turnsOf(messages)
    const last = turns.at(-1)
    if (!last || isUnsaid(last.question)) {
      throw new DashboardError('conflict', 'This conversation has no question yet.')
    }
    return { router, earlier: turns.slice(0, -1), last }
  }

  async #answer(request: AnswerRequest): Promise<ChatAnswer> {
    const { router, conversation, question } = request
    const { store, onChanged, titles } = this.#options
    titles.interrupt()
    const answer: ConversationMessage = {
      ...this.#newMessage('assistant', request.beginning?.text ?? '', question.id),
      toolSteps: request.beginning?.toolSteps ?? [],
      sources: request.beginning?.sources ?? [],
      citations: request.beginning?.citations ?? [],
      state: 'streaming',
      routerId: router.id,
    }
    await store.saveMessage(conversation.id, answer)
    onChanged()

    const controller = new AbortController()
    const generation = { ...request, answer, signal: controller.signal }
    const { deltas, push, end } = openDeltas()
    const { tools } = this.#options
    const openTools: GenerationOptions['openTools'] = (asked) => tools.open(asked)
    const routerNow: GenerationOptions['routerNow'] = async (asked) =>
      asked.conversation.parameters.limitUsd === undefined
        ? asked.router
        : this.#routerFor(
            asked.router.id,
            asked.conversation,
            await store.messages(asked.conversation.id),
          )
    const given = { ...this.#options, openTools, routerNow }
    const finished = generateAnswer(generation, given, push).finally(() => {
      end()
      this.#running.delete(controller)
      onChanged()
      titles.nameLater(conversation.id, this.#running.size === 0)
    })
    this.#running.set(controller, { conversationId: conversation.id, finished })
    const stop = () => controller.abort(new ClientClosed())
    return { conversation, question, answer, deltas, finished, stop }
  }

  /** Stops all running answers and resolves when their partial texts are stored. */
  override async close(): Promise<void> {
    for (const controller of this.#running.keys()) controller.abort(new ClientClosed())
    await Promise.all([...this.#running.values()].map(({ finished }) => finished))
    await this.#options.titles.close()
    await super.close()
  }

  /**
   * The router as the conversation changes it.
   * @throws ServiceError router_not_found. @throws DashboardError conflict at the conversation's limit
   */
  #routerFor(
    id: string,
    { parameters }: Instructions,
    messages: readonly ConversationMessage[],
  ): Router {
    return conversationRouter(this.#router(id), parameters, costUsdOf(messages))
  }

  #router(id: string): Router {
    const router = this.#options.configuration.current().routers.get(id)
    if (!router) throw new ServiceError('router_not_found', 'There is no router with this id.')
    return router
  }

  async #begin(input: ChatInput): Promise<Conversation> {
    const { conversationId, routerId, agent = null, text } = input
    const known = conversationId === null ? null : await this.existing(conversationId)
    const { store, newId, now } = this.#options
    const nowMs = now()
    const conversation: Conversation = known
      ? { ...known, routerId, agent, updatedAtMs: nowMs }
      : {
          id: newId(),
          title: titleOf(text || (input.attachments?.[0]?.name ?? '')),
          titleSource: 'words',
          routerId,
          agent,
          ...(input.instructions ?? noInstructions),
          folderId: input.folderId ?? null,
          pinnedAtMs: null,
          createdAtMs: nowMs,
          updatedAtMs: nowMs,
          source: null,
          preset: input.preset ?? null,
        }
    await store.save(conversation)
    return conversation
  }

  #newMessage(
    role: ConversationMessage['role'],
    text: string,
    parentId: string | null,
  ): ConversationMessage {
    const { newId, now } = this.#options
    return {
      id: newId(),
      parentId,
      role,
      text,
      attachments: [],
      createdAtMs: now(),
      state: 'complete',
      error: null,
      errorDetail: null,
      isSetAside: false,
      routerId: null,
      meta: null,
      agentMeta: null,
      imported: null,
      toolSteps: [],
      sources: [],
      citations: [],
    }
  }
}

interface Running {
  conversationId: string
  finished: Promise<FinishedAnswer>
}

function isEmpty({ text, toolSteps }: ConversationMessage): boolean {
  return text === '' && toolSteps.length === 0
}

function titleOf(text: string): string {
  const line = text.trim().replaceAll(/\s+/g, ' ')
  return line.length <= titleCharacters ? line : `${line.slice(0, titleCharacters - 1)}…`
}
