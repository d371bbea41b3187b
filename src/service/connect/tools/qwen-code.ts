import { join } from 'node:path'
import { editJson } from '../edit-json.ts'
import { environmentSnippet } from '../shell.ts'
import { openaiUrl, type Connection, type Home, type Tool, type ToolFile } from '../tool.ts'

export const qwenCode: Tool = {
  id: 'qwen-code',
  name: 'Qwen Code',
  kind: 'command',
  door: 'chat',
  userAgent: /^QwenCode\//,
  verified: 'run',
  documentation: 'https://qwenlm.github.io/qwen-code-docs/en/users/configuration/auth/',
  snippets: (connection) => [
    environmentSnippet('Set the environment', variables(connection), connection),
  ],
  files,
  program: {
    command: 'qwen',
    environment: (connection) => ({ set: variables(connection), unset: [] }),
  },
  notes: [
    'Qwen Code reads NODE_EXTRA_CA_CERTS from its environment only. Set it where you start it.',
  ],
}

function variables(connection: Connection) {
  return {
    OPENAI_BASE_URL: openaiUrl(connection),
    OPENAI_API_KEY: connection.key,
    OPENAI_MODEL: 'auto',
    NODE_EXTRA_CA_CERTS: connection.caFile,
  }
}

function files(connection: Connection, { dir }: Home): ToolFile[] {
  return [
    {
      path: join(dir, '.qwen', 'settings.json'),
      edit: (before) => editSettings(connection, before),
    },
  ]
}

function editSettings(connection: Connection, before: string | null): string {
  const { context } = connection.limits
  return editJson(before, [
    { path: ['security', 'auth', 'selectedType'], value: 'openai' },
    { path: ['security', 'auth', 'baseUrl'], value: openaiUrl(connection) },
    { path: ['security', 'auth', 'apiKey'], value: connection.key },
    { path: ['model', 'name'], value: 'auto' },
    ...(context === null
      ? []
      : [{ path: ['model', 'generationConfig', 'contextWindowSize'], value: context }]),
  ])
}
