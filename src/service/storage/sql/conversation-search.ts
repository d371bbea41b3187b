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
  const words = wordsOf(text.replaceAll(/["\0]/g, ' '))
  const last = words.at(-1) ?? ''
  const phrases = words.map((word) => `"${spaced(word)}"`).join(' ')
  // The index has no prefixes of one letter.
  return last.length > 1 ? `${phrases}*` : phrases
}

/**
 * The newest messages with all words. SQLite reads them from the end of its index, and no more than these, so common words
 * do not take longer the more messages there are.
 */
const newestMessages = {
  sqlite: `
    SELECT m.conversation_id, m.position
    FROM message_words
    JOIN messages m ON m.position = message_words.rowid
    JOIN conversations c ON c.id = m.conversation_id
    WHERE message_words MATCH :query AND m.removed_at_ms IS NULL AND c.removed_at_ms IS NULL
    ORDER BY message_words.rowid DESC LIMIT 2000`,
  postgres: `
    SELECT m.conversation_id, m.position
    FROM messages m JOIN conversations c ON c.id = m.conversation_id
    WHERE m.removed_at_ms IS NULL AND c.removed_at_ms IS NULL AND NOT EXISTS (
      SELECT 1 FROM json_array_elements_text(CAST(:patterns AS JSON)) AS word (pattern)
      WHERE NOT (m.text ILIKE word.pattern ESCAPE '\\' OR EXISTS (
        SELECT 1 FROM json_array_elements(CAST(m.attachments AS JSON)) AS attached
        WHERE attached->>'name' ILIKE word.pattern ESCAPE '\\')))
    ORDER BY m.position DESC LIMIT 2000`,
}

const mostMatches = 100

/** Without case and accents. */
function folded(text: string): string {
  return text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()
}

function wordsOf(text: string): string[] {
  return text.trim().split(/\s+/)
}

export function openConversationSearch(
  sql: Sql,
): Pick<ConversationStore, 'search' | 'indexMessages'> {
  const { engine, insertOrder } = sql.dialect
  const newestFirst = `c.updated_at_ms DESC, c.${insertOrder} DESC`
  const inMessages = sql.prepare<
    [{ query: string; patterns: string }],
    { conversationId: string; messageId: string; text: string }
  >(`
    SELECT c.id AS "conversationId", m.id AS "messageId", m.text
    FROM (SELECT conversation_id, max(position) AS position
          FROM (${newestMessages[engine]}) AS newest GROUP BY conversation_id) AS found
    JOIN conversations c ON c.id = found.conversation_id
    JOIN messages m ON m.position = found.position
    ORDER BY ${newestFirst} LIMIT ${mostMatches}`)
  const titles = sql.prepare<[], { id: string; title: string }>(
    `SELECT c.id, c.title FROM conversations c WHERE c.removed_at_ms IS NULL ORDER BY ${newestFirst}`,
  )
  return {
    async search(text: string) {
      const patterns = wordsOf(text).map((word) => `%${word.replaceAll(/[\\%_]/g, '\\$&')}%`)
      const found = await inMessages.all({
        query: queryOf(text),
        patterns: JSON.stringify(patterns),
      })
      const messageOf = new Map(found.map((message) => [message.conversationId, message]))
      const words = wordsOf(folded(text))
      const matches: ConversationMatch[] = []
      for (const { id, title } of await titles.all()) {
        const message = messageOf.get(id)
        if (!message && !words.every((word) => folded(title).includes(word))) continue
        const excerpt = message ? excerptOf(message.text, text) : null
        matches.push({ conversationId: id, messageId: message?.messageId ?? null, excerpt })
        if (matches.length === mostMatches) break
      }
      return matches
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
