/**
 * Gemini's token counts in OpenAI's meaning. Google counts thoughts beside the candidates, and the results of
 * its own tools beside the prompt; both are billed as output and input. Fields that are 0 are absent. Checked
 * 2026-11-22 with ai.google.dev/api/generate-content#UsageMetadata.
 */
import type { ChatUsage, WireFields } from '../../../shared/chat/chat.ts'
import { countOf, fieldsOf, listOf } from '../../json-fields.ts'

/** Whether the counts include the answer's: the first events of a stream have text and no count of it. */
export function countsAnswer(value: unknown): boolean {
  const { candidatesTokenCount: candidates, thoughtsTokenCount: thoughts } = fieldsOf(value)
  return countOf(candidates) !== null || countOf(thoughts) !== null
}

/** Reads the usage; an absent count of the answer is 0. @returns null when the prompt's tokens are not reported */
export function readUsage(value: unknown): ChatUsage | null {
  const usage = fieldsOf(value)
  const prompt = countOf(usage['promptTokenCount'])
  const thoughts = countOf(usage['thoughtsTokenCount'])
  const candidates = countOf(usage['candidatesTokenCount'])
  if (prompt === null) return null
  const cached = countOf(usage['cachedContentTokenCount'])
  const audio = audioTokens(usage['promptTokensDetails'])
  const prompt_tokens = prompt + (countOf(usage['toolUsePromptTokenCount']) ?? 0)
  const completion_tokens = (candidates ?? 0) + (thoughts ?? 0)
  const promptDetails = {
    ...(cached === null ? {} : { cached_tokens: cached }),
    ...(audio === null ? {} : { audio_tokens: audio }),
  }
  return {
    prompt_tokens,
    completion_tokens,
    total_tokens: prompt_tokens + completion_tokens,
    ...(Object.keys(promptDetails).length === 0 ? {} : { prompt_tokens_details: promptDetails }),
    ...(thoughts === null ? {} : { completion_tokens_details: { reasoning_tokens: thoughts } }),
  }
}

/** The same counts as Gemini reports them. */
export function writeUsage(usage: ChatUsage): WireFields {
  const { prompt_tokens, completion_tokens, prompt_tokens_details, completion_tokens_details } =
    usage
  const thoughts = completion_tokens_details?.reasoning_tokens
  const cached = prompt_tokens_details?.cached_tokens
  return {
    promptTokenCount: prompt_tokens,
    candidatesTokenCount: completion_tokens - (thoughts ?? 0),
    totalTokenCount: prompt_tokens + completion_tokens,
    ...(cached === undefined ? {} : { cachedContentTokenCount: cached }),
    ...(thoughts === undefined ? {} : { thoughtsTokenCount: thoughts }),
  }
}

function audioTokens(details: unknown): number | null {
  const audio = listOf(details).find((each) => fieldsOf(each)['modality'] === 'AUDIO')
  return countOf(fieldsOf(audio)['tokenCount'])
}
