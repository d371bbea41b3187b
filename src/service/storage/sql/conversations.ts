import { z } from 'zod'
import {
  citationSchema,
  parametersSchema,
  presetCopySchema,
  queueSchema,
  type AnswerMeta,
  type Conversation,
  type ConversationMessage,
  type ThreadText,
  type ChangedDraft,
} from '../../../shared/chat/conversations.ts'
import { attachmentsSchema } from '../../../shared/chat/attachments.ts'
import { endOfThread } from '../../../shared/chat/conversation-turns.ts'
import { agentMetaSchema } from '../../../shared/chat/chat.ts'
import { toolStepsSchema } from '../../../shared/chat/tools.ts'
import { importedPartSchema, messageDetailSchema } from '../../../shared/chat/imports.ts'
import { fallbackSchema } from '../../../shared/routers/fallback-record.ts'
import type { ConversationStore } from '../conversation-store.ts'
import { openBlobs } from './blobs.ts'
import { openLibrary } from './chat-library.ts'
import { openConversationSearch } from './conversation-search.ts'
import { readJson, readList } from './json-column.ts'
import { toNanoUsd, toUsd } from './money.ts'
import type { Sql } from './sql.ts'

const sourcesSchema = z.array(messageDetailSchema)
const citationsSchema = z.array(citationSchema)

/** A window parses so many in about 5 ms. */
const messagesOfPiece = 500

/** A message with the fields of its `meta` as columns: all null, or all given but `fallback`. */
interface MessageRow extends Omit<
  ConversationMessage,
  | 'meta'
  | 'agentMeta'
  | 'isSetAside'
  | 'attachments'
  | 'imported'
  | 'toolSteps'
  | 'sources'
  | 'citations'
> {
  attachments: string
  isSetAside: 0 | 1
  requestId: string | null
  modelUsed: string | null
  costNanoUsd: number | null
  latencyMs: number | null
  carbonGrams: number | null
  routerDecision: AnswerMeta['routerDecision'] | null
  agentMeta: string | null
  fallback: string | null
  imported: string | null
  toolSteps: string
  sources: string
  citations: string
}

export function openConversations(sql: Sql): ConversationStore {
  const { purgeBlobs, ...blobs } = openBlobs(sql)
  const threads = openThreads(sql)
  const messages = openMessages(sql)
  return {
    ...blobs,
    ...threads,
    ...messages,
    async add(conversation, added) {
      await threads.save(conversation)
      for (const message of added) await messages.saveMessage(conversation.id, message)
    },
    ...openPlaces(sql),
    ...openRemoval(sql, purgeBlobs),
    ...openDrafts(sql),
    ...openLibrary(sql),
    ...openConversationSearch(sql),
  }
}

type ConversationRow = Omit<Conversation, 'parameters' | 'preset'> & {
  parameters: string
  preset: string | null
}

function openThreads(
  sql: Sql,
): Pick<ConversationStore, 'list' | 'get' | 'ofRequest' | 'save' | 'nameByModel'> {
  const { insertOrder } = sql.dialect
  const from = `
    SELECT id, title, title_source AS "titleSource", router_id AS "routerId", agent, system_prompt AS "systemPrompt", parameters,
           folder_id AS "folderId", pinned_at_ms AS "pinnedAtMs", created_at_ms AS "createdAtMs", updated_at_ms AS "updatedAtMs",
           source, preset
    FROM conversations WHERE removed_at_ms IS NULL`
  const selectAll = sql.prepare<[], ConversationRow>(
    `${from} ORDER BY updated_at_ms DESC, ${insertOrder} DESC`,
  )
  const select = sql.prepare<[string], ConversationRow>(`${from} AND id = ?`)
  // An answer shares its id with its first request; its row has that of its last one.
  const selectOfRequest = sql.prepare<{ id: string }, ConversationRow>(`
    ${from} AND id = (SELECT conversation_id FROM messages WHERE request_id = :id OR id = :id LIMIT 1)`)
  const save = sql.prepare<ConversationRow>(`
    INSERT INTO conversations (id, title, title_source, router_id, agent, system_prompt, parameters, folder_id, pinned_at_ms,
                               created_at_ms, updated_at_ms, source, preset)
    VALUES (:id, :title, :titleSource, :routerId, :agent, :systemPrompt, :parameters, :folderId, :pinnedAtMs, :createdAtMs,
            :updatedAtMs, :source, :preset)
    ON CONFLICT (id) DO UPDATE SET
      title = excluded.title, title_source = excluded.title_source, router_id = excluded.router_id, agent = excluded.agent,
      system_prompt = excluded.system_prompt, parameters = excluded.parameters,
      folder_id = excluded.folder_id, pinned_at_ms = excluded.pinned_at_ms, updated_at_ms = excluded.updated_at_ms,
      preset = excluded.preset`)
  const nameByModel = sql.prepare<[string, string]>(`
    UPDATE conversations SET title = ?, title_source = 'model'
    WHERE id = ? AND title_source = 'words' AND removed_at_ms IS NULL`)
  return {
    list: async () => (await selectAll.all()).map(toConversation),
    get: async (id: string) => toConversationOrNull(await select.get(id)),
    nameByModel: async (id: string, title: string) =>
      (await nameByModel.run(title, id)).changes > 0,
    ofRequest: async (id: string) => toConversationOrNull(await selectOfRequest.get({ id })),
    async save(conversation: Conversation) {
      const { parameters, preset } = conversation
      await save.run({
        ...conversation,
        parameters: JSON.stringify(parameters),
        preset: jsonOrNull(preset),
      })
    },
  }
}

function toConversationOrNull(row: ConversationRow | undefined): Conversation | null {
  return row ? toConversation(row) : null
}

function toConversation(row: ConversationRow): Conversation {
  return {
    ...row,
    parameters: readJson(row.parameters, parametersSchema),
    preset: row.preset === null ? null : readJson(row.preset, presetCopySchema),
  }
}

function openMessages(
  sql: Sql,
): Pick<
  ConversationStore,
  'messages' | 'messageIds' | 'threadText' | 'saveMessage' | 'stopInterrupted'
> {
  const select = sql.prepare<[string], MessageRow>(`
    SELECT id, parent_id AS "parentId", role, text, created_at_ms AS "createdAtMs", state, error,
           error_detail AS "errorDetail", request_id AS "requestId",
           model_used AS "modelUsed", cost_nano_usd AS "costNanoUsd", latency_ms AS "latencyMs",
           carbon_grams AS "carbonGrams", router_decision AS "routerDecision", agent_meta AS "agentMeta",
           set_aside AS "isSetAside", router_id AS "routerId", fallback, attachments, imported,
           tool_steps AS "toolSteps", sources, citations
    FROM messages
    WHERE conversation_id = (SELECT id FROM conversations WHERE id = ? AND removed_at_ms IS NULL)
      AND removed_at_ms IS NULL
    ORDER BY position`)
  const save = sql.prepare<MessageRow & { conversationId: string }>(`
    INSERT INTO messages (id, conversation_id, parent_id, role, text, created_at_ms, state, error, error_detail,
                          request_id, model_used, cost_nano_usd, latency_ms, carbon_grams, router_decision,
                          agent_meta, set_aside, router_id, fallback, attachments, imported, tool_steps,
                          sources, citations)
    SELECT :id, :conversationId, :parentId, :role, :text, :createdAtMs, :state, :error, :errorDetail, :requestId,
           :modelUsed, :costNanoUsd, :latencyMs, :carbonGrams, :routerDecision, :agentMeta,
           :isSetAside, :routerId, :fallback, :attachments, :imported, :toolSteps, :sources, :citations
    WHERE EXISTS (SELECT 1 FROM conversations WHERE id = :conversationId)
    ON CONFLICT (id) DO UPDATE SET
      role = excluded.role, text = excluded.text, created_at_ms = excluded.created_at_ms,
      state = excluded.state, error = excluded.error, error_detail = excluded.error_detail,
      request_id = excluded.request_id,
      model_used = excluded.model_used, cost_nano_usd = excluded.cost_nano_usd,
      latency_ms = excluded.latency_ms, carbon_grams = excluded.carbon_grams,
      router_decision = excluded.router_decision, agent_meta = excluded.agent_meta,
      router_id = excluded.router_id, fallback = excluded.fallback, tool_steps = excluded.tool_steps,
      sources = excluded.sources, citations = excluded.citations`)
  const selectIds = sql.prepare<[string], { id: string }>(
    'SELECT id FROM messages WHERE conversation_id = ?',
  )
  const messages = async (conversationId: string) =>
    (await select.all(conversationId)).map(toMessage)
  const stop = sql.prepare<[]>("UPDATE messages SET state = 'stopped' WHERE state = 'streaming'")

  return {
    messages,
    messageIds: async (conversationId: string) =>
      (await selectIds.all(conversationId)).map(({ id }) => id),
    threadText: async (conversationId: string, mostTurns: number | null) =>
      textOf(await messages(conversationId), mostTurns),
    async saveMessage(conversationId: string, message: ConversationMessage) {
      await save.run({ ...toRow(message), conversationId })
    },
    stopInterrupted: async () => (await stop.run()).changes,
  }
}

/** Which of the messages in one place is shown. */
function openPlaces(sql: Sql): Pick<ConversationStore, 'setAside' | 'show'> {
  const setAside = sql.prepare<{ isSetAside: 0 | 1; ids: string }>(
    `UPDATE messages SET set_aside = :isSetAside WHERE id IN (${sql.dialect.jsonList(':ids')})`,
  )
  // In one statement: of two at once, the later one must see what the earlier one has set aside.
  const show = sql.prepare<{ conversationId: string; messageId: string }>(`
    UPDATE messages SET set_aside = CASE WHEN id = :messageId THEN 0 ELSE 1 END
    WHERE conversation_id = (SELECT id FROM conversations WHERE id = :conversationId AND removed_at_ms IS NULL)
      AND removed_at_ms IS NULL
      AND (role, COALESCE(parent_id, '')) =
          (SELECT role, COALESCE(parent_id, '') FROM messages
           WHERE id = :messageId AND conversation_id = :conversationId AND removed_at_ms IS NULL)`)
  return {
    async setAside(ids: readonly string[], isSetAside: boolean) {
      await setAside.run({ isSetAside: isSetAside ? 1 : 0, ids: JSON.stringify(ids) })
    },
    show: async (conversationId: string, messageId: string) =>
      (await show.run({ conversationId, messageId })).changes > 0,
  }
}

function openRemoval(
  sql: Sql,
  purgeBlobs: (untilMs: number) => Promise<void>,
): Pick<ConversationStore, 'remove' | 'restore' | 'removeMessages' | 'restoreMessages' | 'purge'> {
  const remove = sql.prepare<[number | null, string]>(
    'UPDATE conversations SET removed_at_ms = ? WHERE id = ?',
  )
  const removeMessages = sql.prepare<{ atMs: number | null; ids: string }>(
    `UPDATE messages SET removed_at_ms = :atMs WHERE id IN (${sql.dialect.jsonList(':ids')})`,
  )
  const purge = ['messages', 'conversations'].map((table) =>
    sql.prepare<[number]>(`DELETE FROM ${table} WHERE removed_at_ms <= ?`),
  )
  const purgeDrafts = sql.prepare<[]>(`
    DELETE FROM drafts WHERE conversation_id <> 'new' AND conversation_id NOT IN (SELECT id FROM conversations)`)
  return {
    remove: async (id: string, atMs: number) => (await remove.run(atMs, id)).changes > 0,
    async restore(id: string) {
      await remove.run(null, id)
    },
    async removeMessages(ids: readonly string[], atMs: number) {
      await removeMessages.run({ atMs, ids: JSON.stringify(ids) })
    },
    async restoreMessages(ids: readonly string[]) {
      await removeMessages.run({ atMs: null, ids: JSON.stringify(ids) })
    },
    async purge(untilMs: number) {
      for (const statement of purge) await statement.run(untilMs)
      await purgeDrafts.run()
      await purgeBlobs(untilMs)
    },
  }
}

interface DraftRow {
  conversationId: string
  text: string
  attachments: string
  queue: string
}

type ChangedDraftRow = Pick<DraftRow, 'conversationId'> & {
  [Part in keyof ChangedDraft]-?: string | null
}

function openDrafts(sql: Sql): Pick<ConversationStore, 'drafts' | 'saveDraft'> {
  const select = sql.prepare<[], DraftRow>(
    'SELECT conversation_id AS "conversationId", text, attachments, queue FROM drafts',
  )
  // In one statement, because two windows may change two parts at once.
  const save = sql.prepare<ChangedDraftRow>(`
    INSERT INTO drafts (conversation_id, text, attachments, queue)
    VALUES (:conversationId, COALESCE(CAST(:text AS TEXT), ''), COALESCE(CAST(:attachments AS TEXT), '[]'),
            COALESCE(CAST(:queue AS TEXT), '[]'))
    ON CONFLICT (conversation_id) DO UPDATE SET
      text = COALESCE(CAST(:text AS TEXT), drafts.text),
      attachments = COALESCE(CAST(:attachments AS TEXT), drafts.attachments),
      queue = COALESCE(CAST(:queue AS TEXT), drafts.queue)`)
  const removeIfEmpty = sql.prepare<[string]>(
    "DELETE FROM drafts WHERE conversation_id = ? AND text = '' AND attachments = '[]' AND queue = '[]'",
  )
  return {
    async drafts() {
      const rows = await select.all()
      return Object.fromEntries(
        rows.map(({ conversationId, text, attachments, queue }) => [
          conversationId,
          {
            text,
            attachments: readJson(attachments, attachmentsSchema),
            queue: readJson(queue, queueSchema),
          },
        ]),
      )
    },
    async saveDraft(conversationId: string, { text, attachments, queue }: ChangedDraft) {
      const lists = { attachments: jsonOrNull(attachments), queue: jsonOrNull(queue) }
      await save.run({ conversationId, text: text ?? null, ...lists })
      await removeIfEmpty.run(conversationId)
    },
  }
}

function textOf(all: readonly ConversationMessage[], mostTurns: number | null): ThreadText {
  const end = mostTurns === null ? all : endOfThread(all, mostTurns)
  // The end is worth a call of its own only where it is much less.
  const isWhole = end.length * 2 >= all.length
  const sent = isWhole ? all : end
  const pieces: string[] = []
  for (let from = 0; from < sent.length; from += messagesOfPiece) {
    pieces.push(JSON.stringify(sent.slice(from, from + messagesOfPiece)))
  }
  return { pieces, isWhole }
}

function toRow({ meta, agentMeta, ...message }: ConversationMessage): MessageRow {
  return {
    ...message,
    attachments: JSON.stringify(message.attachments),
    isSetAside: message.isSetAside ? 1 : 0,
    requestId: meta?.requestId ?? null,
    modelUsed: meta?.modelUsed ?? null,
    costNanoUsd: meta === null ? null : toNanoUsd(meta.costUsd),
    latencyMs: meta?.latencyMs ?? null,
    carbonGrams: meta?.carbonGrams ?? null,
    routerDecision: meta?.routerDecision ?? null,
    agentMeta: jsonOrNull(agentMeta),
    fallback: jsonOrNull(meta?.fallback),
    imported: jsonOrNull(message.imported),
    toolSteps: JSON.stringify(message.toolSteps),
    sources: JSON.stringify(message.sources),
    citations: JSON.stringify(message.citations),
  }
}

function jsonOrNull(value: object | null | undefined): string | null {
  return value ? JSON.stringify(value) : null
}

function toMessage(row: MessageRow): ConversationMessage {
  const { id, parentId, role, text, createdAtMs, state, error, errorDetail, routerId } = row
  const agentMeta = row.agentMeta === null ? null : readJson(row.agentMeta, agentMetaSchema)
  const isSetAside = row.isSetAside === 1
  return {
    id,
    parentId,
    role,
    text,
    attachments: readList(row.attachments, attachmentsSchema),
    createdAtMs,
    state,
    error,
    errorDetail,
    isSetAside,
    routerId,
    meta: toMeta(row),
    agentMeta,
    imported: row.imported === null ? null : readJson(row.imported, importedPartSchema),
    toolSteps: readList(row.toolSteps, toolStepsSchema),
    sources: readList(row.sources, sourcesSchema),
    citations: readList(row.citations, citationsSchema),
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
