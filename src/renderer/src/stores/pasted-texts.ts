/** Long texts that were pasted into a message. Each becomes a file, until the person wants it as text. */
import { create } from 'zustand'
import type { Attachment } from '../../../shared/chat/attachments.ts'
import { t } from '../../../shared/strings/strings.ts'
import { attachedTo, attachFiles, removeAttachment } from './attachments.ts'
import { setDraft, useChat } from './chat.ts'

/** A longer text fills the field, so that what is written beside it can no longer be seen. */
export const longestPaste = 8000

/** What is selected in the field, and replaced by a paste. */
interface Selection {
  start: number
  end: number
}

interface PastedText {
  text: string
  /** The message at that time: while it is unchanged, the paste is what can be undone. */
  draft: string
}

/** By the SHA-256 of the file. A text of an earlier session stays a file. */
export const usePastedTexts = create<Readonly<Record<string, PastedText>>>(() => ({}))

/** Attaches a pasted text as a file. Never rejects: a text that is refused as a file lands in the field. */
export async function pasteAsFile(
  conversation: string,
  text: string,
  selection: Selection,
): Promise<void> {
  const file = new File([text], t('Pasted text.txt'), { type: 'text/plain' })
  const [attachment] = await attachFiles(conversation, [file])
  if (attachment === undefined) return insert(conversation, text, selection)
  const draft = draftOf(conversation)
  usePastedTexts.setState({ [attachment.sha256]: { text, draft } })
}

/** Puts a pasted text into the field in place of its file. */
export function keepAsText(
  conversation: string,
  attachment: Attachment,
  selection: Selection,
): void {
  const pasted = usePastedTexts.getState()[attachment.sha256]
  if (!pasted) return
  removeAttachment(conversation, attachment)
  insert(conversation, pasted.text, selection)
}

/** The file of a paste that nothing was written after; null without one. */
export function lastPastedFile(conversation: string): Attachment | null {
  const last = attachedTo(conversation).at(-1)
  if (last === undefined) return null
  return usePastedTexts.getState()[last.sha256]?.draft === draftOf(conversation) ? last : null
}

function insert(conversation: string, text: string, { start, end }: Selection): void {
  const draft = draftOf(conversation)
  setDraft(conversation, draft.slice(0, start) + text + draft.slice(end))
}

function draftOf(conversation: string): string {
  return useChat.getState().drafts[conversation] ?? ''
}
