import { z } from 'zod'
import { contentText } from '../../../../shared/chat/chat.ts'
import type { RequestContent } from '../../../../shared/requests/content.ts'

/** The stored texts of a request and its answer. */
export interface StoredTexts {
  system: string | null
  user: string
  output: string | null
}

const requestSchema = z.object({
  messages: z.array(z.object({ role: z.string(), content: z.string() })),
})
const contentSchema = z.union([z.string(), z.array(z.record(z.string(), z.unknown()))]).nullable()
const answerSchema = z.object({
  choices: z.array(z.object({ message: z.object({ content: contentSchema }) })),
})

/** @returns null when the stored request was truncated or has another form */
export function readStoredTexts({ request, answer }: RequestContent): StoredTexts | null {
  const parsedRequest = requestSchema.safeParse(parsed(request))
  if (!parsedRequest.success) return null
  const { messages } = parsedRequest.data
  const parsedAnswer = answerSchema.safeParse(answer === null ? null : parsed(answer))
  const content = parsedAnswer.data?.choices[0]?.message.content ?? null
  return {
    system: messages.find(({ role }) => role === 'system')?.content ?? null,
    user: messages.findLast(({ role }) => role === 'user')?.content ?? '',
    output: content === null ? null : contentText(content),
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
