/**
 * Conversations across nodes: each answer is written to the shared state in the background, and a node that does not
 * know a conversation looks it up before it routes. A request waits for nothing else, and a lookup that takes too long is
 * given up.
 */
import { z } from 'zod'
import type { ChatCall } from '../chat-call.ts'
import {
  conversationIdentity,
  forgetAfterMs,
  mayContinue,
  type ConversationMemory,
} from './conversation-memory.ts'
import { identify } from './identify.ts'

export interface ConversationCopies {
  /** Resolves to null without a copy; never rejects. */
  read(identity: string): Promise<Buffer | null>
  write(identity: string, entry: { value: Buffer; ttlMs: number }): void
}

export interface RecallOptions {
  memory: ConversationMemory
  copies: ConversationCopies
  isPromptCachingOn(): boolean
  /** Unix milliseconds: the nodes' clocks may differ by a little. */
  now(): number
}

/** @returns null when there is nothing to wait for */
export type RecallConversation = (call: ChatCall) => Promise<void> | null

const copySchema = z.strictObject({
  modelId: z.string(),
  promptTokens: z.number().min(0),
  cachedTokens: z.number().min(0).nullable().optional(),
  effort: z.string().nullable().optional(),
  lifetimeMs: z.number().min(0).optional(),
  isFirst: z.boolean(),
  atMs: z.number(),
})

/** Shares the conversations of `memory`. @returns the lookup for a request that is about to be routed */
export function recallConversations(options: RecallOptions): RecallConversation {
  const { memory, copies, now } = options
  memory.share((identity, answer, isFirst) => {
    const copy: z.infer<typeof copySchema> = { ...answer, isFirst, atMs: now() }
    copies.write(identity, { value: Buffer.from(JSON.stringify(copy)), ttlMs: forgetAfterMs })
  })
  return (call) => {
    const identified = identify(call, options.isPromptCachingOn())
    if (identified === null || !mayContinue(identified)) return null
    const identity = conversationIdentity(identified)
    return memory.lastAnswerOf(identity) === null ? recall(identity, options) : null
  }
}

async function recall(identity: string, { memory, copies, now }: RecallOptions): Promise<void> {
  const copy = readCopy(await copies.read(identity))
  // Another request of the conversation may have been answered here in the meantime.
  if (copy === null || memory.lastAnswerOf(identity) !== null) return
  const { atMs, cachedTokens = null, effort = null, ...answer } = copy
  memory.remember(identity, { ...answer, cachedTokens, effort, ageMs: Math.max(0, now() - atMs) })
}

function readCopy(value: Buffer | null): z.infer<typeof copySchema> | null {
  if (value === null) return null
  try {
    return copySchema.parse(JSON.parse(value.toString()))
  } catch {
    // Of another version: this node decides without it.
    return null
  }
}
