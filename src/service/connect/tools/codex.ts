import { join } from 'node:path'
import { editEnv } from '../edit-env.ts'
import { editToml } from '../edit-toml.ts'
import { environmentSnippet } from '../shell.ts'
import { openaiUrl, type Connection, type Home, type Tool, type ToolFile } from '../tool.ts'

export const codex: Tool = {
  id: 'codex',
  name: 'Codex CLI',
  kind: 'command',
  door: 'responses',
  userAgent: /^codex[\w-]*\//,
  verified: 'run',
  documentation: 'https://developers.openai.com/codex/config-advanced',
  snippets: (connection) => [
    environmentSnippet('Set the environment', variables(connection), connection),
    { title: 'Add to ~/.codex/config.toml', language: 'toml', text: editConfig(connection, null) },
  ],
  files,
  program: {
    command: 'codex',
    environment: (connection) => ({ set: variables(connection), unset: [] }),
    args: configArguments,
  },
  notes: [
    'Codex warns once that it has no metadata for the model “auto”, and works.',
    'Without a trusted certificate, Codex shows “Reconnecting… waiting for network” and never ends.',
  ],
}

function variables({ key, caFile }: Connection) {
  return { MODELPORT_API_KEY: key, CODEX_CA_CERTIFICATE: caFile }
}

function files(connection: Connection, { dir, env }: Home): ToolFile[] {
  const folder = env['CODEX_HOME'] || join(dir, '.codex')
  return [
    {
      path: join(folder, 'config.toml'),
      edit: (before) => editConfig(connection, before),
    },
    {
      // Codex ignores CODEX_… variables in this file, so the certificate has the general name.
      path: join(folder, '.env'),
      edit: (before) =>
        editEnv(before, {
          MODELPORT_API_KEY: connection.key,
          SSL_CERT_FILE: connection.caBundleFile,
        }),
    },
  ]
}

function editConfig(connection: Connection, before: string | null): string {
  return editToml(before, {
    values: topSettings(connection),
    table: { path: ['model_providers', 'modelport'], values: provider(connection) },
  })
}

/** Codex does not know the context window of “auto”, and shortens a conversation only before a window's end. */
function topSettings({ limits: { context } }: Connection) {
  const window = context === null ? {} : { model_context_window: context }
  return { model: 'auto', model_provider: 'modelport', ...window }
}

function provider(connection: Connection) {
  return {
    name: 'Modelport',
    base_url: openaiUrl(connection),
    env_key: 'MODELPORT_API_KEY',
    wire_api: 'responses',
  }
}

/** Codex reads its provider from its file or its arguments only. */
function configArguments(connection: Connection): string[] {
  const top = Object.entries(topSettings(connection)).map(([name, value]) => `${name}=${value}`)
  const settings = Object.entries(provider(connection)).map(
    ([name, value]) => `model_providers.modelport.${name}=${value}`,
  )
  return [...top, ...settings].flatMap((each) => ['-c', each])
}
