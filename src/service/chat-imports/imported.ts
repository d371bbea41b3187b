/** What a reader finds in another program's file, and what an import makes of it. */
import type { ConversationMessage, Instructions } from '../../shared/chat/conversations.ts'
import type { ChatSource, MessageDetail } from '../../shared/chat/imports.ts'

/** A file that a message names. Its bytes are read only when the conversation is imported. */
export interface ImportedFile {
  name: string
  /** As the export says; null when it does not. */
  mediaType: string | null
  /** Null when the export names the file and does not contain it. */
  read: (() => Promise<Uint8Array>) | null
  /** Text that the other program read from the file; null for none. */
  text: string | null
}

/** How an answer ended. */
export type Ending = Pick<ConversationMessage, 'state' | 'error' | 'errorDetail'>

/** A message as the other program stored it: one step of an answer, or a question. */
export interface ImportedNode {
  id: string
  parentId: string | null
  /** What is hidden is left out, and what follows it stays attached. */
  role: 'user' | 'assistant' | 'tool' | 'hidden'
  text: string
  model: string | null
  createdAtMs: number | null
  details: readonly MessageDetail[]
  files: readonly ImportedFile[]
  ending: Ending
  /** Whether another message is shown in its place; null where the shown branch tells it. */
  isSetAside: boolean | null
}

/** A question, or an answer with all of its steps. */
export interface ImportedTurn extends Omit<ImportedNode, 'role'> {
  role: 'user' | 'assistant'
}

/**
 * What an export of Modelport has and an import does not keep: of an answer its figures, its calls of tools as calls and
 * the places of its sources; of a conversation its router and the like, that its tools are on, and unknown parameters.
 */
export type LostPart = 'figures' | 'calls' | 'citations' | 'origin' | 'tools' | 'parameters'

export interface ImportedConversation {
  source: ChatSource
  /** The other program's own name for it. */
  id: string
  title: string | null
  createdAtMs: number | null
  isPinned: boolean
  systemPrompt: string | null
  /** Missing where the other program has none of Modelport's form. */
  parameters?: Instructions['parameters']
  /** Each part once for each answer or conversation that loses it. */
  lost?: readonly LostPart[]
  /** What Modelport does not keep, for the list of losses. */
  isArchived: boolean
  folder: string | null
  project: string | null
  tags: readonly string[]
  nodes: readonly ImportedNode[]
  /** The node at the end of the shown branch; null: the newest one. */
  activeNodeId: string | null
}

/** A system prompt with a name, such as a project of Claude. */
export interface ImportedPreset {
  id: string
  name: string
  systemPrompt: string
}

export type Found =
  | { kind: 'conversation'; conversation: ImportedConversation }
  | { kind: 'preset'; preset: ImportedPreset }
  /** A sentence about what could not be read. */
  | { kind: 'warning'; warning: string }

/** Why nothing of a file can be imported, for the person who chose it. */
export class ImportRefused extends Error {
  override readonly name = 'ImportRefused'
}
