/** Makes what the chat's store can keep of an imported conversation. */
import { createHash } from 'node:crypto'
import type { ChatSource, MessageDetail } from '../../shared/chat/imports.ts'
import { attachmentLimits } from '../../shared/chat/attachments.ts'
import { detail } from './read-fields.ts'
import {
  ImportRefused,
  type Ending,
  type ImportedConversation,
  type ImportedFile,
} from './imported.ts'
import { activeTurn, turnsOfNodes } from './turns-of-nodes.ts'

export interface PreparedFile {
  name: string
  mediaType: string | null
  /** Null when the export does not contain it. */
  bytes: Uint8Array | null
  text: string | null
}

export interface PreparedTurn {
  /** The same for the same message of the same program, so a second import finds it. */
  id: string
  parentId: string | null
  sourceId: string
  role: 'user' | 'assistant'
  text: string
  model: string | null
  createdAtMs: number | null
  details: MessageDetail[]
  files: PreparedFile[]
  ending: Ending
  isSetAside: boolean | null
}

export interface PreparedConversation extends Pick<
  ImportedConversation,
  | 'source'
  | 'title'
  | 'createdAtMs'
  | 'isPinned'
  | 'isArchived'
  | 'systemPrompt'
  | 'parameters'
  | 'lost'
  | 'folder'
  | 'project'
  | 'tags'
> {
  id: string
  sourceId: string
  /** Parents before what follows them. */
  turns: PreparedTurn[]
  /** The end of the shown branch. */
  activeId: string | null
}

export async function prepare(conversation: ImportedConversation): Promise<PreparedConversation> {
  const { nodes, activeNodeId, id: sourceId, ...about } = conversation
  const turns = turnsOfNodes(nodes)
  const idOf = (id: string) => importedId(about.source, sourceId, id)
  const active = activeTurn(turns, nodes, activeNodeId)
  const prepared: PreparedTurn[] = []
  for (const { files, details, id, parentId, ...turn } of turns) {
    prepared.push({
      ...turn,
      id: idOf(id),
      parentId: parentId === null ? null : idOf(parentId),
      sourceId: id,
      details: [...details],
      files: await Promise.all(files.map(preparedFile)),
    })
  }
  return {
    ...about,
    id: importedId(about.source, sourceId),
    sourceId,
    turns: prepared,
    activeId: active && idOf(active.id),
  }
}

/** The same for the same conversation, message or preset of the same program. */
export function importedId(source: ChatSource, ...names: readonly string[]): string {
  const hash = createHash('sha256').update(JSON.stringify([source, ...names]))
  return `imported-${hash.digest('hex').slice(0, 32)}`
}

/** A file of the export that is damaged or too large for a message is kept as its name. */
async function preparedFile({ read, ...file }: ImportedFile): Promise<PreparedFile> {
  if (read === null) return { ...file, bytes: null }
  try {
    const bytes = await read()
    return { ...file, bytes: bytes.byteLength <= attachmentLimits.bytes ? bytes : null }
  } catch (error) {
    if (error instanceof ImportRefused) return { ...file, bytes: null }
    throw error
  }
}

export function missingDetail({ name, text }: PreparedFile): MessageDetail {
  return detail('missing_file', name, text ?? '')
}
