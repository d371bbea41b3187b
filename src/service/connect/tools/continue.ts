import { join } from 'node:path'
import { editYamlList } from '../edit-yaml.ts'
import { openaiUrl, type Connection, type Tool } from '../tool.ts'

export const continueTool: Tool = {
  id: 'continue',
  name: 'Continue (CLI and extensions)',
  kind: 'command',
  door: 'chat',
  userAgent: null,
  verified: 'run',
  documentation: 'https://docs.continue.dev/reference',
  snippets: (connection) => [
    {
      title: 'Add to ~/.continue/config.yaml',
      language: 'yaml',
      text: editConfig(connection, null),
    },
  ],
  files: (connection, { dir, env }) => [
    {
      path: join(env['CONTINUE_GLOBAL_DIR'] || join(dir, '.continue'), 'config.yaml'),
      edit: (before) => editConfig(connection, before),
    },
  ],
}

function editConfig(connection: Connection, before: string | null): string {
  const item = {
    name: 'Modelport',
    provider: 'openai',
    model: 'auto',
    apiBase: openaiUrl(connection),
    apiKey: connection.key,
    roles: ['chat', 'edit', 'apply'],
    requestOptions: { caBundlePath: connection.caFile },
  }
  const place = { path: ['models'], key: 'name', item }
  return editYamlList(before, place, { name: 'My assistant', version: '1.0.0', schema: 'v1' })
}
