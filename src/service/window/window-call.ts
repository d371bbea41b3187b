/** The request of the chat window, whether it is sent or previewed. */
import type { ChatCall } from '../chat/chat-call.ts'
import type { bodyOf } from './conversation-turns.ts'

interface WindowRequest extends Pick<ChatCall, 'requestId' | 'router'> {
  /** Null before the conversation begins. */
  conversationId: string | null
  /** A model or an agent; null lets the router choose. */
  model: string | null
  body: Awaited<ReturnType<typeof bodyOf>>
}

export function windowCall({
  requestId,
  router,
  conversationId,
  model,
  body,
}: WindowRequest): ChatCall {
  return {
    requestId,
    router,
    body: { ...(model !== null && { model }), ...body, stream: true },
    apiKeyId: null,
    source: 'chat',
    acceptAnyModel: false,
    client: null,
    conversation: conversationId,
    // A user who asks again wants a new answer.
    cacheUse: 'none',
  }
}
