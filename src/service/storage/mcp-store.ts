import type {
  ServerConfig,
  ToolCallRecord,
  ToolDefinition,
  ToolGrant,
  ToolMarks,
  ToolPermission,
} from '../../shared/chat/tools.ts'

export interface StoredServer {
  id: string
  name: string
  config: ServerConfig
  isOn: boolean
  addedAtMs: number
}

export interface StoredTool {
  definition: ToolDefinition
  /** SHA-256 of everything that the server said about the tool last. */
  seal: string
  /** The seal that the user looked at; null for a tool that is new. */
  approvedSeal: string | null
  permission: ToolPermission
  marks: ToolMarks
  grants: readonly ToolGrant[]
}

/** MCP servers with their tools, and the record of tool calls. */
export interface McpStore {
  /** In the order in which they were added. */
  servers(): Promise<StoredServer[]>
  saveServer(server: StoredServer): Promise<void>
  /** Removes a server with its tools. */
  removeServer(id: string): Promise<void>
  /** In the server's order. */
  tools(serverId: string): Promise<StoredTool[]>
  /** Replaces all tools of a server. */
  saveTools(serverId: string, tools: readonly StoredTool[]): Promise<void>
  /** Inserts a call, or replaces the one with its id. */
  saveCall(call: ToolCallRecord): Promise<void>
  /** Calls that the answers of a request made, oldest first. */
  callsOf(requestId: string): Promise<ToolCallRecord[]>
  /** Marks calls that a crash cut off as `unknown`; resolves their number. */
  endInterrupted(): Promise<number>
}
