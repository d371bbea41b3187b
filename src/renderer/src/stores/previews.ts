import { create } from 'zustand'
import type { Preview } from '../../../shared/routers/preview.ts'
import { instructionsFor, newConversation, useChat } from './chat.ts'
import { call, toCallError, type CallError } from './client.ts'

/** The message that is previewed. */
export interface PreviewedMessage {
  conversation: string
  routerId: string
  text: string
}

export type PreviewState =
  | { kind: 'loading' }
  | { kind: 'failed'; error: CallError }
  | { kind: 'known'; preview: Preview }

interface ShownPreview {
  message: PreviewedMessage
  state: PreviewState
}

/** The latest preview of each conversation. */
export const usePreviews = create<Record<string, ShownPreview>>(() => ({}))

/** Previews a message. A later preview of the conversation replaces it. Never rejects. */
export async function loadPreview(message: PreviewedMessage): Promise<void> {
  const { conversation, routerId, text } = message
  const show = (state: PreviewState) => usePreviews.setState({ [conversation]: { message, state } })
  const isLatest = () => usePreviews.getState()[conversation]?.message === message
  show({ kind: 'loading' })
  try {
    const conversationId = conversation === newConversation ? null : conversation
    const attachments = [...(useChat.getState().attached[conversation] ?? [])]
    const instructions = instructionsFor(conversation)
    const input = { conversationId, routerId, text, attachments, ...instructions }
    const preview = await call('chat:preview', input)
    if (isLatest()) show({ kind: 'known', preview })
  } catch (error) {
    if (isLatest()) show({ kind: 'failed', error: toCallError(error) })
  }
}

export function closePreview(conversation: string): void {
  usePreviews.setState(({ [conversation]: _closed, ...others }) => others, true)
}

/** The preview of this very message; null when another text or router was previewed. */
export function previewFor(
  { conversation, routerId, text }: PreviewedMessage,
  previews: Readonly<Record<string, ShownPreview>>,
): PreviewState | null {
  const shown = previews[conversation]
  if (shown?.message.text !== text || shown.message.routerId !== routerId) return null
  return shown.state
}
