import {
  serverConfigSchema,
  toolDefinitionSchema,
  toolGrantsSchema,
  toolMarksSchema,
  type ToolCallRecord,
} from '../../../shared/chat/tools.ts'
import type { McpStore, StoredServer, StoredTool } from '../mcp-store.ts'
import { readJson } from './json-column.ts'
import type { Sql } from './sql.ts'

type ServerRow = Omit<StoredServer, 'config' | 'isOn'> & { config: string; isOn: 0 | 1 }
type ToolRow = Omit<StoredTool, 'definition' | 'marks' | 'grants'> & {
  definition: string
  marks: string
  grants: string
}

export function openMcp(sql: Sql): McpStore {
  return { ...openServers(sql), ...openTools(sql), ...openCalls(sql) }
}

function openServers(sql: Sql): Pick<McpStore, 'servers' | 'saveServer' | 'removeServer'> {
  const select = sql.prepare<[], ServerRow>(`
    SELECT id, name, config, is_on AS "isOn", added_at_ms AS "addedAtMs"
    FROM mcp_servers ORDER BY added_at_ms, id`)
  const save = sql.prepare<ServerRow>(`
    INSERT INTO mcp_servers (id, name, config, is_on, added_at_ms)
    VALUES (:id, :name, :config, :isOn, :addedAtMs)
    ON CONFLICT (id) DO UPDATE SET name = excluded.name, config = excluded.config, is_on = excluded.is_on`)
  const remove = sql.prepare<[string]>('DELETE FROM mcp_servers WHERE id = ?')
  return {
    async servers() {
      const rows = await select.all()
      return rows.map((row) => ({
        ...row,
        config: readJson(row.config, serverConfigSchema),
        isOn: row.isOn === 1,
      }))
    },
    async saveServer({ config, isOn, ...server }) {
      await save.run({ ...server, config: JSON.stringify(config), isOn: isOn ? 1 : 0 })
    },
    async removeServer(id) {
      await remove.run(id)
    },
  }
}

function openTools(sql: Sql): Pick<McpStore, 'tools' | 'saveTools'> {
  const select = sql.prepare<[string], ToolRow>(`
    SELECT definition, seal, approved_seal AS "approvedSeal", permission, marks, grants
    FROM mcp_tools WHERE server_id = ? ORDER BY position`)
  const remove = sql.prepare<[string]>('DELETE FROM mcp_tools WHERE server_id = ?')
  const insert = sql.prepare<ToolRow & { serverId: string; name: string; position: number }>(`
    INSERT INTO mcp_tools (server_id, name, position, definition, seal, approved_seal, permission, marks, grants)
    VALUES (:serverId, :name, :position, :definition, :seal, :approvedSeal, :permission, :marks, :grants)`)
  return {
    async tools(serverId) {
      const rows = await select.all(serverId)
      return rows.map((row) => ({
        ...row,
        definition: readJson(row.definition, toolDefinitionSchema),
        marks: readJson(row.marks, toolMarksSchema),
        grants: readJson(row.grants, toolGrantsSchema),
      }))
    },
    async saveTools(serverId, tools) {
      await remove.run(serverId)
      for (const [position, tool] of tools.entries()) {
        const texts = {
          definition: JSON.stringify(tool.definition),
          marks: JSON.stringify(tool.marks),
          grants: JSON.stringify(tool.grants),
        }
        await insert.run({ ...tool, ...texts, serverId, name: tool.definition.name, position })
      }
    },
  }
}

function openCalls(sql: Sql): Pick<McpStore, 'saveCall' | 'callsOf' | 'endInterrupted'> {
  const save = sql.prepare<ToolCallRecord>(`
    INSERT INTO tool_calls (id, request_id, server, tool, outcome, allowed_by, started_at_ms, latency_ms, bytes)
    VALUES (:id, :requestId, :server, :tool, :outcome, :allowedBy, :startedAtMs, :latencyMs, :bytes)
    ON CONFLICT (id) DO UPDATE SET outcome = excluded.outcome, allowed_by = excluded.allowed_by,
      latency_ms = excluded.latency_ms, bytes = excluded.bytes`)
  const select = sql.prepare<[string], ToolCallRecord>(`
    SELECT id, request_id AS "requestId", server, tool, outcome, allowed_by AS "allowedBy",
           started_at_ms AS "startedAtMs", latency_ms AS "latencyMs", bytes
    FROM tool_calls WHERE request_id = ? ORDER BY started_at_ms, id`)
  const end = sql.prepare<[]>("UPDATE tool_calls SET outcome = 'unknown' WHERE outcome = 'running'")
  return {
    async saveCall(call) {
      await save.run(call)
    },
    callsOf: (requestId) => select.all(requestId),
    endInterrupted: async () => (await end.run()).changes,
  }
}
