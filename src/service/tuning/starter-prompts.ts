/** The starter set: prompts of our own writing over all domains and grades, each with a deterministic check. */
import { z } from 'zod'
import promptsFile from '../../../resources/starter-prompts.json' with { type: 'json' }
import { domainNames } from '../../shared/app/domains.ts'
import { promptCheckSchema } from '../../shared/chat/prompt-check.ts'

/**
 * 1: most people answer within a minute; 2: an expert within a minute; 3: an expert within an hour; 4: longer, or
 * with traps that catch experts.
 */
export const promptGrades = [1, 2, 3, 4] as const

const starterPromptSchema = z.strictObject({
  id: z.string().regex(/^[a-z0-9-]+$/),
  domain: z.enum(domainNames),
  grade: z.literal(promptGrades),
  /** Sent as the only message. */
  prompt: z.string().min(1),
  check: promptCheckSchema,
})
export type StarterPrompt = z.output<typeof starterPromptSchema>

/**
 * All prompts, by domain. Read only when a run uses them.
 * @throws z.ZodError when the file does not fit the schema, which a test rules out
 */
export function starterPrompts(): StarterPrompt[] {
  return z.array(starterPromptSchema).parse(promptsFile)
}
