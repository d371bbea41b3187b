import type { Domain } from './domains.ts'
import type { PromptCheck } from './prompt-check.ts'

/**
 * 1: most people answer within a minute; 2: an expert within a minute; 3: an expert within an hour; 4: longer, or
 * with traps that catch experts.
 */
export const promptGrades = [1, 2, 3, 4] as const
export type PromptGrade = (typeof promptGrades)[number]

/** A prompt of the starter set, which ships with the program. It is sent as the only message. */
export interface StarterPrompt {
  /** Stable across versions: results refer to it. */
  id: string
  domain: Domain
  grade: PromptGrade
  prompt: string
  check: PromptCheck
}
