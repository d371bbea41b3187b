import { join } from 'node:path'
import { editJson, valueAt } from '../edit-json.ts'
import { environmentSnippet } from '../shell.ts'
import type { Connection, Home, Tool, ToolFile } from '../tool.ts'

export const claudeCode: Tool = {
  id: 'claude-code',
  name: 'Claude Code',
  kind: 'command',
  door: 'messages',
  userAgent: /^claude-(cli|code)\//,
  verified: 'run',
  documentation: 'https://code.claude.com/docs/en/llm-gateway-connect',
  snippets: (connection) => [
    environmentSnippet('Set the environment', variables(connection), connection),
    {
      title: 'Or in ~/.claude/settings.json',
      language: 'json',
      text: editSettings(connection, null),
    },
  ],
  files: (connection, home) => [settingsFile(connection, home)],
  program: {
    command: 'claude',
    environment: (connection) => ({
      set: variables(connection),
      // Two different keys in one request are refused.
      unset: ['ANTHROPIC_API_KEY'],
    }),
  },
  notes: [
    'Claude Code keeps its own names of models; the router decides which model answers.',
    'Auto mode asks Anthropic to check each action (`safeguards`). A model of Anthropic in the router answers that and is preferred. Without one, the answer says `x-modelport-adjusted: safeguards=left_out`, and Claude Code denies what it would have checked, or sends a check of its own. A safety model, which you choose in the router’s strategy or with `modelport router update ID --safety-model MODEL`, answers those.',
    'In Visual Studio Code, enter the same variables in claudeCode.environmentVariables.',
  ],
}

function variables({ routerUrl, key, caFile }: Connection) {
  return {
    ANTHROPIC_BASE_URL: routerUrl,
    ANTHROPIC_AUTH_TOKEN: key,
    // Requests then say which agent of the session asks, and what for.
    CLAUDE_CODE_GATEWAY_HINT_HEADERS: '1',
    NODE_EXTRA_CA_CERTS: caFile,
  }
}

function settingsFile(connection: Connection, { dir, env }: Home): ToolFile {
  const folder = env['CLAUDE_CONFIG_DIR'] || join(dir, '.claude')
  return {
    path: join(folder, 'settings.json'),
    edit: (before) => editSettings(connection, before),
  }
}

function editSettings(connection: Connection, before: string | null): string {
  const { caFile, caBundleFile } = connection
  const otherCa = valueAt(before, ['env', 'NODE_EXTRA_CA_CERTS'])
  const isOurs = otherCa === undefined || otherCa === caFile
  const env = {
    ...variables(connection),
    // A key of the shell would be sent beside ours.
    ANTHROPIC_API_KEY: '',
    // A company's own authority is usually among the system's roots, which the bundle includes.
    NODE_EXTRA_CA_CERTS: isOurs ? caFile : caBundleFile,
  }
  return editJson(
    before,
    Object.entries(env).map(([name, value]) => ({ path: ['env', name], value })),
  )
}
