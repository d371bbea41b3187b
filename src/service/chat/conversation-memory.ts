/**
 * Which model answered last in each conversation, so that the next turn can stay with it: its provider
 * still has the prompt in its cache, and a model that called a tool is the one to read the result.
 * In memory only: at most 10,000 conversations (about 3 MB), the least recently used leave first, and
 * an hour after its last answer a conversation is forgotten.
 */
import { hash } from 'node:crypto'
import type { ChatMessage, ChatRequest } from '../../shared/chat.ts'
import type { Turn } from '../routing/candidate.ts'

const maxConversations = 10_000
/** A person may take a while to approve a tool; nobody expects a conversation of yesterday to go on. */
const forgetAfterMs = 3_600_000
/** What makes a conversation unlike others stands at the beginning of its texts. */
const maxCharacters = 4096

interface Answered extends Omit<Turn, 'ageMs'> {
  atMs: number
}

export class ConversationMemory {
  readonly #clock: () => number
  /** In the order of use, the least recent first. */
  readonly #turns = new Map<string, Answered>()

  /** @param clock  monotonic milliseconds */
  constructor(clock: () => number) {
    this.#clock = clock
  }

  /** @param identity  as `conversationIdentity` made it */
  lastTurn(identity: string): Turn | null {
    const turn = this.#turns.get(identity)
    if (!turn) return null
    const ageMs = this.#clock() - turn.atMs
    return ageMs > forgetAfterMs ? null : { ...turn, ageMs }
  }

  answered(identity: string, { modelId, promptTokens }: Omit<Turn, 'ageMs'>): void {
    this.#turns.delete(identity)
    this.#turns.set(identity, { modelId, promptTokens, atMs: this.#clock() })
    if (this.#turns.size <= maxConversations) return
    for (const [oldest] of this.#turns) {
      this.#turns.delete(oldest)
      return
    }
  }
}

export interface IdentifiedCall {
  routerId: string
  /** Null for the chat window. */
  apiKeyId: string | null
  /** What the caller named it by, in a header. */
  conversation: string | null
  body: ChatRequest
}

/**
 * The header's name for it, else `prompt_cache_key`, else how it begins: the system prompt and the first
 * message of the user. Of this key and router alone, and never the text itself.
 */
export function conversationIdentity(call: IdentifiedCall): string {
  const { routerId, apiKeyId, conversation, body } = call
  const name = conversation ?? body.prompt_cache_key ?? null
  const parts = name === null ? ['text', ...beginning(body.messages)] : ['name', name]
  return hash('sha256', JSON.stringify([routerId, apiKeyId, ...parts]), 'base64url')
}

/**
 * Whether it may go on with a conversation: one that is known by its beginning alone must have been
 * answered before, or the same first question asked a thousand times would all go to one model.
 */
export function mayContinue({ conversation, body }: IdentifiedCall): boolean {
  if (conversation !== null || (body.prompt_cache_key ?? null) !== null) return true
  return body.messages.some(({ role }) => role === 'assistant')
}

/** Whether the last thing said is what a tool gave, for the model that called it. */
export function awaitsToolResult({ messages }: ChatRequest): boolean {
  const role = messages.at(-1)?.role
  return role === 'tool' || role === 'function'
}

function beginning(messages: readonly ChatMessage[]): string[] {
  const firstOfUser = messages.findIndex(({ role }) => role === 'user')
  const instructions = messages.filter(({ role }) => role === 'system' || role === 'developer')
  const texts = instructions.map(textOf)
  const first = messages[firstOfUser]
  return first ? [...texts, textOf(first)] : texts
}

function textOf({ content }: ChatMessage): string {
  if (typeof content === 'string') return content.slice(0, maxCharacters)
  const parts = (content ?? []).map(({ type, text }) => (typeof text === 'string' ? text : type))
  return parts.join('\n').slice(0, maxCharacters)
}
