import { useRef } from 'react'
import { setAttached, setDraft, useChat } from '../../stores/chat.ts'
import {
  closePreview,
  leaveModel,
  mayBeSent,
  takenModelOf,
  type PreviewedMessage,
} from '../../stores/previews.ts'
import { queueMessage } from '../../stores/queue.ts'
import { sendToRouters } from '../../stores/router-comparison.ts'
import { askAboveUsdOf, useSettings } from '../../stores/settings.ts'

interface Sending extends PreviewedMessage {
  /** The text as it is in the field. */
  draft: string
  /** Whether a model may be taken in place of the router's. */
  isRouted: boolean
  /** Routers that get the message too. */
  others: readonly { id: string }[]
  agent: string | null
}

/** Sends the message, or asks first when its forecast is above the limit. */
export function useSending(sending: Sending): () => Promise<void> {
  const isDeciding = useRef(false)
  return async () => {
    if (isDeciding.current) return
    const { conversation, routerId, text, draft, isRouted, others, agent } = sending
    const message = { conversation, routerId, text }
    isDeciding.current = true
    const maySend =
      agent !== null || (await mayBeSent(message, askAboveUsdOf(useSettings.getState())))
    isDeciding.current = false
    // While the forecast was made, the text may have changed.
    if (!maySend || draftOf(conversation) !== draft) return
    const model = isRouted ? takenModelOf(message) : null
    closePreview(conversation)
    const otherRouterIds = others.map(({ id }) => id)
    // A message that was refused stays, with its model.
    if (await sendToRouters({ ...message, model, otherRouterIds })) leaveModel(conversation)
  }
}

/** Moves the message with its files from the field to the queue. */
export function queueDraft(message: PreviewedMessage, isRouted: boolean): void {
  const { conversation, routerId, text } = message
  const attachments = [...(useChat.getState().attached[conversation] ?? [])]
  const model = isRouted ? takenModelOf(message) : null
  const taken = model === null ? null : { routerId, model }
  queueMessage(conversation, { text, attachments, taken })
  setDraft(conversation, '')
  setAttached(conversation, [])
  closePreview(conversation)
  leaveModel(conversation)
}

function draftOf(conversation: string): string {
  return useChat.getState().drafts[conversation] ?? ''
}
