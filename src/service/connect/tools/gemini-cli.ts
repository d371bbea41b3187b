import { join } from 'node:path'
import { editEnv } from '../edit-env.ts'
import { editJson } from '../edit-json.ts'
import { environmentSnippet } from '../shell.ts'
import type { Connection, Home, Tool, ToolFile } from '../tool.ts'

export const geminiCli: Tool = {
  id: 'gemini-cli',
  name: 'Gemini CLI',
  kind: 'command',
  door: 'gemini',
  userAgent: /^GeminiCLI/,
  verified: 'run',
  documentation: 'https://geminicli.com/docs/reference/configuration/',
  snippets: (connection) => [
    environmentSnippet(
      'Set the environment',
      { ...variables(connection), NODE_EXTRA_CA_CERTS: connection.caFile },
      connection,
    ),
    { title: 'Add to ~/.gemini/settings.json', language: 'json', text: editSettings(null) },
  ],
  files,
  program: {
    command: 'gemini',
    environment: (connection) => ({
      set: { ...variables(connection), NODE_EXTRA_CA_CERTS: connection.caFile },
      unset: [],
    }),
    folder: { variable: 'GEMINI_CLI_HOME', file: settings },
  },
  notes: [
    'Gemini CLI reads NODE_EXTRA_CA_CERTS from its environment only. Set it where you start it.',
    'Gemini CLI reads ~/.gemini/.env in folders that you trust. It asks at its first start in a folder.',
    'Gemini CLI keeps its own names of models; the router decides which model answers.',
  ],
}

function variables({ routerUrl, key }: Connection) {
  return { GOOGLE_GEMINI_BASE_URL: routerUrl, GEMINI_API_KEY: key }
}

function files(connection: Connection, home: Home): ToolFile[] {
  const path = join(folderOf(home), '.env')
  return [settings(home), { path, edit: (before) => editEnv(before, variables(connection)) }]
}

function settings(home: Home): ToolFile {
  return { path: join(folderOf(home), 'settings.json'), edit: editSettings }
}

function folderOf({ dir, env }: Home): string {
  return join(env['GEMINI_CLI_HOME'] || dir, '.gemini')
}

/** Sets how Gemini CLI signs in: with another way it would ignore the address. */
function editSettings(before: string | null): string {
  return editJson(before, [{ path: ['security', 'auth', 'selectedType'], value: 'gemini-api-key' }])
}
