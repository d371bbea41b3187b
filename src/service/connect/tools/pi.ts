import { join } from 'node:path'
import { editJson } from '../edit-json.ts'
import { environmentSnippet } from '../shell.ts'
import { openaiUrl, type Connection, type Home, type Tool, type ToolFile } from '../tool.ts'

export const pi: Tool = {
  id: 'pi',
  name: 'pi',
  kind: 'command',
  door: 'chat',
  // It sends the user agent of OpenAI's SDK.
  userAgent: null,
  verified: 'run',
  documentation: 'https://pi.dev/docs/latest/models',
  snippets: (connection) => [
    environmentSnippet(
      'Set the certificate',
      { NODE_EXTRA_CA_CERTS: connection.caFile },
      connection,
    ),
    {
      title: 'Add to ~/.pi/agent/models.json',
      // The formatter of the pages would write its list in another way.
      language: 'text',
      text: editModels(connection, null),
    },
    { title: 'Add to ~/.pi/agent/settings.json', language: 'json', text: editSettings(null) },
  ],
  files,
  notes: ['pi reads NODE_EXTRA_CA_CERTS from its environment only. Set it where you start it.'],
}

function files(connection: Connection, { dir, env }: Home): ToolFile[] {
  const folder = env['PI_CODING_AGENT_DIR'] || join(dir, '.pi', 'agent')
  return [
    {
      path: join(folder, 'models.json'),
      edit: (before) => editModels(connection, before),
    },
    { path: join(folder, 'settings.json'), edit: editSettings },
  ]
}

function editModels(connection: Connection, before: string | null): string {
  const { context, output } = connection.limits
  const model = {
    id: 'auto',
    name: 'The router decides',
    input: ['text', 'image'],
    ...(context === null ? {} : { contextWindow: context }),
    ...(output === null ? {} : { maxTokens: output }),
  }
  const at = (name: string) => ['providers', 'modelport', name]
  return editJson(before, [
    { path: at('baseUrl'), value: openaiUrl(connection) },
    { path: at('api'), value: 'openai-completions' },
    { path: at('apiKey'), value: connection.key },
    { path: at('models'), value: [model] },
  ])
}

function editSettings(before: string | null): string {
  return editJson(before, [
    { path: ['defaultProvider'], value: 'modelport' },
    { path: ['defaultModel'], value: 'auto' },
  ])
}
