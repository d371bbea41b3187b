/** Assistants that ask a router as a tool, through `modelport mcp`, and keep their own model for everything else. */
import { dirname, join } from 'node:path'
import { editJson } from '../edit-json.ts'
import { editToml } from '../edit-toml.ts'
import { powershellWord, shellWord } from '../shell.ts'
import type { Connection, Home, Tool } from '../tool.ts'
import { zedSettingsFolder } from './zed.ts'

/** What all of them have in common. */
const assistant = {
  kind: 'assistant',
  door: 'mcp',
  // `modelport mcp` sends their requests.
  userAgent: null,
  verified: 'unverified',
  namesModels: true,
} as const satisfies Partial<Tool>

const notes = [
  'The assistant gets five tools: ask, compare, preview, spend and budget. Only ask and compare call models, with this key. Give the key a budget to limit them.',
  'The assistant starts the program modelport, which must be in its PATH.',
]

export const claudeDesktop: Tool = {
  ...assistant,
  id: 'claude-desktop',
  name: 'Claude Desktop',
  documentation: 'https://modelcontextprotocol.io/docs/develop/connect-local-servers',
  ...jsonFile({
    name: 'claude_desktop_config.json',
    folder: (home) => join(applicationData(home), 'Claude'),
    key: 'mcpServers',
  }),
  notes: [...notes, 'Claude Desktop reads the file when it starts.'],
}

export const claudeCodeMcp: Tool = {
  ...assistant,
  id: 'claude-code-mcp',
  name: 'Claude Code (MCP)',
  documentation: 'https://code.claude.com/docs/en/mcp',
  snippets: (connection) => [
    {
      title: 'Add the server',
      language: connection.platform === 'win32' ? 'powershell' : 'sh',
      text: addCommand(connection),
    },
  ],
  notes,
}

export const codexMcp: Tool = {
  ...assistant,
  id: 'codex-mcp',
  name: 'Codex CLI (MCP)',
  documentation: 'https://developers.openai.com/codex/mcp',
  snippets: (connection) => [
    { title: 'Add to ~/.codex/config.toml', language: 'toml', text: codexConfig(connection, null) },
  ],
  files: (connection, { dir, env }) => [
    {
      path: join(env['CODEX_HOME'] || join(dir, '.codex'), 'config.toml'),
      edit: (before) => codexConfig(connection, before),
    },
  ],
  notes,
}

export const cursorMcp: Tool = {
  ...assistant,
  id: 'cursor-mcp',
  name: 'Cursor (MCP)',
  documentation: 'https://cursor.com/docs/context/mcp',
  ...jsonFile({ name: 'mcp.json', folder: ({ dir }) => join(dir, '.cursor'), key: 'mcpServers' }),
  notes,
}

export const zedMcp: Tool = {
  ...assistant,
  id: 'zed-mcp',
  name: 'Zed (MCP)',
  documentation: 'https://zed.dev/docs/ai/mcp',
  ...jsonFile({ name: 'settings.json', folder: zedSettingsFolder, key: 'context_servers' }),
  notes,
}

/** Snippet and file of an assistant that lists its servers in a JSON file. */
function jsonFile({
  name,
  folder,
  key,
}: {
  name: string
  folder(home: Home): string
  key: string
}): Pick<Tool, 'snippets' | 'files'> {
  const edit = (connection: Connection, before: string | null) =>
    editJson(before, [{ path: [key, 'modelport'], value: serverOf(connection) }])
  return {
    snippets: (connection) => [
      { title: `Add to ${name}`, language: 'json', text: edit(connection, null) },
    ],
    files: (connection, home) => [
      { path: join(folder(home), name), edit: (before) => edit(connection, before) },
    ],
  }
}

function codexConfig(connection: Connection, before: string | null): string {
  const table = { path: ['mcp_servers', 'modelport'] as const, values: serverOf(connection) }
  return editToml(before, { values: {}, table })
}

function addCommand(connection: Connection): string {
  const quoted = connection.platform === 'win32' ? powershellWord : shellWord
  // PowerShell takes a bare -- for itself.
  const word = (text: string) => (/^[\w=-]*\w[\w=-]*$/.test(text) ? text : quoted(text))
  const { command, args, env } = serverOf(connection)
  const variables = Object.entries(env).flatMap(([name, value]) => ['--env', `${name}=${value}`])
  const words = ['--scope', 'user', 'modelport', ...variables, '--', command, ...args]
  return `claude mcp add ${words.map(word).join(' ')}`
}

/** How the assistant starts `modelport mcp`. */
function serverOf({ routerUrl, key, caFile }: Connection) {
  const routerId = new URL(routerUrl).pathname.split('/').at(-1) ?? ''
  const args = ['--data-dir', dirname(dirname(caFile)), 'mcp', '--router', routerId]
  return { command: 'modelport', args, env: { MODELPORT_API_KEY: key } }
}

/** The folder of programs' own data. */
function applicationData({ dir, platform, env }: Home): string {
  if (platform === 'win32') return env['APPDATA'] || join(dir, 'AppData', 'Roaming')
  if (platform === 'darwin') return join(dir, 'Library', 'Application Support')
  return env['XDG_CONFIG_HOME'] || join(dir, '.config')
}
