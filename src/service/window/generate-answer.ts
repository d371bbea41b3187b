/** One answer of the chat window, from its request to the stored message. */
import {
  contentText,
  type AgentMeta,
  type ChatMessage,
  type ChatRequest,
  type ChunkChoice,
  type CompletionToolCall,
} from '../../shared/chat/chat.ts'
import type { AnswerDelta } from '../../shared/chat/chat-stream.ts'
import type { Turn } from '../../shared/chat/conversation-turns.ts'
import type {
  AnswerMeta,
  Conversation,
  ConversationMessage,
} from '../../shared/chat/conversations.ts'
import type { ToolStep } from '../../shared/chat/tools.ts'
import type { RequestRecord, Router } from '../../shared/entities.ts'
import type { RefusedRequest } from '../../shared/requests/refusal.ts'
import type { AnswerChat, ExecutionPart } from '../agents/agent-call.ts'
import { withSources } from '../chat/answer/answer-sources.ts'
import { CollectedChoices } from '../chat/answer/collect.ts'
import { StreamBroken } from '../chat/attempts/attempts.ts'
import { upstreamWords } from '../chat/attempts/all-unavailable.ts'
import type { ChatPart } from '../chat/chat-call.ts'
import { DashboardError } from '../dashboard/dashboard.ts'
import { ServiceError } from '../errors.ts'
import type { ConversationStore } from '../storage/conversation-store.ts'
import { answerMessages, bodyOf, withoutCalls } from './conversation-turns.ts'
import { besideReplaced } from './replaced-answer.ts'
import type { ToolTurn } from './tool-turn.ts'
import { TurnEnded } from './turn-limits.ts'
import { windowCall } from './window-call.ts'

export interface GenerationOptions {
  store: ConversationStore
  answerChat: AnswerChat
  now: () => number
  /** Called with messages that were refused before a model was tried. They have no row in the ledger. */
  onRefused: (request: RefusedRequest) => void
  /** Called with unexpected errors; the user sees a general message. */
  onBug: (error: unknown) => void
  newId: () => string
  /** The router with what is left of the conversation's limit by now. @throws DashboardError conflict when nothing is */
  routerNow: (generation: Pick<Generation, 'router' | 'conversation'>) => Promise<Router>
  /** The tools of an answer; null where it has none. */
  openTools: (generation: Generation & { body: WindowBody }) => Promise<ToolTurn | null>
}

export interface AnswerRequest {
  router: Router
  conversation: Conversation
  /** A model of the router; null lets the router choose. */
  model: string | null
  /** The turns before the question. */
  earlier: readonly Turn[]
  question: ConversationMessage
  /** The answer that is continued; null for an answer from the beginning. */
  beginning: Pick<ConversationMessage, 'text' | 'toolSteps' | 'sources' | 'citations'> | null
  /** The kept answer that it replaces; null for none. */
  replaced: ConversationMessage | null
}

export interface Generation extends AnswerRequest {
  answer: ConversationMessage
  signal: AbortSignal
}

export interface FinishedAnswer {
  answer: ConversationMessage
  conversation: Conversation
}

const savedEveryMs = 500

/** Asks for the rest of an answer. Providers differ in whether they continue an assistant's message by themselves. */
const continuation =
  'Your last message was cut off. Continue it from exactly where it ends. Do not repeat anything and do not comment on the interruption.'

const cutOff = 'The answer reached the most tokens that it may have.'

/** Runs an answer to its end, even if the window is closed. */
export async function generateAnswer(
  generation: Generation,
  options: GenerationOptions,
  push: (delta: AnswerDelta) => void,
): Promise<FinishedAnswer> {
  const { conversation, signal } = generation
  const answer = new GrowingAnswer(generation, options, push)
  try {
    const whole = await requestOf(generation, options.store)
    const tools = await options.openTools({ ...generation, body: whole })
    // A model that is offered no tools may refuse the calls of earlier answers.
    if (tools === null) await answer.ask(withoutCalls(whole), null)
    else await askWithTools(answer, tools, { generation, body: whole })
    answer.end()
  } catch (error) {
    answer.fail(error, signal.aborted)
  }
  await answer.saved()
  const ended = await besideReplaced(generation, answer.current, options)
  return { answer: ended, conversation: await asStored(conversation, options) }
}

async function askWithTools(
  answer: GrowingAnswer,
  tools: ToolTurn,
  { generation, body }: { generation: Generation; body: WindowBody },
): Promise<void> {
  let calls = await answer.ask(body, tools)
  while (calls.length > 0 && answer.current.state === 'streaming') {
    await answer.runTools(tools, calls)
    await answer.refreshRouter()
    calls = await answer.ask(withSteps(body, generation, answer.current), tools)
  }
}

/** An answer over the requests that it takes: one, or more with calls of tools in between. */
class GrowingAnswer {
  #generation: Generation
  readonly #options: GenerationOptions
  readonly #push: (delta: AnswerDelta) => void
  readonly #saver: ReturnType<typeof openSaver>
  current: ConversationMessage
  /** The figures of the requests that have ended. */
  #earlier: AnswerMeta | null = null
  #row: RequestRecord | null = null
  #requestId: string
  /** What follows a call of a tool is a paragraph of its own. */
  #gap = ''
  /** Where the text of the request in progress begins. */
  #begins = 0

  constructor(
    generation: Generation,
    options: GenerationOptions,
    push: (delta: AnswerDelta) => void,
  ) {
    this.#generation = generation
    this.#options = options
    this.#push = push
    this.#saver = openSaver(generation, options)
    this.current = generation.answer
    // The answer and its first request share an id, so that the chip can find the row in the ledger.
    this.#requestId = generation.answer.id
  }

  /** Asks a model, and adds what it says. @returns the tools that it calls */
  async ask(body: WindowBody, tools: ToolTurn | null): Promise<CompletionToolCall[]> {
    const collected = new CollectedChoices()
    this.#begins = this.current.text.length + this.#gap.length
    const withTools = tools === null ? body : { ...body, tools: tools.definitions }
    const parts = await start(
      { generation: this.#generation, requestId: this.#requestId, body: withTools },
      this.#options,
      (row) => void (this.#row = row),
    ).catch((error: unknown) => {
      // A budget or a limit that ends here leaves what the earlier requests did usable.
      const isSpent = error instanceof ServiceError && error.code === 'budget_exceeded'
      throw isSpent && this.#earlier !== null ? new TurnEnded(error.message) : error
    })
    for await (const part of parts) {
      if (tools !== null && part.kind === 'delta') collected.add(part.choices)
      this.#grow(part)
    }
    tools?.addCost((this.current.meta?.costUsd ?? 0) - (this.#earlier?.costUsd ?? 0))
    this.#earlier = this.current.meta
    this.#row = null
    return collected.whole()[0]?.message.tool_calls ?? []
  }

  /** A further request may cost what the earlier ones left of the conversation's limit. @throws TurnEnded */
  async refreshRouter(): Promise<void> {
    const router = await this.#options.routerNow(this.#generation).catch((error: unknown) => {
      throw error instanceof DashboardError ? new TurnEnded(error.message) : error
    })
    this.#generation = { ...this.#generation, router }
  }

  #grow(part: ChatPart | ExecutionPart): void {
    const { text: added, reasoning } = deltaOf(part)
    const text = added === '' ? '' : this.#gap + added
    if (added !== '') this.#gap = ''
    const meta = metaOf(part, this.#requestId)
    const known = this.current
    this.current = {
      ...known,
      text: known.text + text,
      ...(part.kind === 'delta' && this.#citedWith(part.choices)),
      meta: meta.meta === null ? this.#earlier : sumOf(this.#earlier, meta.meta),
      agentMeta: meta.agentMeta,
      ...(isCutOff(part) && { state: 'stopped', error: cutOff }),
    }
    if (text !== '' || reasoning !== '') this.#push({ text, reasoning })
    this.#saver.save(this.current)
  }

  #citedWith(choices: readonly ChunkChoice[]): Pick<ConversationMessage, 'sources' | 'citations'> {
    const { sources, citations } = this.current
    return withSources({ sources, citations }, choices, this.#begins)
  }

  async runTools(tools: ToolTurn, calls: readonly CompletionToolCall[]): Promise<void> {
    const place = { requestId: this.#requestId, textEnd: this.current.text.length }
    const save = async (step: ToolStep) => {
      const others = this.current.toolSteps.filter(
        ({ id, requestId }) => id !== step.id || requestId !== step.requestId,
      )
      this.current = { ...this.current, toolSteps: [...others, step] }
      this.#push({ text: '', reasoning: '', steps: this.current.toolSteps })
      await this.#saver.finish(this.current)
    }
    await tools.run(calls, place, { save, signal: this.#generation.signal })
    this.#requestId = this.#options.newId()
    this.#gap = this.current.text === '' ? '' : '\n\n'
  }

  end(): void {
    if (this.current.state === 'streaming') this.current = { ...this.current, state: 'complete' }
  }

  fail(error: unknown, isStopped: boolean): void {
    const ended = metaOfRow(this.#row)
    const meta = ended === null ? this.#earlier : sumOf(this.#earlier, ended)
    const known = { ...this.current, meta }
    if (isStopped) this.current = { ...known, state: 'stopped' }
    else if (error instanceof TurnEnded) {
      this.current = { ...known, state: 'stopped', error: error.message }
    } else this.current = { ...known, state: 'failed', ...failureOf(error, this.#options.onBug) }
  }

  saved(): Promise<void> {
    return this.#saver.finish(this.current)
  }
}

/** The figures of an answer over several requests; those that cannot be added are of the last one. */
function sumOf(earlier: AnswerMeta | null, last: AnswerMeta): AnswerMeta {
  if (earlier === null) return last
  return {
    ...last,
    costUsd: earlier.costUsd + last.costUsd,
    latencyMs: earlier.latencyMs + last.latencyMs,
    carbonGrams: earlier.carbonGrams + last.carbonGrams,
  }
}

/** The request with what its answer has said and called so far. */
function withSteps(
  body: WindowBody,
  { answer: { text, toolSteps } }: Generation,
  current: ConversationMessage,
): WindowBody {
  // An answer that continues another one has that one's text and steps at its beginning, which `body` contains.
  const steps = current.toolSteps.slice(toolSteps.length).map((step) => {
    return { ...step, textEnd: step.textEnd - text.length }
  })
  const said = { text: current.text.slice(text.length), toolSteps: steps }
  return { ...body, messages: [...body.messages, ...answerMessages(said)] }
}

/** Reads the conversation again, because its title may have changed. */
async function asStored(
  conversation: Conversation,
  { store, onBug }: GenerationOptions,
): Promise<Conversation> {
  try {
    return (await store.get(conversation.id)) ?? conversation
  } catch (error) {
    onBug(error)
    return conversation
  }
}

async function start(
  { generation, requestId, body }: { generation: Generation; requestId: string; body: WindowBody },
  { answerChat, now, onRefused }: GenerationOptions,
  onRecord: (row: RequestRecord) => void,
): Promise<AsyncIterable<ChatPart | ExecutionPart>> {
  const { router, conversation, model, signal } = generation
  const { agent } = conversation
  const call = windowCall({
    requestId,
    router,
    conversationId: conversation.id,
    model: model ?? (agent === null ? null : `agent:${agent}`),
    body,
  })
  const admitted = await answerChat.admit({ ...call, onRecord }).catch((error: unknown) => {
    if (error instanceof ServiceError) {
      const kind = {
        apiKeyId: null,
        routerId: router.id,
        code: error.code,
        door: 'window' as const,
      }
      onRefused({ id: requestId, atMs: now(), ...kind })
    }
    throw error
  })
  return admitted.stream(signal)
}

export type WindowBody = Awaited<ReturnType<typeof bodyOf>> & Pick<ChatRequest, 'tools'>

async function requestOf(
  { conversation, earlier, question, answer: { text, toolSteps }, beginning }: Generation,
  store: ConversationStore,
): Promise<WindowBody> {
  const asked = { question, questions: [question], answers: [] }
  const body = await bodyOf(conversation, [...earlier, asked], store)
  if (beginning === null) return body
  const messages: ChatMessage[] = [
    ...body.messages,
    ...answerMessages({ text, toolSteps }),
    { role: 'user', content: continuation },
  ]
  return { ...body, messages }
}

/** Whether the answer reached the most tokens that it may have. */
function isCutOff(part: ChatPart | ExecutionPart): boolean {
  return part.kind === 'end' && [...part.finishReasons.values()].includes('length')
}

function deltaOf(part: ChatPart | ExecutionPart): AnswerDelta {
  if (part.kind === 'end') return { text: '', reasoning: '' }
  const deltas = part.choices.map(({ delta }) => delta)
  return {
    text: deltas.map(({ content, refusal }) => contentText(content) + (refusal ?? '')).join(''),
    reasoning: deltas.map((delta) => delta.reasoning_content ?? delta.reasoning ?? '').join(''),
  }
}

function metaOf(
  part: ChatPart | ExecutionPart,
  requestId: string,
): { meta: AnswerMeta | null; agentMeta: AgentMeta | null } {
  if (part.kind !== 'end') return { meta: null, agentMeta: null }
  if ('execution_id' in part.meta) return { meta: null, agentMeta: part.meta }
  const { cost, ...figures } = part.meta
  const fallback = 'fallback' in part ? part.fallback : null
  const meta = { requestId, costUsd: cost, ...figures, fallback }
  return { meta, agentMeta: null }
}

/** The figures of an answer that did not end, from its row in the ledger; null when no model answered. */
function metaOfRow(row: RequestRecord | null): AnswerMeta | null {
  if (row === null || row.modelUsed === null) return null
  const { fallbackFrom, fallbackReason } = row
  return {
    requestId: row.id,
    modelUsed: row.modelUsed,
    costUsd: row.costNanoUsd / 1e9,
    latencyMs: row.latencyMs,
    carbonGrams: row.carbonGrams,
    routerDecision: row.routerDecision,
    fallback:
      fallbackFrom === null || fallbackReason === null
        ? null
        : { from: fallbackFrom, reason: fallbackReason },
  }
}

function failureOf(
  error: unknown,
  onBug: (error: unknown) => void,
): Pick<ConversationMessage, 'error' | 'errorDetail'> {
  const cause = error instanceof StreamBroken ? error.error : error
  if (cause instanceof ServiceError) {
    return { error: cause.message, errorDetail: upstreamWords(cause) }
  }
  onBug(error)
  return { error: 'Something went wrong in Modelport. Try again.', errorDetail: null }
}

/** Stores a growing answer every half second, one write at a time, and always stores its end. */
function openSaver({ conversation }: Generation, { store, now, onBug }: GenerationOptions) {
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
