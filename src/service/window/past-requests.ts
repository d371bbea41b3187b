/** What the window can do with a finished request besides showing it. */
import { chatRequestSchema, type ChatRequest } from '../../shared/chat/chat.ts'
import { ancestorsOf, turnsOf } from '../../shared/chat/conversation-turns.ts'
import { createIds } from '../ids.ts'
import type { Workspace } from '../wiring/workspace.ts'
import type { Conversation } from '../../shared/chat/conversations.ts'
import type { Preview } from '../../shared/routers/preview.ts'
import type { PreviewChat } from '../chat/preview.ts'
import { DashboardError } from '../dashboard/dashboard.ts'
import { ServiceError } from '../errors.ts'
import type { LiveConfiguration } from '../storage/live-configuration.ts'
import type { Storage } from '../storage/storage.ts'
import { bodyOf } from './conversation-turns.ts'

export interface PastRequests {
  /** The conversation of the chat window that it belongs to; null for all others. */
  conversation(id: string): Promise<Conversation | null>
  /**
   * The model that another router would choose for the request. Nothing is sent.
   * @throws DashboardError when its text is not stored.
   * @throws ServiceError as `previewChat`
   */
  preview(query: { id: string; routerId: string }): Promise<Preview>
}

interface PastRequestsOptions {
  storage: Pick<Storage, 'conversations' | 'contents'>
  configuration: LiveConfiguration
  previewChat: PreviewChat
  newId: () => string
}

export function openPastRequests(
  { storage, configuration, now }: Workspace,
  previewChat: PreviewChat,
): PastRequests {
  return createPastRequests({ storage, configuration, previewChat, newId: createIds(now) })
}

export function createPastRequests(options: PastRequestsOptions): PastRequests {
  const { storage, configuration, previewChat, newId } = options
  return {
    conversation: (id) => storage.conversations.ofRequest(id),
    async preview({ id, routerId }) {
      const router = configuration.current().routers.get(routerId)
      if (!router) throw new ServiceError('router_not_found', 'This router no longer exists.')
      const body = (await storedBody(storage, id)) ?? (await chatBody(storage, id))
      if (body === null) {
        throw new DashboardError(
          'not_found',
          'The text of this request is not stored, so another router cannot read it. Turn on content logging for its router to replay future requests.',
        )
      }
      const { model: _model, ...rest } = body
      return previewChat({
        requestId: newId(),
        router,
        body: rest,
        apiKeyId: null,
        source: 'chat',
        acceptAnyModel: false,
        client: null,
        cacheUse: 'none',
      })
    },
  }
}

/** @returns null when it is not stored as a whole */
async function storedBody(
  { contents }: PastRequestsOptions['storage'],
  id: string,
): Promise<ChatRequest | null> {
  const content = await contents.get(id)
  if (content === null || content.isRequestCut) return null
  const parsed = chatRequestSchema.safeParse(JSON.parse(content.request))
  return parsed.success ? parsed.data : null
}

/** The messages of the chat window up to the question of the request. */
async function chatBody(
  { conversations }: PastRequestsOptions['storage'],
  id: string,
): Promise<ChatRequest | null> {
  const conversation = await conversations.ofRequest(id)
  if (conversation === null) return null
  const messages = await conversations.messages(conversation.id)
  // An answer shares its id with its first request; `meta` has that of its last one.
  const answer = messages.find((one) => one.id === id || one.meta?.requestId === id)
  if (!answer) return null
  const turns = turnsOf(ancestorsOf(messages, answer))
  return { ...(await bodyOf(conversation, turns, conversations)), stream: true }
}
