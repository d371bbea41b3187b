/** What each reader of a program's export gives, and what several of them share. */
import type { WireFields } from '../../../shared/chat/chat.ts'
import type { ChatSource } from '../../../shared/chat/imports.ts'
import { fieldsOf } from '../../json-fields.ts'
import type { Found, ImportedConversation } from '../imported.ts'
import { jsonValues } from '../json-values.ts'
import type { SourceFile } from '../source-files.ts'

/** An opened export, and what tells programs apart. */
export interface Export {
  files: readonly SourceFile[]
  /** The first conversation-like JSON object; no fields when there is none. */
  first: WireFields
}

export interface ChatReader {
  source: ChatSource
  claims(found: Export): boolean
  read(found: Export): AsyncIterable<Found>
}

/** `conversations.json` and its shards, in any folder. */
export const listFile = /(?:^|\/)conversations(?:[-_]\d+)?\.json$/

/** Reads lists of conversations one by one. A broken one becomes a warning. */
export async function* conversationsIn(
  files: readonly SourceFile[],
  toConversation: (value: WireFields) => ImportedConversation,
): AsyncIterable<Found> {
  for (const file of files) {
    let position = 0
    for await (const bytes of jsonValues(await file.stream())) {
      position += 1
      yield foundIn(bytes, `Conversation ${position} of ${file.name}`, toConversation)
    }
  }
}

/** @param what the beginning of the warning's sentence */
export function foundIn(
  bytes: Buffer,
  what: string,
  toConversation: (value: WireFields) => ImportedConversation,
): Found {
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'))
    const conversation = toConversation(fieldsOf(value))
    if (conversation.nodes.some(({ role }) => role !== 'hidden')) {
      return { kind: 'conversation', conversation }
    }
    return { kind: 'warning', warning: `${what} has no messages.` }
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return { kind: 'warning', warning: `${what} is not valid JSON.` }
  }
}
