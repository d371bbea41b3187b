import { create } from 'zustand'
import type { ConversationMessage } from '../../../shared/entities.ts'
import type { Thumbs } from '../../../shared/feedback.ts'
import { call } from './client.ts'

/** The thumbs that answers were given, by the request's id, of those that were read. */
export const useThumbs = create<Thumbs>(() => ({}))

/** Reads the thumbs of these answers. @throws CallError */
export async function loadThumbs(requestIds: readonly string[]): Promise<void> {
  if (requestIds.length === 0) return
  useThumbs.setState(await call('feedback:thumbs', { requestIds: [...requestIds] }))
}

/**
 * Gives an answer a thumb, or with null takes it back.
 * @throws CallError when the ledger does not have the request; the thumb is then as it was
 */
export async function setThumb(requestId: string, thumb: 'up' | 'down' | null): Promise<void> {
  const before = useThumbs.getState()[requestId]
  if (thumb) await call('feedback:give', { requestId, kind: thumb })
  else if (before) await call('feedback:withdraw', { requestId, kind: before })
  useThumbs.setState(({ [requestId]: _old, ...others }) => {
    return thumb ? { ...others, [requestId]: thumb } : others
  }, true)
}

/** An answer that is of use is copied. Whether this little sign arrives is nothing to bother a person with. */
export function tellCopied({ meta }: Pick<ConversationMessage, 'meta'>): void {
  if (meta === null) return
  call('feedback:give', { requestId: meta.requestId, kind: 'copied' }).catch(() => {})
}
