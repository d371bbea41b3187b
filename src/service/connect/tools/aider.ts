import { join } from 'node:path'
import { editYamlValues } from '../edit-yaml.ts'
import { environmentSnippet } from '../shell.ts'
import { openaiUrl, type Connection, type Home, type Tool, type ToolFile } from '../tool.ts'

export const aider: Tool = {
  id: 'aider',
  name: 'Aider',
  kind: 'command',
  door: 'chat',
  // It sends the user agent of OpenAI's SDK for Python.
  userAgent: null,
  verified: 'run',
  documentation: 'https://aider.chat/docs/llms/openai-compat.html',
  snippets: (connection) => [
    environmentSnippet('Set the environment', variables(connection), connection),
    {
      title: 'Or in ~/.aider.conf.yml',
      language: 'yaml',
      text: editConfig(connection, null),
    },
  ],
  files: (connection, home) => [configFile(connection, home)],
  program: {
    command: 'aider',
    environment: (connection) => ({ set: variables(connection), unset: [] }),
  },
}

function variables(connection: Connection) {
  return {
    OPENAI_API_BASE: openaiUrl(connection),
    OPENAI_API_KEY: connection.key,
    SSL_CERT_FILE: connection.caBundleFile,
    AIDER_MODEL: 'openai/auto',
  }
}

function configFile(connection: Connection, { dir }: Home): ToolFile {
  return {
    path: join(dir, '.aider.conf.yml'),
    edit: (before) => editConfig(connection, before),
  }
}

function editConfig(connection: Connection, before: string | null): string {
  const values = {
    model: 'openai/auto',
    'openai-api-base': openaiUrl(connection),
    'openai-api-key': connection.key,
  }
  const prefix = 'SSL_CERT_FILE='
  return editYamlValues(before, values, {
    'set-env': { prefix, line: `${prefix}${connection.caBundleFile}` },
  })
}
