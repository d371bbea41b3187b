import { join } from 'node:path'
import { editJson } from '../edit-json.ts'
import { environmentSnippet } from '../shell.ts'
import { openaiUrl, type Connection, type Home, type Tool, type ToolFile } from '../tool.ts'

export const clineCli: Tool = {
  id: 'cline-cli',
  name: 'Cline CLI',
  kind: 'command',
  door: 'chat',
  // It sends the user agent of the AI SDK.
  userAgent: null,
  verified: 'run',
  documentation: 'https://docs.cline.bot/cline-cli/configuration',
  snippets: (connection) => [
    environmentSnippet(
      'Set the certificate',
      { NODE_EXTRA_CA_CERTS: connection.caFile },
      connection,
    ),
    {
      title: 'Add to ~/.cline/data/settings/providers.json',
      language: 'json',
      text: editProviders(connection, null),
    },
  ],
  files,
  notes: ['Cline reads NODE_EXTRA_CA_CERTS from its environment only. Set it where you start it.'],
}

function files(connection: Connection, { dir, env }: Home): ToolFile[] {
  const ownPath = env['CLINE_PROVIDER_SETTINGS_PATH']
  return [
    {
      path: ownPath || join(dir, '.cline', 'data', 'settings', 'providers.json'),
      edit: (before) => editProviders(connection, before),
    },
  ]
}

function editProviders(connection: Connection, before: string | null): string {
  const provider = 'openai-compatible'
  const at = (...path: string[]) => ['providers', provider, ...path]
  return editJson(before, [
    { path: ['version'], value: 1, isDefault: true },
    { path: ['lastUsedProvider'], value: provider },
    { path: at('settings', 'provider'), value: provider },
    { path: at('settings', 'apiKey'), value: connection.key },
    { path: at('settings', 'model'), value: 'auto' },
    { path: at('settings', 'baseUrl'), value: openaiUrl(connection) },
    // Cline drops an entry without them.
    { path: at('updatedAt'), value: '2026-11-23T00:00:00.000Z', isDefault: true },
    { path: at('tokenSource'), value: 'manual', isDefault: true },
  ])
}
