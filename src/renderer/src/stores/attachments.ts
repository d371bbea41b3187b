/** Files of the message that is written, and which models can read them. */
import { create } from 'zustand'
import {
  attachmentLimits,
  type Attachment,
  type RouterReaders,
} from '../../../shared/chat/attachments.ts'
import { t } from '../../../shared/strings/strings.ts'
import { setAttached, showThreadError, useChat } from './chat.ts'
import { call, CallError, toCallError } from './client.ts'
import { closePreview } from './previews.ts'

interface AttachmentState {
  /** Files that are being read, by conversation. */
  reading: Readonly<Record<string, readonly File[]>>
  /** Who reads a file, by `readingKey`. */
  readers: Readonly<Record<string, readonly RouterReaders[]>>
}

export const useAttachments = create<AttachmentState>(() => ({ reading: {}, readers: {} }))

export function attachedTo(conversation: string): readonly Attachment[] {
  return useChat.getState().attached[conversation] ?? []
}

/** The same content may be read in two ways. */
export function readingKey({ sha256, sentAs }: Attachment): string {
  return `${sha256} ${sentAs}`
}

/**
 * Adds files to the message. Never rejects: the last refusal is in the thread's `error`.
 * @returns those that were added
 */
export async function attachFiles(
  conversation: string,
  files: readonly File[],
): Promise<Attachment[]> {
  const added: Attachment[] = []
  for (const file of files) {
    changeReading(conversation, (reading) => [...reading, file])
    try {
      refuse(conversation, file)
      const bytes = new Uint8Array(await file.arrayBuffer())
      const attachment = await call('chat:attach', { name: file.name.slice(-255), bytes })
      const others = attachedTo(conversation).filter(({ sha256 }) => sha256 !== attachment.sha256)
      change(conversation, [...others, attachment])
      added.push(attachment)
    } catch (error) {
      showThreadError(conversation, toCallError(error))
    } finally {
      changeReading(conversation, (reading) => reading.filter((one) => one !== file))
    }
  }
  return added
}

/** @throws CallError before a file that is refused is read */
function refuse(conversation: string, { size }: File): void {
  const invalid = (message: string) => new CallError({ code: 'invalid', message, field: null })
  const { bytes, perMessage } = attachmentLimits
  if (size > bytes) throw invalid(t('A file can have 20 MB at most.'))
  if (attachedTo(conversation).length < perMessage) return
  throw invalid(t('A message can have {count} files at most.', { count: perMessage }))
}

export function removeAttachment(conversation: string, { sha256 }: Attachment): void {
  change(
    conversation,
    attachedTo(conversation).filter((one) => one.sha256 !== sha256),
  )
}

export function sendAs(
  conversation: string,
  { sha256 }: Attachment,
  sentAs: Attachment['sentAs'],
): void {
  change(
    conversation,
    attachedTo(conversation).map((one) => (one.sha256 === sha256 ? { ...one, sentAs } : one)),
  )
}

/** Asks who can read a file. Never rejects. */
export async function loadReaders(conversation: string, attachment: Attachment): Promise<void> {
  try {
    const found = await call('chat:attachment-readers', attachment)
    useAttachments.setState(({ readers }) => ({
      readers: { ...readers, [readingKey(attachment)]: found },
    }))
  } catch (error) {
    showThreadError(conversation, toCallError(error))
  }
}

function change(conversation: string, attachments: readonly Attachment[]): void {
  closePreview(conversation)
  setAttached(conversation, attachments)
}

function changeReading(
  conversation: string,
  filesAfter: (reading: readonly File[]) => readonly File[],
): void {
  useAttachments.setState(({ reading }) => ({
    reading: { ...reading, [conversation]: filesAfter(reading[conversation] ?? []) },
  }))
}
