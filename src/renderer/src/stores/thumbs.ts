import { create } from 'zustand'
import type { ConversationMessage } from '../../../shared/chat/conversations.ts'
import type { Lesson, Thumbs } from '../../../shared/chat/feedback.ts'
import { call } from './client.ts'

/** Loaded thumbs by request id. */
export const useThumbs = create<Thumbs>(() => ({}))

/** What the thumbs of this session have taught, by request id. */
export const useLessons = create<Record<string, Lesson>>(() => ({}))

/** Loads the thumbs of these answers. @throws CallError */
export async function loadThumbs(requestIds: readonly string[]): Promise<void> {
  if (requestIds.length === 0) return
  useThumbs.setState(await call('feedback:thumbs', { requestIds: [...requestIds] }))
}

/**
 * Sets the thumb of an answer; null withdraws it.
 * @throws CallError when the request is not in the ledger; the thumb then stays as it was
 */
export async function setThumb(requestId: string, thumb: 'up' | 'down' | null): Promise<void> {
  const before = useThumbs.getState()[requestId]
  if (thumb) {
    const lesson = await call('feedback:give', { requestId, kind: thumb })
    useLessons.setState({ [requestId]: lesson })
  } else if (before) await call('feedback:withdraw', { requestId, kind: before })
  useThumbs.setState(({ [requestId]: _old, ...others }) => {
    return thumb ? { ...others, [requestId]: thumb } : others
  }, true)
}

/** Records a copied answer as weak positive feedback. Failures are ignored: the user did not ask for it. */
export function tellCopied({ meta }: Pick<ConversationMessage, 'meta'>): void {
  if (meta === null) return
  call('feedback:give', { requestId: meta.requestId, kind: 'copied' }).catch(() => {})
}
