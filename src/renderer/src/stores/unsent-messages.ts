/** What was not sent yet, in this window and in another: queues, and the drafts of the last time. */
import type { Draft } from '../../../shared/chat/conversations.ts'
import type { IpcEvents } from '../../../shared/ipc.ts'
import { showThreadError, useChat } from './chat.ts'
import { call, toCallError } from './client.ts'
import { saveNow, withoutUnsaved } from './draft-saving.ts'
import type { Queue } from './queue-state.ts'

/** Resolves once it is stored. A queue that waits is sent by this window, and then no longer by another. */
export function setQueue(conversation: string, queue: Queue): Promise<void> {
  useChat.setState(({ queues }) => ({ queues: { ...queues, [conversation]: queue } }))
  const { messages, state } = queue
  return saveNow(conversation, { queue: [...messages], sendsQueue: state === 'waiting' })
}

/** Whether a conversation has a text, files or a queue that were not sent. */
export function hasUnsent(conversation: string): boolean {
  const { drafts, attached, queues } = useChat.getState()
  const lists = [attached[conversation], queues[conversation]?.messages]
  return Boolean(drafts[conversation]) || lists.some((list) => list && list.length > 0)
}

/** Reads the drafts of the last time. What was typed meanwhile stays. Never rejects. */
export async function loadDrafts(): Promise<void> {
  try {
    const stored = await call('chat:drafts')
    const entries = Object.entries(stored)
    const each = <Part>(partOf: (draft: Draft) => Part): Record<string, Part> =>
      Object.fromEntries(entries.map(([id, draft]) => [id, partOf(draft)]))
    useChat.setState(({ drafts, attached, queues }) => ({
      drafts: { ...each(({ text }) => text), ...drafts },
      attached: { ...each(({ attachments }) => attachments), ...attached },
      queues: { ...each(({ queue }) => ({ messages: queue, state: 'stored' })), ...queues },
    }))
  } catch (error) {
    showThreadError(useChat.getState().current, toCallError(error))
  }
}

/** Shows what another window changed of an unsent message, and leaves the queue to it if it sends that. */
export function noteDraft({ conversationId: id, ...stored }: IpcEvents['draft']): void {
  const { text, attachments, queue, sendsQueue } = withoutUnsaved(id, stored)
  useChat.setState(({ drafts, attached, queues }) => {
    const known = queues[id]
    const state = sendsQueue || !known?.messages.length ? 'stored' : known.state
    return {
      drafts: text === undefined ? drafts : { ...drafts, [id]: text },
      attached: attachments === undefined ? attached : { ...attached, [id]: attachments },
      queues: queue === undefined ? queues : { ...queues, [id]: { messages: queue, state } },
    }
  })
}
