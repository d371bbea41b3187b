import { join } from 'node:path'
import { editJson } from '../edit-json.ts'
import { openaiUrl, type Connection, type Tool } from '../tool.ts'
import { nodeEnvironment } from './library.ts'

/** opencode, and what its forks have in their own names. */
interface Variant extends Pick<Tool, 'id' | 'name' | 'userAgent' | 'documentation' | 'notes'> {
  command: string
  /** The variable with a configuration of its own. */
  contentVariable: string
  folder: string
  files: readonly [string, ...string[]]
}

export const opencode = variantOf({
  id: 'opencode',
  name: 'opencode',
  userAgent: /^opencode\//,
  documentation: 'https://opencode.ai/docs/providers/',
  command: 'opencode',
  contentVariable: 'OPENCODE_CONFIG_CONTENT',
  folder: 'opencode',
  files: ['opencode.json', 'opencode.jsonc'],
  notes: [
    'opencode reads NODE_EXTRA_CA_CERTS from its environment only. Set it where you start it.',
    'When the router’s daily limit is used up, opencode waits until it resets and shows nothing.',
  ],
})

export const kilo = variantOf({
  id: 'kilo',
  name: 'Kilo CLI',
  userAgent: /^Kilo-Code\//,
  documentation: 'https://kilo.ai/docs/cli',
  command: 'kilo',
  contentVariable: 'KILO_CONFIG_CONTENT',
  folder: 'kilo',
  files: ['kilo.json', 'kilo.jsonc', 'opencode.json', 'opencode.jsonc', 'config.json'],
  notes: ['Kilo reads NODE_EXTRA_CA_CERTS from its environment only. Set it where you start it.'],
})

function variantOf({ command, contentVariable, folder, files, ...identity }: Variant): Tool {
  const [file, ...otherFiles] = files
  return {
    ...identity,
    kind: 'command',
    door: 'chat',
    verified: 'run',
    snippets: (connection) => [
      nodeEnvironment(connection),
      {
        title: `Add to ~/.config/${folder}/${file}`,
        language: 'json',
        text: editConfig(connection, null, '{env:MODELPORT_API_KEY}'),
      },
    ],
    files(connection, { dir, env }) {
      const place = join(env['XDG_CONFIG_HOME'] || join(dir, '.config'), folder)
      return [
        {
          path: join(place, file),
          otherPaths: otherFiles.map((name) => join(place, name)),
          edit: (before) => editConfig(connection, before, connection.key),
        },
      ]
    },
    program: {
      command,
      environment: (connection) => ({
        set: {
          MODELPORT_API_KEY: connection.key,
          NODE_EXTRA_CA_CERTS: connection.caFile,
          [contentVariable]: editConfig(connection, null, '{env:MODELPORT_API_KEY}'),
        },
        unset: [],
      }),
    },
  }
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
