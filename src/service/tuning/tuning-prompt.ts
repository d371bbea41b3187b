/** A prompt of a tuning run, as it is stored until it is graded. */
import { z } from 'zod'
import type { Domain } from '../../shared/app/domains.ts'
import { promptCheckSchema } from '../../shared/chat/prompt-check.ts'

const messageSchema = z.strictObject({
  role: z.enum(['system', 'user', 'assistant']),
  content: z.string(),
})

export const tuningPromptSchema = z.strictObject({
  messages: z.array(messageSchema).min(1),
  /** Null: for the judge. */
  check: promptCheckSchema.nullable(),
  /** A right answer, for the judge. */
  reference: z.string().nullable(),
})
export type TuningPrompt = z.infer<typeof tuningPromptSchema>

/** A prompt with what its source says about it. */
export interface SourcePrompt extends TuningPrompt {
  domain: Domain | null
  /** 1 is the easiest. */
  grade: 1 | 2 | 3 | 4 | null
}

/** Most characters of a prompt: a longer one would cost as much as a hundred others. */
export const longestPrompt = 60_000

export function lengthOf({ messages }: Pick<TuningPrompt, 'messages'>): number {
  return messages.reduce((sum, { content }) => sum + content.length, 0)
}
