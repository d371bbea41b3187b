import type { ClipboardEvent, KeyboardEvent, RefObject } from 'react'
import type { Attachment } from '../../../../shared/chat/attachments.ts'
import { keepAsText, lastPastedFile, longestPaste, pasteAsFile } from '../../stores/pasted-texts.ts'
import { pastedFiles } from './given-files.ts'

/** A long text that is pasted into the message becomes a file; Ctrl + Z makes it text again. */
export function usePasting(conversation: string, field: RefObject<HTMLTextAreaElement | null>) {
  function selection(): { start: number; end: number } {
    return { start: field.current?.selectionStart ?? 0, end: field.current?.selectionEnd ?? 0 }
  }

  function onPaste(event: ClipboardEvent): void {
    const text = event.clipboardData.getData('text/plain')
    if (pastedFiles(event.clipboardData).length > 0 || text.length <= longestPaste) return
    event.preventDefault()
    void pasteAsFile(conversation, text, selection())
  }

  /** @returns true when the key undid a paste */
  function onKeyDown({ key, ctrlKey, metaKey, shiftKey }: KeyboardEvent): boolean {
    const isUndo = key === 'z' && (ctrlKey || metaKey) && !shiftKey
    const pasted = isUndo ? lastPastedFile(conversation) : null
    if (pasted) keepAsText(conversation, pasted, selection())
    return pasted !== null
  }

  function onKeepAsText(attachment: Attachment): void {
    keepAsText(conversation, attachment, selection())
    field.current?.focus()
  }

  return { onPaste, onKeyDown, onKeepAsText }
}
