/** Servers in the JSON that other programs' settings and the pages of servers show. Reading adds and starts nothing. */
import { parse, type ParseError } from 'jsonc-parser'
import { z } from 'zod'
import { enteredServerSchema, type EnteredServer } from '../../shared/chat/tools.ts'
import { DashboardError } from '../dashboard/dashboard.ts'

const texts = z.record(z.string(), z.coerce.string())
const entrySchema = z.looseObject({
  type: z.string().optional(),
  transport: z.string().optional(),
  command: z
    .union([
      z.string(),
      // Zed's older form.
      z.looseObject({
        path: z.string(),
        args: z.array(z.string()).default([]),
        env: texts.nullish(),
      }),
      z.array(z.string()).min(1),
    ])
    .optional(),
  args: z.array(z.coerce.string()).nullish(),
  cwd: z.string().nullish(),
  env: texts.nullish(),
  environment: texts.nullish(),
  url: z.string().optional(),
  serverUrl: z.string().optional(),
  httpUrl: z.string().optional(),
  headers: texts.nullish(),
})
type Entry = z.output<typeof entrySchema>

/** The names under which programs keep their servers. */
const lists = ['mcpServers', 'context_servers', 'servers', 'mcp'] as const

/**
 * Servers of `{"mcpServers": {name: …}}`, of the lists of Zed and VS Code, of `{name: …}`, and of one server without a name.
 * @throws DashboardError invalid, saying which entry cannot be read
 */
export function readPasted(text: string): EnteredServer[] {
  const errors: ParseError[] = []
  const json: unknown = parse(wrapped(text), errors, { allowTrailingComma: true })
  const entries = errors.length > 0 ? null : entriesOf(json)
  if (entries === null || entries.length === 0) {
    throw new DashboardError('invalid', 'This is not the JSON of MCP servers.', 'text')
  }
  return entries.map(([name, value]) => serverOf(name, value))
}

/** Pages often show an entry without the braces around it. */
function wrapped(text: string): string {
  const trimmed = text.trim().replace(/,$/, '')
  return trimmed.startsWith('"') ? `{${trimmed}}` : trimmed
}

function entriesOf(json: unknown): [string, unknown][] | null {
  if (!isObject(json)) return null
  for (const list of lists) {
    const inner = json[list]
    if (isObject(inner)) return entriesOf(inner)
  }
  if (Array.isArray(json['mcpServers'])) {
    return json['mcpServers'].map((value: unknown) => [nameIn(value), value])
  }
  const isOne = ['command', 'url', 'serverUrl', 'httpUrl'].some((field) => field in json)
  return isOne ? [[nameIn(json), json]] : Object.entries(json)
}

function nameIn(value: unknown): string {
  const name = isObject(value) ? value['name'] : undefined
  return typeof name === 'string' && name !== '' ? name : 'server'
}

function serverOf(name: string, value: unknown): EnteredServer {
  const entry = entrySchema.safeParse(value)
  const server = entry.success ? toServer(name, entry.data) : null
  const checked = enteredServerSchema.safeParse(server)
  if (checked.success) return checked.data
  const message = `The server “${name.slice(0, 60)}” has neither a command nor an address that can be used.`
  throw new DashboardError('invalid', message, 'text')
}

function toServer(name: string, entry: Entry): EnteredServer | null {
  const url = entry.url ?? entry.serverUrl ?? entry.httpUrl
  if (url !== undefined) {
    const secrets = entry.headers ?? {}
    return { name, config: { kind: 'http', url, secretNames: Object.keys(secrets) }, secrets }
  }
  const { command, cwd = null } = entry
  if (command === undefined) return null
  const [program, first] = programOf(command)
  const args = [...first, ...(entry.args ?? [])]
  const inner = typeof command === 'object' && 'env' in command ? command.env : null
  const secrets = entry.env ?? entry.environment ?? inner ?? {}
  const config = {
    kind: 'stdio' as const,
    command: program,
    args,
    cwd,
    secretNames: Object.keys(secrets),
  }
  return { name, config, secrets }
}

function programOf(command: NonNullable<Entry['command']>): [string, string[]] {
  if (typeof command === 'string') return [command, []]
  if ('path' in command) return [command.path, command.args]
  const [program = '', ...args] = command
  return [program, args]
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
