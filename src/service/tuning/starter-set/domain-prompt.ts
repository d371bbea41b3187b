import type { StarterPrompt } from '../../../shared/starter-prompt.ts'

/** A prompt within the file of its domain. */
export type DomainPrompt = Omit<StarterPrompt, 'domain'>
