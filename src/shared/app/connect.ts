/** Connecting tools: the types that the window and the command line show. */
import { z } from 'zod'

/** How the tool's configuration is proven. */
export type Verified =
  /** A test runs its snippets and files with the tool itself (`npm run clients:connect`, `npm test`). */
  | 'run'
  /** A test reads the files with the tool's own configuration loader. */
  | 'loaded'
  /** No test: the configuration follows the tool's documentation. */
  | 'unverified'

/** `assistant`: keeps its own model, and asks a router as a tool. */
export type ToolKind = 'library' | 'command' | 'app' | 'assistant'

/** The form of requests that the tool sends; `mcp`: to `modelport mcp`, the Model Context Protocol. */
export type Door = 'chat' | 'responses' | 'messages' | 'gemini' | 'mcp'

interface ToolIdentity {
  /** A slug: `claude-code`. */
  id: string
  name: string
  kind: ToolKind
  /** The tool's own documentation of this configuration. */
  documentation: string
}

/** A tool that Modelport can connect. */
export interface ConnectableTool extends ToolIdentity {
  canConnect: true
  door: Door
  verified: Verified
  /** Modelport can write its configuration files. */
  writesFiles: boolean
  /** `modelport run` can start it. */
  canRun: boolean
  /** The files that Modelport changed and can restore; null when there are none. */
  written: WrittenConnection | null
}

/** A tool that cannot work, with the reason. */
export interface UnreachableTool extends ToolIdentity {
  canConnect: false
  obstacle: string
}

export type ListedTool = ConnectableTool | UnreachableTool

export interface WrittenConnection {
  /** The connection whose key is in the files. */
  connectionId: string
  routerId: string
  /** Unix milliseconds. */
  atMs: number
  /** Absolute paths. */
  files: readonly string[]
}

export const connectInputSchema = z.strictObject({
  toolId: z.string().min(1),
  routerId: z.string().min(1),
})
export type ConnectInput = z.input<typeof connectInputSchema>

/** A tool's key with everything needed to use it. The key is shown only here. */
export interface ToolConnection {
  /** The id of the key. */
  id: string
  toolId: string
  routerId: string
  key: string
  /** How people recognise the key: `mp_…` and the last four characters. */
  keyHint: string
  /** `https://localhost:6778/api/router/router_…`, with `/v1` where the tool expects it. */
  baseUrl: string
  /** Modelport's certificate authority alone, and with the system's. */
  caFile: string
  caBundleFile: string
  snippets: readonly Snippet[]
  /** Empty when the tool has no files that Modelport can write. */
  files: readonly PlannedFile[]
  /** `modelport run …`; null for tools that it cannot start. */
  runCommand: string | null
  /** Sentences about this tool that the user should know. */
  notes: readonly string[]
}

export type SnippetLanguage =
  | 'sh'
  | 'powershell'
  | 'javascript'
  | 'typescript'
  | 'python'
  | 'json'
  | 'toml'
  | 'yaml'
  | 'text'

export interface Snippet {
  /** Title in sentence case, without a full stop. */
  title: string
  language: SnippetLanguage
  text: string
}

/** Stands for the key in sample calls. */
export const placeholderKey = 'mp_YOUR_KEY'

/** How to call a router without connecting a tool. */
export interface SampleCalls {
  /** Base URL for clients of OpenAI's form. */
  baseUrl: string
  /** Snippets like those of a connection, with `placeholderKey` instead of a key. */
  tools: readonly { id: string; name: string; snippets: readonly Snippet[] }[]
}

/** A file of the tool that `connect:write` would create or change. */
export interface PlannedFile {
  /** Absolute. */
  path: string
  isNew: boolean
  /** A unified diff in which the key is shortened; empty when nothing would change. */
  diff: string
  /** Why the file cannot be changed, and what to do; null when it can. */
  problem: string | null
}

export interface WrittenFiles {
  /** Absolute paths of the changed files, with a copy of each as it was; null for new files. */
  files: readonly { path: string; backup: string | null }[]
}

export interface RestoredFiles {
  /** Absolute paths that are as they were before; new files are deleted. */
  files: readonly string[]
  /** The connection whose key was revoked. */
  connectionId: string
}

/** A request of a connection, from the ledger. */
export interface SeenRequest {
  id: string
  /** Unix milliseconds. */
  startedAtMs: number
  /** HTTP status; 499 when the client disconnected. */
  status: number
  errorCode: string | null
  /** `<provider>:<model_name>`; null when no model answered. */
  modelUsed: string | null
  costUsd: number
  latencyMs: number
  /** The client's `user-agent`. */
  client: string | null
  /** The tool's name, recognised by `client`; null for unknown clients. */
  tool: string | null
}

export type ConnectionProblemKind =
  | 'certificate_refused'
  | 'plain_http'
  | 'wrong_key'
  | 'origin_refused'
  | 'host_refused'
  | 'router_refused'
  | 'wrong_address'

/** Equal connections and requests that were refused. They cannot be assigned to a key. */
export interface ConnectionProblem {
  kind: ConnectionProblemKind
  /** The client's `user-agent`; null before a request, for example in a TLS handshake. */
  client: string | null
  /** The tool's name, recognised by `client`; null for unknown clients. */
  tool: string | null
  /** The refused origin, host or TLS alert; for keys `missing`, `malformed`, `unknown`, `revoked` or `expired`. */
  detail: string | null
  count: number
  /** How many of them in the last minute. */
  lastMinute: number
  /** Unix milliseconds. */
  lastAtMs: number
  /** What happened and what to do, for people. */
  message: string
}

/** Whether a connection works, and if not, why. */
export interface ConnectionStatus {
  /** The earliest and the latest request with the key; null before the first. */
  first: SeenRequest | null
  last: SeenRequest | null
  /** Requests that were refused since the key was created, newest first; from all clients. */
  problems: readonly ConnectionProblem[]
}
