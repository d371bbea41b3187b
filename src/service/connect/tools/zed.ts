import { join } from 'node:path'
import { editJson } from '../edit-json.ts'
import { environmentSnippet } from '../shell.ts'
import { openaiUrl, type Connection, type Home, type Tool } from '../tool.ts'

export const zed: Tool = {
  id: 'zed',
  name: 'Zed',
  kind: 'app',
  door: 'chat',
  userAgent: /^Zed\//,
  verified: 'unverified',
  documentation: 'https://zed.dev/docs/ai/use-api-access',
  snippets: (connection) => [
    {
      title: 'Add to Zed’s settings.json',
      language: 'json',
      text: editSettings(connection, null),
    },
    environmentSnippet(
      'Set the key, or enter it in Zed under LLM Providers',
      { MODELPORT_API_KEY: connection.key },
      connection,
    ),
  ],
  files: (connection, home) => [
    {
      path: join(zedSettingsFolder(home), 'settings.json'),
      edit: (before) => editSettings(connection, before),
    },
  ],
  notes: [
    'Zed keeps keys in the system’s keychain, so the file has none. Enter it in Zed under LLM Providers.',
    'Zed trusts the certificates of the operating system: add Modelport’s authority there.',
    'Zed needs the context of the models in max_tokens. Set it to that of your router’s models.',
  ],
}

export function zedSettingsFolder({ dir, platform, env }: Home): string {
  if (platform === 'win32') return join(env['APPDATA'] || join(dir, 'AppData', 'Roaming'), 'Zed')
  const base = platform === 'linux' ? env['XDG_CONFIG_HOME'] : undefined
  return join(base || join(dir, '.config'), 'zed')
}

function editSettings(connection: Connection, before: string | null): string {
  const model = {
    name: 'auto',
    display_name: 'The router decides',
    max_tokens: 128_000,
    capabilities: { tools: true, images: true, parallel_tool_calls: true, prompt_cache_key: true },
  }
  const at = (name: string) => ['language_models', 'openai_compatible', 'Modelport', name]
  return editJson(before, [
    { path: at('api_url'), value: openaiUrl(connection) },
    { path: at('available_models'), value: [model], isDefault: true },
  ])
}
