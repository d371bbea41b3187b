/** Searches of the conversations: SQLite has an index of the messages' words, PostgreSQL reads their texts. */
import type { ConversationMatch } from '../../../shared/chat/conversations.ts'
import { attachmentsSchema } from '../../../shared/chat/attachments.ts'
import type { ConversationStore } from '../conversation-store.ts'
import { readJson } from './json-column.ts'
import type { Sql } from './sql.ts'

const indexedAtOnce = 100

/** Scripts that write no spaces between words. */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/gu

/** The text with each letter of an unspaced script as a word. A phrase of them finds what a substring would. */
function spaced(text: string): string {
  return text.replaceAll(unspaced, ' $& ')
}

/** A query of FTS5: all words in any order, of which the last may be unfinished. */
function queryOf(text: string): string {
  const words = text.replaceAll(/["\0]/g, ' ').trim().split(/\s+/)
  const last = words.at(-1) ?? ''
  const phrases = words.map((word) => `"${spaced(word)}"`).join(' ')
  // The index has no prefixes of one letter.
  return last.length > 1 ? `${phrases}*` : phrases
}

/** The newest messages with the words; SQLite reads them from the end of its index, so common words cost no more. */
const newestMessages = {
  sqlite: `
    SELECT m.conversation_id, m.position
    FROM message_words JOIN messages m ON m.position = message_words.rowid
    WHERE message_words MATCH :query AND m.removed_at_ms IS NULL
    ORDER BY message_words.rowid DESC LIMIT 2000`,
  postgres: `
    SELECT conversation_id, position FROM messages
    WHERE removed_at_ms IS NULL AND (text ILIKE :pattern ESCAPE '\\' OR EXISTS (
      SELECT 1 FROM json_array_elements(CAST(attachments AS JSON)) AS attached
      WHERE attached->>'name' ILIKE :pattern ESCAPE '\\'))
    ORDER BY position DESC LIMIT 2000`,
}

export function openConversationSearch(
  sql: Sql,
): Pick<ConversationStore, 'search' | 'indexMessages'> {
  const { engine, insertOrder, likeIgnoringCase: like } = sql.dialect
  const search = sql.prepare<
    [{ query: string; pattern: string }],
    Omit<ConversationMatch, 'excerpt'> & { text: string | null }
  >(`
    SELECT c.id AS "conversationId", m.id AS "messageId", m.text
    FROM conversations c
    LEFT JOIN (
      SELECT conversation_id, max(position) AS position
      FROM (${newestMessages[engine]}) AS newest GROUP BY conversation_id
    ) AS found ON found.conversation_id = c.id
    LEFT JOIN messages m ON m.position = found.position
    WHERE c.removed_at_ms IS NULL AND (m.id IS NOT NULL OR c.title ${like} :pattern ESCAPE '\\')
    ORDER BY c.updated_at_ms DESC, c.${insertOrder} DESC LIMIT 100`)
  return {
    async search(text: string) {
      const pattern = `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`
      const rows = await search.all({ query: queryOf(text), pattern })
      return rows.map(({ text: found, ...match }) => ({
        ...match,
        excerpt: found === null ? null : excerptOf(found, text),
      }))
    },
    indexMessages: engine === 'sqlite' ? openIndexing(sql) : async () => 0,
  }
}

function openIndexing(sql: Sql): () => Promise<number> {
  // Newest first, so that a search finds those earlier.
  const select = sql.prepare<[number], { position: number; text: string; attachments: string }>(`
    SELECT position, text, attachments FROM unindexed_messages JOIN messages USING (position)
    ORDER BY position DESC LIMIT ?`)
  const index = sql.prepare<[number, string]>(
    'INSERT OR REPLACE INTO message_words (rowid, text) VALUES (?, ?)',
  )
  const done = sql.prepare<[number]>('DELETE FROM unindexed_messages WHERE position = ?')
  return async () => {
    const rows = await select.all(indexedAtOnce)
    for (const { position, text, attachments } of rows) {
      const names = readJson(attachments, attachmentsSchema).map(({ name }) => name)
      await index.run(position, spaced([text, ...names].join('\n')))
      await done.run(position)
    }
    return rows.length
  }
}

const charactersBefore = 24
const charactersAfter = 80

/** The words around the first match, in one line. */
function excerptOf(text: string, searched: string): string {
  const lowerCase = text.toLowerCase()
  const sought = searched.toLowerCase()
  const places = [sought, ...sought.split(/\s+/)].map((words) => lowerCase.indexOf(words))
  const at = places.find((place) => place !== -1) ?? 0
  const start = Math.max(0, at - charactersBefore)
  const end = at + searched.length + charactersAfter
  const words = text.slice(start, end).replaceAll(/\s+/g, ' ').trim()
  return `${start > 0 ? '…' : ''}${words}${end < text.length ? '…' : ''}`
}
