/** The reading of a prompt, and the part of it that is stored. */
import { countPrompt } from '../chat/admission/request-needs.ts'
import { promptText } from '../chat/prompt-text.ts'
import type { Candidate, PromptReading } from '../routing/candidate.ts'
import { formOf } from '../routing/own-kinds.ts'
import { startLogit } from '../routing/own-knowledge.ts'
import { readFeatures } from '../routing/prompt/prompt-features.ts'
import { readPrompt } from '../routing/prompt/read-prompt.ts'
import type { StoredReading } from './tuning-outcome.ts'
import type { SourcePrompt } from './tuning-prompt.ts'

type ReadPrompt = PromptReading & Pick<StoredReading, 'promptTokens' | 'form'>

export function readingOf({ messages }: Pick<SourcePrompt, 'messages'>): ReadPrompt {
  const body = { messages: [...messages] }
  const text = promptText(body)
  const promptTokens = countPrompt(body)
  return { ...readPrompt(text), promptTokens, form: formOf(readFeatures(text).dense) }
}

export function storedReading(
  { domain, grade }: Pick<SourcePrompt, 'domain' | 'grade'>,
  reading: ReadPrompt,
  { candidates, newId }: { candidates: readonly Candidate[]; newId(): string },
): StoredReading {
  const { promptTokens, confidence, gain, difficulty, form } = reading
  // Field by field: a reading contains more than may be stored, such as the reasons for its difficulty.
  return {
    id: newId(),
    promptTokens,
    domains: [...reading.domains],
    topics: [...reading.topics],
    confidence,
    gain,
    difficulty,
    form,
    domain,
    grade,
    startLogits: Object.fromEntries(
      candidates.map((candidate) => [candidate.modelId, startLogit(candidate.quality, reading)]),
    ),
  }
}
