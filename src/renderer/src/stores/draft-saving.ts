/**
 * Stores what changed of unsent messages, and only that: another window may have changed the rest.
 */
import type { IpcInput } from '../../../shared/ipc.ts'
import { call } from './client.ts'

type ChangedDraft = Omit<IpcInput<'chat:save-draft'>, 'conversationId'>

/** What is not stored yet, by conversation. */
const unsaved = new Map<string, ChangedDraft>()
const timers = new Map<string, ReturnType<typeof setTimeout>>()

/** Stores it after this time without a change. */
export function saveSoon(conversation: string, changed: ChangedDraft, pauseMs: number): void {
  unsaved.set(conversation, { ...unsaved.get(conversation), ...changed })
  clearTimeout(timers.get(conversation))
  timers.set(
    conversation,
    setTimeout(() => void save(conversation), pauseMs),
  )
}

/** Resolves once it is stored, and the other windows were told. Never rejects. */
export async function saveNow(conversation: string, changed: ChangedDraft): Promise<void> {
  unsaved.set(conversation, { ...unsaved.get(conversation), ...changed })
  await save(conversation)
}

async function save(conversationId: string): Promise<void> {
  const saved = unsaved.get(conversationId)
  if (!saved) return
  try {
    await call('chat:save-draft', { conversationId, ...saved })
  } catch {
    // Typing goes on without it, and the next change tries again.
    return
  }
  const left = Object.entries(unsaved.get(conversationId) ?? {}).filter(
    ([part, value]) => value !== saved[part as keyof ChangedDraft],
  )
  if (left.length === 0) unsaved.delete(conversationId)
  else unsaved.set(conversationId, Object.fromEntries(left))
}

/** What another window stored, without what this window has changed too and stores over it. */
export function withoutUnsaved(conversation: string, stored: ChangedDraft): ChangedDraft {
  const own = unsaved.get(conversation) ?? {}
  return Object.fromEntries(Object.entries(stored).filter(([part]) => !(part in own)))
}
