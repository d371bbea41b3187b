/** Gemini's log probabilities in OpenAI's form. */
import type { WireFields } from '../../../../shared/chat/chat.ts'
import { fieldsOf, listOf } from '../../../json-fields.ts'

/** @returns null when the answer has none */
export function readLogprobs(value: unknown): WireFields | null {
  const { chosenCandidates, topCandidates } = fieldsOf(value)
  const chosen = listOf(chosenCandidates)
  if (chosen.length === 0) return null
  const tops = listOf(topCandidates)
  const content = chosen.map((candidate, position) => ({
    ...tokenOf(candidate),
    top_logprobs: listOf(fieldsOf(tops[position])['candidates']).map(tokenOf),
  }))
  return { content, refusal: null }
}

function tokenOf(value: unknown): WireFields {
  const { token, logProbability } = fieldsOf(value)
  const text = typeof token === 'string' ? token : ''
  const logprob = typeof logProbability === 'number' ? logProbability : 0
  return { token: text, logprob, bytes: [...Buffer.from(text)] }
}
