import { join } from 'node:path'
import { editJson } from '../edit-json.ts'
import { editYamlList } from '../edit-yaml.ts'
import { environmentSnippet } from '../shell.ts'
import { openaiUrl, type Connection, type Home, type Tool } from '../tool.ts'

export const llm: Tool = {
  id: 'llm',
  name: 'llm',
  kind: 'command',
  door: 'chat',
  // It sends the user agent of OpenAI's SDK for Python.
  userAgent: null,
  verified: 'run',
  documentation: 'https://llm.datasette.io/en/stable/other-models.html#openai-compatible-models',
  snippets: (connection) => [
    {
      title: 'Add to extra-openai-models.yaml in the folder of “llm logs path”',
      language: 'yaml',
      text: editModels(connection, null),
    },
    { title: 'Add to keys.json beside it', language: 'json', text: editKeys(connection, null) },
    environmentSnippet(
      'Set the certificate',
      { SSL_CERT_FILE: connection.caBundleFile },
      connection,
    ),
    { title: 'Ask', language: 'sh', text: "llm -m modelport 'Hello'\n" },
  ],
  files: (connection, home) => [
    {
      path: join(userFolder(home), 'extra-openai-models.yaml'),
      edit: (before) => editModels(connection, before),
    },
    {
      path: join(userFolder(home), 'keys.json'),
      edit: (before) => editKeys(connection, before),
    },
  ],
  notes: [
    'llm reads SSL_CERT_FILE from its environment only. Set it in your shell.',
    'llm ignores OPENAI_API_KEY for such models and sends DUMMY_KEY, unless api_key_name is set.',
  ],
}

function userFolder({ dir, platform, env }: Home): string {
  if (env['LLM_USER_PATH']) return env['LLM_USER_PATH']
  const name = 'io.datasette.llm'
  if (platform === 'darwin') return join(dir, 'Library', 'Application Support', name)
  if (platform === 'win32') return join(env['APPDATA'] || join(dir, 'AppData', 'Roaming'), name)
  return join(env['XDG_CONFIG_HOME'] || join(dir, '.config'), name)
}

function editModels(connection: Connection, before: string | null): string {
  const item = {
    model_id: 'modelport',
    model_name: 'auto',
    api_base: openaiUrl(connection),
    api_key_name: 'modelport',
    supports_tools: true,
    supports_schema: true,
    vision: true,
  }
  return editYamlList(before, { path: [], key: 'model_id', item })
}

function editKeys({ key }: Connection, before: string | null): string {
  return editJson(before, [{ path: ['modelport'], value: key }])
}
