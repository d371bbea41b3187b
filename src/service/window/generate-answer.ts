/** One answer of the chat window, from its request to the stored message. */
import { contentText, type AgentMeta, type ChatMessage } from '../../shared/chat/chat.ts'
import type { AnswerDelta } from '../../shared/chat/chat-stream.ts'
import type { Turn } from '../../shared/chat/conversation-turns.ts'
import type {
  AnswerMeta,
  Conversation,
  ConversationMessage,
} from '../../shared/chat/conversations.ts'
import type { RequestRecord, Router } from '../../shared/entities.ts'
import type { RefusedRequest } from '../../shared/requests/refusal.ts'
import type { AnswerChat, ExecutionPart } from '../agents/agent-call.ts'
import { StreamBroken } from '../chat/attempts/attempts.ts'
import { upstreamWords } from '../chat/attempts/all-unavailable.ts'
import type { ChatPart } from '../chat/chat-call.ts'
import { ServiceError } from '../errors.ts'
import type { ConversationStore } from '../storage/conversation-store.ts'
import { bodyOf } from './conversation-turns.ts'
import { windowCall } from './window-call.ts'

export interface GenerationOptions {
  store: ConversationStore
  answerChat: AnswerChat
  now: () => number
  /** Called with messages that were refused before a model was tried. They have no row in the ledger. */
  onRefused: (request: RefusedRequest) => void
  /** Called with unexpected errors; the user sees a general message. */
  onBug: (error: unknown) => void
}

export interface AnswerRequest {
  router: Router
  conversation: Conversation
  /** A model of the router; null lets the router choose. */
  model: string | null
  /** The turns before the question. */
  earlier: readonly Turn[]
  question: ConversationMessage
  /** The text that the answer continues; empty for an answer from the beginning. */
  beginning: string
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
  const saver = openSaver(generation, options)
  let { answer } = generation
  let row: RequestRecord | null = null
  const onRecord = (record: RequestRecord) => void (row = record)
  try {
    for await (const part of await start(generation, options, onRecord)) {
      const { text, reasoning } = deltaOf(part)
      answer = { ...answer, text: answer.text + text, ...metaOf(part, answer) }
      if (text !== '' || reasoning !== '') push({ text, reasoning })
      if (isCutOff(part)) answer = { ...answer, state: 'stopped', error: cutOff }
      saver.save(answer)
    }
    if (answer.state === 'streaming') answer = { ...answer, state: 'complete' }
  } catch (error) {
    const meta = metaOfRow(row)
    answer = signal.aborted
      ? { ...answer, meta, state: 'stopped' }
      : { ...answer, meta, state: 'failed', ...failureOf(error, options.onBug) }
  }
  await saver.finish(answer)
  return { answer, conversation: await asStored(conversation, options) }
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
  generation: Generation,
  { answerChat, now, onRefused, store }: GenerationOptions,
  onRecord: (row: RequestRecord) => void,
): Promise<AsyncIterable<ChatPart | ExecutionPart>> {
  const { router, answer, conversation, model, signal } = generation
  const { agent } = conversation
  const call = windowCall({
    // The answer and its request share an id, so that the chip can find the row in the ledger.
    requestId: answer.id,
    router,
    conversationId: conversation.id,
    model: model ?? (agent === null ? null : `agent:${agent}`),
    body: await requestOf(generation, store),
  })
  const admitted = await answerChat.admit({ ...call, onRecord }).catch((error: unknown) => {
    if (error instanceof ServiceError) {
      const kind = {
        apiKeyId: null,
        routerId: router.id,
        code: error.code,
        door: 'window' as const,
      }
      onRefused({ id: answer.id, atMs: now(), ...kind })
    }
    throw error
  })
  return admitted.stream(signal)
}

async function requestOf(
  { conversation, earlier, question, beginning }: AnswerRequest,
  store: ConversationStore,
) {
  const asked = { question, questions: [question], answers: [] }
  const body = await bodyOf(conversation, [...earlier, asked], store)
  if (beginning === '') return body
  const messages: ChatMessage[] = [
    ...body.messages,
    { role: 'assistant', content: beginning },
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
    text: deltas.map(({ content }) => contentText(content)).join(''),
    reasoning: deltas.map((delta) => delta.reasoning_content ?? delta.reasoning ?? '').join(''),
  }
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
