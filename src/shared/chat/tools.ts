/** Tools of MCP servers, as the chat uses them: docs/decisions/2026-11-29-mcp-host.md. */
import { z } from 'zod'

const name = z.string().trim().min(1).max(60)
const secretName = z.string().min(1).max(200)

/** How a server is reached. Values of variables and headers are secrets, and are stored in the keychain. */
export const serverConfigSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('stdio'),
    /** As it was entered: a name that is looked up in PATH, or a path. */
    command: z.string().min(1).max(4_000),
    args: z.array(z.string().max(20_000)).max(200),
    /** The folder it runs in; null for the home folder. */
    cwd: z.string().min(1).max(4_000).nullable(),
    /** Names of the environment variables. */
    secretNames: z.array(secretName).max(100),
  }),
  z.strictObject({
    kind: z.literal('http'),
    url: z.url({ protocol: /^https?$/ }).max(4_000),
    /** Names of the headers. */
    secretNames: z.array(secretName).max(100),
  }),
])
export type ServerConfig = z.output<typeof serverConfigSchema>

/** A server to add, with the values of its variables or headers. */
export const enteredServerSchema = z.strictObject({
  name,
  config: serverConfigSchema,
  secrets: z.record(secretName, z.string().max(20_000)),
})
export type EnteredServer = z.output<typeof enteredServerSchema>

/** What a tool does with text, by which the risk of a turn is judged. */
export const toolMarksSchema = z.strictObject({
  /** It reads what only the user should see. */
  readsPrivate: z.boolean(),
  /** It reads what others wrote, such as web pages. */
  readsForeign: z.boolean(),
  /** It can send what it is given to others. */
  sendsOut: z.boolean(),
})
export type ToolMarks = z.output<typeof toolMarksSchema>

export const permissions = ['ask', 'allow', 'deny'] as const
export type ToolPermission = (typeof permissions)[number]

/** Calls of a tool that run without a question: those whose argument is in a folder or on a host. */
const toolGrantSchema = z.strictObject({
  argument: z.string().max(200),
  kind: z.enum(['folder', 'host']),
  /** An absolute path, or a host with its port. */
  within: z.string().min(1).max(4_000),
})
export type ToolGrant = z.output<typeof toolGrantSchema>

export const toolGrantsSchema = z.array(toolGrantSchema).max(50)

/** A tool as its server describes it. */
export const toolDefinitionSchema = z.strictObject({
  name: z.string(),
  title: z.string().nullable(),
  description: z.string(),
  /** JSON Schema. */
  inputSchema: z.record(z.string(), z.unknown()),
  /** The server's claims; it may lie. */
  claims: z.strictObject({ isReadOnly: z.boolean(), isDestructive: z.boolean() }),
})
export type ToolDefinition = z.output<typeof toolDefinitionSchema>

/** A tool of a server, as the window shows it. */
export interface ListedTool extends ToolDefinition {
  /** SHA-256 of everything that the server says about the tool. */
  seal: string
  /** `new` and `changed` tools are off until the user looked at them. */
  state: 'approved' | 'new' | 'changed'
  permission: ToolPermission
  marks: ToolMarks
  grants: readonly ToolGrant[]
}

/** A server, as the window shows it. */
export interface ListedServer {
  id: string
  name: string
  config: ServerConfig
  isOn: boolean
  /** What runs or is called after consent, in full; null when the command is not found. */
  resolved: string | null
  /** SHA-256 of what the consent is about. */
  identity: string
  hasConsent: boolean
  state: 'stopped' | 'starting' | 'running' | 'failed' | 'sign_in'
  /** Why it failed, or what its tools lack; null without a problem. */
  problem: string | null
  tools: ListedTool[]
}

/** A prompt of a server, with its texts as they can be shown. */
export interface ServerPrompt {
  name: string
  title: string
  description: string
  arguments: { name: string; title: string; description: string; isRequired: boolean }[]
}

/** What a tool call came to. `unknown`: it began, and whether it ended is not known. */
export const toolOutcomes = ['running', 'done', 'failed', 'denied', 'stopped', 'unknown'] as const

/** A call of a tool in an answer. */
const toolStepSchema = z.strictObject({
  /** The id of the model's tool call. */
  id: z.string(),
  /** The request whose answer made the call. */
  requestId: z.string(),
  /** Characters of the answer's text before the call. */
  textEnd: z.int(),
  /** The name that the model called. */
  calledAs: z.string(),
  server: z.string(),
  tool: z.string(),
  /** JSON, as the model wrote it. */
  arguments: z.string(),
  /** Fields of the model's call that its vendor wants back, such as thought signatures. */
  wire: z.record(z.string(), z.unknown()),
  marks: toolMarksSchema,
  outcome: z.enum(toolOutcomes),
  /** How it was allowed; null for a call that did not run. */
  allowedBy: z.enum(['once', 'conversation', 'always', 'search']).nullable(),
  startedAtMs: z.number(),
  latencyMs: z.number().nullable(),
  /** Size of the result before it was cut. */
  bytes: z.int().nullable(),
  /** What the model reads, cut to its limit; a failure's message otherwise. */
  result: z.string(),
  /** SHA-256 of the whole text of a result that was cut, which is stored like a file; null for others. */
  wholeResult: z.hash('sha256').nullable().default(null),
})
export type ToolStep = z.output<typeof toolStepSchema>

export const toolStepsSchema = z.array(toolStepSchema)

/** A tool call as the ledger stores it, without its content. */
export interface ToolCallRecord extends Pick<
  ToolStep,
  'requestId' | 'server' | 'tool' | 'outcome' | 'allowedBy' | 'startedAtMs' | 'latencyMs' | 'bytes'
> {
  /** Unique: of the answer and the call. */
  id: string
}
