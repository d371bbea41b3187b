import type { AnswerMeta, Conversation, ConversationMessage } from '../../../shared/entities.ts'
import { agentMetaSchema } from '../../../shared/chat/chat.ts'
import { fallbackSchema } from '../../../shared/routers/fallback.ts'
import type { ConversationStore } from '../storage.ts'
import { readJson } from './json-column.ts'
import { toNanoUsd, toUsd } from './money.ts'
import type { Sql } from './sql.ts'

/** A message with the fields of its `meta` as columns: all null, or all given but `fallback`. */
interface MessageRow extends Omit<ConversationMessage, 'meta' | 'agentMeta' | 'isSetAside'> {
  isSetAside: 0 | 1
  requestId: string | null
  modelUsed: string | null
  costNanoUsd: number | null
  latencyMs: number | null
  carbonGrams: number | null
  routerDecision: AnswerMeta['routerDecision'] | null
  agentMeta: string | null
  fallback: string | null
}

export function openConversations(sql: Sql): ConversationStore {
  return { ...openThreads(sql), ...openMessages(sql) }
}

type MessageFunctions = 'messages' | 'saveMessage' | 'stopInterrupted'

function openThreads(sql: Sql): Omit<ConversationStore, MessageFunctions> {
  const { insertOrder, likeIgnoringCase: like } = sql.dialect
  const columns = `
    id, title, router_id AS "routerId", agent, created_at_ms AS "createdAtMs", updated_at_ms AS "updatedAtMs"`
  const selectAll = sql.prepare<[], Conversation>(
    `SELECT ${columns} FROM conversations ORDER BY updated_at_ms DESC, ${insertOrder} DESC`,
  )
  const select = sql.prepare<[string], Conversation>(
    `SELECT ${columns} FROM conversations WHERE id = ?`,
  )
  const save = sql.prepare<Conversation>(`
    INSERT INTO conversations (id, title, router_id, agent, created_at_ms, updated_at_ms)
    VALUES (:id, :title, :routerId, :agent, :createdAtMs, :updatedAtMs)
    ON CONFLICT (id) DO UPDATE SET title = excluded.title, router_id = excluded.router_id,
                                   agent = excluded.agent, updated_at_ms = excluded.updated_at_ms`)
  const selectOfRequest = sql.prepare<[string], Conversation>(`
    SELECT ${columns} FROM conversations
    WHERE id = (SELECT conversation_id FROM messages WHERE request_id = ? LIMIT 1)`)
  const remove = sql.prepare<[string]>('DELETE FROM conversations WHERE id = ?')
  const search = sql.prepare<
    [{ pattern: string }],
    { conversationId: string; text: string | null }
  >(`
    SELECT "conversationId", text
    FROM (
      SELECT id AS "conversationId", title, updated_at_ms, ${insertOrder} AS insert_order,
             (SELECT m.text FROM messages m
              WHERE m.conversation_id = c.id AND m.text ${like} :pattern ESCAPE '\\'
              ORDER BY m.position LIMIT 1) AS text
      FROM conversations c
    ) AS searched
    WHERE title ${like} :pattern ESCAPE '\\' OR text IS NOT NULL
    ORDER BY updated_at_ms DESC, insert_order DESC LIMIT 100`)

  return {
    list: () => selectAll.all(),
    async search(text: string) {
      const matches = await search.all({ pattern: `%${text.replaceAll(/[\\%_]/g, '\\$&')}%` })
      return matches.map(({ conversationId, text: found }) => ({
        conversationId,
        excerpt: found === null ? null : excerptOf(found, text),
      }))
    },
    get: async (id: string) => (await select.get(id)) ?? null,
    ofRequest: async (requestId: string) => (await selectOfRequest.get(requestId)) ?? null,
    async save(conversation: Conversation) {
      await save.run(conversation)
    },
    remove: async (id: string) => (await remove.run(id)).changes > 0,
  }
}

function openMessages(sql: Sql): Pick<ConversationStore, MessageFunctions> {
  const select = sql.prepare<[string], MessageRow>(`
    SELECT id, role, text, created_at_ms AS "createdAtMs", state, error, error_detail AS "errorDetail", request_id AS "requestId",
           model_used AS "modelUsed", cost_nano_usd AS "costNanoUsd", latency_ms AS "latencyMs",
           carbon_grams AS "carbonGrams", router_decision AS "routerDecision", agent_meta AS "agentMeta",
           set_aside AS "isSetAside", router_id AS "routerId", fallback
    FROM messages WHERE conversation_id = ? ORDER BY position`)
  const save = sql.prepare<MessageRow & { conversationId: string }>(`
    INSERT INTO messages (id, conversation_id, role, text, created_at_ms, state, error, error_detail, request_id,
                          model_used, cost_nano_usd, latency_ms, carbon_grams, router_decision,
                          agent_meta, set_aside, router_id, fallback)
    SELECT :id, :conversationId, :role, :text, :createdAtMs, :state, :error, :errorDetail, :requestId,
           :modelUsed, :costNanoUsd, :latencyMs, :carbonGrams, :routerDecision, :agentMeta,
           :isSetAside, :routerId, :fallback
    WHERE EXISTS (SELECT 1 FROM conversations WHERE id = :conversationId)
    ON CONFLICT (id) DO UPDATE SET
      role = excluded.role, text = excluded.text, created_at_ms = excluded.created_at_ms,
      state = excluded.state, error = excluded.error, error_detail = excluded.error_detail,
      request_id = excluded.request_id,
      model_used = excluded.model_used, cost_nano_usd = excluded.cost_nano_usd,
      latency_ms = excluded.latency_ms, carbon_grams = excluded.carbon_grams,
      router_decision = excluded.router_decision, agent_meta = excluded.agent_meta,
      set_aside = excluded.set_aside, router_id = excluded.router_id, fallback = excluded.fallback`)
  const stop = sql.prepare<[]>("UPDATE messages SET state = 'stopped' WHERE state = 'streaming'")

  return {
    messages: async (conversationId: string) => (await select.all(conversationId)).map(toMessage),
    async saveMessage(conversationId: string, message: ConversationMessage) {
      await save.run({ ...toRow(message), conversationId })
    },
    stopInterrupted: async () => (await stop.run()).changes,
  }
}

const charactersBefore = 24
const charactersAfter = 80

/** The words around the first match, in one line. */
function excerptOf(text: string, searched: string): string {
  const at = Math.max(0, text.toLowerCase().indexOf(searched.toLowerCase()))
  const start = Math.max(0, at - charactersBefore)
  const end = at + searched.length + charactersAfter
  const words = text.slice(start, end).replaceAll(/\s+/g, ' ').trim()
  return `${start > 0 ? '…' : ''}${words}${end < text.length ? '…' : ''}`
}

function toRow({ meta, agentMeta, ...message }: ConversationMessage): MessageRow {
  return {
    ...message,
    isSetAside: message.isSetAside ? 1 : 0,
    requestId: meta?.requestId ?? null,
    modelUsed: meta?.modelUsed ?? null,
    costNanoUsd: meta === null ? null : toNanoUsd(meta.costUsd),
    latencyMs: meta?.latencyMs ?? null,
    carbonGrams: meta?.carbonGrams ?? null,
    routerDecision: meta?.routerDecision ?? null,
    agentMeta: agentMeta && JSON.stringify(agentMeta),
    fallback: meta?.fallback ? JSON.stringify(meta.fallback) : null,
  }
}

function toMessage(row: MessageRow): ConversationMessage {
  const { id, role, text, createdAtMs, state, error, errorDetail, routerId } = row
  const agentMeta = row.agentMeta === null ? null : readJson(row.agentMeta, agentMetaSchema)
  const isSetAside = row.isSetAside === 1
  return {
    id,
    role,
    text,
    createdAtMs,
    state,
    error,
    errorDetail,
    isSetAside,
    routerId,
    meta: toMeta(row),
    agentMeta,
  }
}

function toMeta(row: MessageRow): AnswerMeta | null {
  const { requestId, modelUsed, costNanoUsd, latencyMs, carbonGrams, routerDecision } = row
  const isWhole =
    requestId !== null &&
    modelUsed !== null &&
    costNanoUsd !== null &&
    latencyMs !== null &&
    carbonGrams !== null &&
    routerDecision !== null
  if (!isWhole) return null
  return {
    requestId,
    modelUsed,
    costUsd: toUsd(costNanoUsd),
    latencyMs,
    carbonGrams,
    routerDecision,
    fallback: row.fallback === null ? null : readJson(row.fallback, fallbackSchema),
  }
}
