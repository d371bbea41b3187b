/**
 * Remembers which model answered last in each conversation, so that the next turn can stay with it: its provider still
 * has the prompt in its cache, and a model that called a tool should read the result. Up to three others that answered
 * before keep their prefixes. In memory only: at most 10,000 conversations (about 4 MB). The least recently used are evicted first, and a conversation is forgotten an hour after
 * its last answer. Several nodes tell each other of their answers; the share of conversations that continue needs no
 * more, because each node sees about the same share of first and of later turns.
 */
import { hash } from 'node:crypto'
import type { ChatMessage, ChatRequest } from '../../../shared/chat/chat.ts'
import { withoutHarness } from '../sessions/harness-text.ts'
import { TaskReadings } from '../sessions/task-readings.ts'
import type { CachedPrefix, LastAnswer } from '../../routing/candidate.ts'
import { warmMs } from '../../routing/prompt-cache.ts'
import { othersAfter, ReadShares, type DatedPrefix, type PrefixAnswer } from './cached-prefixes.ts'
import { ContinuedConversations } from './continued-conversations.ts'

const maxConversations = 10_000
/** Time until an answer is forgotten: long enough for a user to approve a tool call. */
export const forgetAfterMs = 3_600_000
/** Conversations differ at the beginning of their texts. */
const maxCharacters = 4096

/** Called with each answer that this node gave. @param isFirst  whether it was the conversation's first */
export type ShareAnswer = (identity: string, answer: PrefixAnswer, isFirst: boolean) => void

interface RememberedAnswer extends DatedPrefix {
  others?: readonly DatedPrefix[]
  leastPromptTokens: number
  /** Whether it was the conversation's first. */
  isFirst: boolean
}

export class ConversationMemory {
  readonly #clock: () => number
  /** Answers in order of use, the least recent first. */
  readonly #answers = new Map<string, RememberedAnswer>()
  readonly #continued = new ContinuedConversations()
  readonly #readShares = new ReadShares()
  readonly taskReadings = new TaskReadings()
  /** Null for a node on its own. */
  #share: ShareAnswer | null = null

  /** @param clock  monotonic milliseconds */
  constructor(clock: () => number) {
    this.#clock = clock
  }

  share(shareAnswer: ShareAnswer): void {
    this.#share = shareAnswer
  }

  /** Remembers another node's answer in a conversation that this node does not know. */
  remember(
    identity: string,
    { ageMs, isFirst, ...answer }: LastAnswer & { isFirst: boolean },
  ): void {
    const { others: _others, leastPromptTokens = answer.promptTokens, ...prefix } = answer
    this.#set(identity, { ...prefix, leastPromptTokens, atMs: this.#clock() - ageMs, isFirst })
  }

  /** @param identity  from `conversationIdentity` */
  lastAnswerOf(identity: string): LastAnswer | null {
    const answer = this.#answers.get(identity)
    if (!answer) return null
    const nowMs = this.#clock()
    if (nowMs - answer.atMs > forgetAfterMs) return null
    const { isFirst: _first, others, leastPromptTokens, ...last } = answer
    const prefix = { ...this.#aged(last, nowMs), leastPromptTokens }
    if (others === undefined) return prefix
    return { ...prefix, others: others.map((one) => this.#aged(one, nowMs)) }
  }

  /** @returns 0 to 1 @param scope  as in `answered` */
  continuedShare(scope: string): number {
    return this.#continued.shareOf(scope)
  }

  /** @param scope  whose conversations are counted together, from `cacheScope`; absent: not counted */
  answered(identity: string, answer: PrefixAnswer, scope?: string): void {
    const before = this.#answers.get(identity)
    const atMs = this.#clock()
    if (scope !== undefined) this.#count(scope, before, atMs)
    const isFirst = before === undefined
    const { readTokens: _read, ...read } = answer
    const own = ownPrefix(before, answer)
    this.#readShares.answered(answer, own !== null && isWarm(own, atMs) ? own : null)
    // What is read again stays as long as it was written for.
    const lifetimeMs = answer.lifetimeMs ?? own?.lifetimeMs
    const prefix = { ...read, ...(lifetimeMs !== undefined && { lifetimeMs }) }
    const others = othersAfter(before, answer)
    const least = Math.min(before?.leastPromptTokens ?? Infinity, answer.promptTokens)
    const remembered = { ...prefix, leastPromptTokens: least, atMs, isFirst }
    this.#set(identity, others === undefined ? remembered : { ...remembered, others })
    this.#share?.(identity, prefix, isFirst)
  }

  #aged({ atMs, ...prefix }: DatedPrefix, nowMs: number): CachedPrefix {
    const readShare = this.#readShares.of(prefix.modelId)
    return { ...prefix, ageMs: nowMs - atMs, ...(readShare !== undefined && { readShare }) }
  }

  #set(identity: string, answer: RememberedAnswer): void {
    this.#answers.delete(identity)
    this.#answers.set(identity, answer)
    if (this.#answers.size <= maxConversations) return
    for (const [oldest] of this.#answers) {
      this.#answers.delete(oldest)
      return
    }
  }

  #count(scope: string, before: RememberedAnswer | undefined, nowMs: number): void {
    if (before === undefined) this.#continued.started(scope)
    else if (before.isFirst && nowMs - before.atMs <= warmMs) this.#continued.wentOn(scope)
  }
}

function ownPrefix(
  before: RememberedAnswer | undefined,
  { modelId, effort }: PrefixAnswer,
): DatedPrefix | null {
  if (before === undefined) return null
  const isOwn = (one: DatedPrefix) => one.modelId === modelId && one.effort === effort
  return isOwn(before) ? before : (before.others?.find(isOwn) ?? null)
}

function isWarm({ atMs, lifetimeMs = warmMs }: DatedPrefix, nowMs: number): boolean {
  return nowMs - atMs <= lifetimeMs
}

/** The key's conversations with one router: each program has its own habits. */
export function cacheScope({
  routerId,
  apiKeyId,
}: Pick<IdentifiedCall, 'routerId' | 'apiKeyId'>): string {
  return `${routerId} ${apiKeyId ?? ''}`
}

export interface IdentifiedCall {
  routerId: string
  /** Null for the chat window. */
  apiKeyId: string | null
  /** The name from the caller's header. */
  conversation: string | null
  body: ChatRequest
}

/**
 * Identifies a conversation by the header, else by `prompt_cache_key`, else by its beginning: the system
 * prompt and the user's first message. A hash, separate for each router and API key.
 */
export function conversationIdentity(call: IdentifiedCall): string {
  const { routerId, apiKeyId, conversation, body } = call
  const name = conversation ?? body.prompt_cache_key ?? null
  const parts = name === null ? ['text', ...beginning(body.messages)] : ['name', name]
  return hash('sha256', JSON.stringify([routerId, apiKeyId, ...parts]), 'base64url')
}

/**
 * Whether the request may continue a conversation. One that is identified by its beginning alone must
 * contain an answer; otherwise the same first question asked a thousand times would all go to one model.
 */
export function mayContinue({ conversation, body }: IdentifiedCall): boolean {
  if (conversation !== null || (body.prompt_cache_key ?? null) !== null) return true
  return body.messages.some(({ role }) => role === 'assistant')
}

/**
 * Whether the last message but for instructions and reminders of the caller's program is a tool's result, for the model that
 * called the tool.
 */
export function awaitsToolResult({ messages }: Pick<ChatRequest, 'messages'>): boolean {
  const role = messages.findLast((one) => !isInstruction(one) && !isReminder(one))?.role
  return role === 'tool' || role === 'function'
}

/** Claude Code adds such messages to the results of its tools. */
function isReminder({ role, content }: ChatMessage): boolean {
  if (role !== 'user') return false
  const texts = typeof content === 'string' ? [content] : (content ?? []).map(({ text }) => text)
  const isOfProgram = (text: unknown) =>
    typeof text === 'string' && text.trimStart().startsWith('<') && withoutHarness(text) === ''
  return texts.length > 0 && texts.every(isOfProgram)
}

function beginning(messages: readonly ChatMessage[]): string[] {
  const firstOfUser = messages.findIndex(({ role }) => role === 'user')
  // Later instructions come and go within a conversation.
  const firstAnswer = messages.findIndex(({ role }) => role === 'assistant')
  const opening = firstAnswer === -1 ? messages : messages.slice(0, firstAnswer)
  const instructions = opening.filter(isInstruction)
  const texts = instructions.map(textOf)
  const first = messages[firstOfUser]
  return first ? [...texts, textOf(first)] : texts
}

function isInstruction({ role }: ChatMessage): boolean {
  return role === 'system' || role === 'developer'
}

function textOf({ content }: ChatMessage): string {
  if (typeof content === 'string') return content.slice(0, maxCharacters)
  const parts = (content ?? []).map(({ type, text }) => (typeof text === 'string' ? text : type))
  return parts.join('\n').slice(0, maxCharacters)
}
