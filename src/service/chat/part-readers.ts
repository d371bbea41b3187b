/** The models that can read a part of a message, each with the tokens that it counts for it. */
import type { ChatMessage, ChatRequest } from '../../shared/chat/chat.ts'
import type { AttachmentReader } from '../../shared/chat/attachments.ts'
import type { Candidate } from '../routing/candidate.ts'
import { expectedPromptTokens } from '../routing/prompt-size.ts'
import { readNeeds } from './admission/request-needs.ts'

export function partReaders(
  content: NonNullable<ChatMessage['content']>,
  candidates: readonly Candidate[],
): AttachmentReader[] {
  const body: ChatRequest = { messages: [{ role: 'user', content }] }
  const size = readNeeds(body)
  return candidates
    .filter(({ capabilities }) => size.needs.every((need) => capabilities.includes(need)))
    .map((candidate) => ({
      model: candidate.modelId,
      tokens: Math.round(expectedPromptTokens(candidate, size)),
    }))
}
