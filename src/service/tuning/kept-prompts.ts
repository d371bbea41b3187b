/**
 * Prompts that this computer already has: requests that content logging stored for the router, and conversations of
 * the desktop app. Only texts are used; requests with tools, images or files are left out.
 */
import { z } from 'zod'
import { contentText } from '../../shared/chat/chat.ts'
import { turnsOf, type Placed } from '../../shared/chat/conversation-turns.ts'
import type { RequestContent } from '../../shared/requests/content.ts'
import { lengthOf, longestPrompt, type SourcePrompt } from './tuning-prompt.ts'

type Messages = SourcePrompt['messages']

const textPart = z.looseObject({ type: z.literal('text'), text: z.string() })
const textRequestSchema = z.looseObject({
  messages: z
    .array(
      z.looseObject({
        role: z.enum(['system', 'developer', 'user', 'assistant']),
        content: z.union([z.string(), z.array(textPart)]),
        tool_calls: z.undefined().optional(),
      }),
    )
    .min(1),
  tools: z.array(z.unknown()).max(0).nullish(),
  response_format: z.null().optional(),
})

/** @returns null for a request that is more than text, or was stored only in part */
export function promptOfRequest({ request, isRequestCut }: RequestContent): SourcePrompt | null {
  return isRequestCut ? null : promptOfBody(JSON.parse(request))
}

/** @returns null for a request that is more than text */
export function promptOfBody(body: unknown): SourcePrompt | null {
  const read = textRequestSchema.safeParse(body)
  if (!read.success) return null
  const messages = read.data.messages.map(({ role, content }) => ({
    role: role === 'developer' ? ('system' as const) : role,
    content: typeof content === 'string' ? content : contentText(content),
  }))
  return usable(messages)
}

/**
 * Each question of a conversation with what was said before it. Answers that failed, were stopped or were set aside are
 * left out, and so are questions without an answer.
 */
export function promptsOfConversation(messages: readonly Placed[]): SourcePrompt[] {
  const thread: Messages = []
  const prompts: SourcePrompt[] = []
  const path = turnsOf(messages).flatMap(({ question, answers }) => [
    question,
    ...answers.filter(({ isSetAside }) => !isSetAside),
  ])
  for (const { role, text, state } of path) {
    if (state !== 'complete' || text.trim() === '') continue
    // Providers expect the roles to take turns.
    if (thread.at(-1)?.role === role) thread.pop()
    thread.push({ role, content: text })
    const prompt = role === 'user' ? usable([...thread]) : null
    if (prompt) prompts.push(prompt)
  }
  return prompts
}

function usable(messages: Messages): SourcePrompt | null {
  if (messages.at(-1)?.role !== 'user' || lengthOf({ messages }) > longestPrompt) return null
  return { messages, check: null, reference: null, domain: null, grade: null }
}

/**
 * Leaves out prompts that differ only in case, spaces, punctuation or numbers from an earlier one. Of long prompts the
 * beginning and the end count.
 */
export function withoutDuplicates(prompts: readonly SourcePrompt[]): SourcePrompt[] {
  const seen = new Set<string>()
  return prompts.filter(({ messages }) => {
    const words = normalized(messages.at(-1)?.content ?? '')
    if (seen.has(words)) return false
    seen.add(words)
    return true
  })
}

const comparedLength = 300

function normalized(text: string): string {
  const words = text
    .toLowerCase()
    .normalize('NFKC')
    .replaceAll(/\p{N}+/gu, '0')
    .replaceAll(/[^\p{L}0]+/gu, ' ')
    .trim()
  if (words.length <= 2 * comparedLength) return words
  return words.slice(0, comparedLength) + words.slice(-comparedLength)
}
