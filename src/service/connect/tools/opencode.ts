import { join } from 'node:path'
import { editJson } from '../edit-json.ts'
import { openaiUrl, type Connection, type Home, type Tool, type ToolFile } from '../tool.ts'
import { nodeEnvironment } from './openai-sdk.ts'

export const opencode: Tool = {
  id: 'opencode',
  name: 'opencode',
  kind: 'command',
  door: 'chat',
  userAgent: /^opencode\//,
  verified: 'run',
  documentation: 'https://opencode.ai/docs/providers/',
  snippets: (connection) => [
    nodeEnvironment(connection),
    {
      title: 'Add to ~/.config/opencode/opencode.json',
      language: 'json',
      text: editConfig(connection, null, '{env:MODELPORT_API_KEY}'),
    },
  ],
  files,
  program: {
    command: 'opencode',
    environment: (connection) => ({
      set: {
        MODELPORT_API_KEY: connection.key,
        NODE_EXTRA_CA_CERTS: connection.caFile,
        OPENCODE_CONFIG_CONTENT: editConfig(connection, null, '{env:MODELPORT_API_KEY}'),
      },
      unset: [],
    }),
  },
  notes: [
    'opencode reads NODE_EXTRA_CA_CERTS from its environment only. Set it where you start it.',
    'When the router’s daily limit is used up, opencode waits until it resets and shows nothing.',
  ],
}

function files(connection: Connection, { dir, env }: Home): ToolFile[] {
  const folder = join(env['XDG_CONFIG_HOME'] || join(dir, '.config'), 'opencode')
  return [
    {
      path: join(folder, 'opencode.json'),
      otherPaths: [join(folder, 'opencode.jsonc')],
      edit: (before) => editConfig(connection, before, connection.key),
    },
  ]
}

function editConfig(connection: Connection, before: string | null, apiKey: string): string {
  const at = (...path: string[]) => ['provider', 'modelport', ...path]
  const { context, output } = connection.limits
  // opencode reads both or none.
  const limit = context !== null && output !== null ? { context, output } : undefined
  return editJson(before, [
    { path: at('npm'), value: '@ai-sdk/openai-compatible' },
    { path: at('name'), value: 'Modelport', isDefault: true },
    { path: at('options', 'baseURL'), value: openaiUrl(connection) },
    { path: at('options', 'apiKey'), value: apiKey },
    { path: at('models', 'auto', 'name'), value: 'The router decides', isDefault: true },
    { path: at('models', 'auto', 'limit'), value: limit },
    { path: ['model'], value: 'modelport/auto' },
  ])
}
