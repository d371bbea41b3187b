/** Selects the requests that belong to a conversation that matters for routing. */
import { strategyProfiles } from '../../../shared/routers/strategies.ts'
import type { ChatCall } from '../chat-call.ts'
import { isStep } from '../sessions/asker.ts'
import { awaitsToolResult, type IdentifiedCall } from './conversation-memory.ts'

/**
 * Null, without any hashing, where the strategy keeps the list's order and no tool can be called, and for a coding
 * agent's side requests, such as a title: what answers them must not become the session's model.
 * @param marksPrompts  whether the conversation's history decides about cache marks
 */
export function identify(call: ChatCall, marksPrompts: boolean): IdentifiedCall | null {
  const { router, body, apiKeyId, asker, conversation = null } = call
  if (asker !== undefined && !isStep(asker)) return null
  const callsTools = (body.tools?.length ?? 0) > 0 || awaitsToolResult(body)
  const keepsOrder = strategyProfiles[router.strategy].keepsListOrder
  const isOfSession = (asker?.session ?? null) !== null
  if (keepsOrder && !callsTools && !marksPrompts && !isOfSession) return null
  return { routerId: router.id, apiKeyId, conversation, body }
}
