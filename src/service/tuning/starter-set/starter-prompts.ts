/** The starter set: prompts of our own writing over all domains and grades, each with a deterministic check. */
import type { Domain } from '../../../shared/domains.ts'
import type { StarterPrompt } from '../../../shared/starter-prompt.ts'
import { chatWritingPrompts } from './chat-writing.ts'
import { codeQuestions } from './code-questions.ts'
import { codeTasks } from './code-tasks.ts'
import type { DomainPrompt } from './domain-prompt.ts'
import { extractionPrompts } from './extraction.ts'
import { humanitiesPrompts } from './humanities.ts'
import { lawBusinessPrompts } from './law-business.ts'
import { mathsPrompts } from './maths.ts'
import { otherPrompts } from './other.ts'
import { sciencePrompts } from './science.ts'

const promptsByDomain: Readonly<Record<Domain, readonly DomainPrompt[]>> = {
  chat_writing: chatWritingPrompts,
  code: [...codeQuestions, ...codeTasks],
  maths_quant: mathsPrompts,
  science_medical: sciencePrompts,
  law_business: lawBusinessPrompts,
  humanities_social: humanitiesPrompts,
  extraction_transform: extractionPrompts,
  other: otherPrompts,
}

/** All prompts, by domain. */
export const starterPrompts: readonly StarterPrompt[] = Object.entries(promptsByDomain).flatMap(
  // Checked boundary: the record's keys are the domains.
  ([domain, prompts]) => prompts.map((prompt) => ({ ...prompt, domain: domain as Domain })),
)
