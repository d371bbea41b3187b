import { createHash } from 'node:crypto'
import type { MessageDetail } from '../../shared/chat/imports.ts'
import { mediaTypeOf } from '../window/attachments/read-file.ts'
import type { PreparedConversation, PreparedFile, PreparedTurn } from './prepare.ts'

/** A conversation as `modelport chats import --check-form` writes it, to compare it with what should be there. */
export type CheckedConversation = ReturnType<typeof checkForm>

export function checkForm(conversation: PreparedConversation) {
  const { sourceId, title, createdAtMs, isPinned, isArchived, folder, project, tags } = conversation
  const sourceIds = new Map(conversation.turns.map((turn) => [turn.id, turn.sourceId]))
  return {
    id: sourceId,
    title,
    createdAtMs,
    pinned: isPinned,
    archived: isArchived,
    folder,
    project,
    tags,
    system: conversation.systemPrompt,
    activeLeafId: sourceIds.get(conversation.activeId ?? '') ?? null,
    messages: conversation.turns.map((turn) => messageForm(turn, sourceIds)),
  }
}

function messageForm(turn: PreparedTurn, sourceIds: ReadonlyMap<string, string>) {
  const { sourceId, parentId, role, text, model, createdAtMs, details, files } = turn
  return {
    id: sourceId,
    parentId: sourceIds.get(parentId ?? '') ?? null,
    role,
    text,
    model,
    createdAtMs,
    extra: details.map(detailText).join('\n\n'),
    attachments: files.map(fileForm),
  }
}

function detailText({ title, text }: MessageDetail): string {
  return `${title}\n${text}`
}

function fileForm({ name, mediaType, bytes, text }: PreparedFile) {
  if (bytes === null) return { name, text, missing: true }
  return {
    name,
    mime: mediaType ?? mediaTypeOf(bytes),
    bytes: bytes.byteLength,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    text,
    missing: false,
  }
}
