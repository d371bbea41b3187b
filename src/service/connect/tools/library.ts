/** Libraries that a program calls: how its environment is set, and a program that asks the router once. */
import { environmentSnippet } from '../shell.ts'
import type { Connection, Tool } from '../tool.ts'

interface Library extends Pick<Tool, 'id' | 'name' | 'door' | 'userAgent' | 'documentation'> {
  /** The program. */
  text(connection: Connection): string
}

export function nodeLibrary({ text, ...library }: Library): Tool {
  return {
    ...library,
    kind: 'library',
    verified: 'run',
    snippets: (connection) => [
      nodeEnvironment(connection),
      { title: 'Call the router', language: 'javascript', text: text(connection) },
    ],
  }
}

export function pythonLibrary({ text, ...library }: Library): Tool {
  return {
    ...library,
    kind: 'library',
    verified: 'run',
    snippets: (connection) => [
      pythonEnvironment(connection),
      { title: 'Call the router', language: 'python', text: text(connection) },
    ],
  }
}

/** Node.js reads the authority from this variable at its start only. */
export function nodeEnvironment(connection: Connection) {
  const { key, caFile } = connection
  const variables = { MODELPORT_API_KEY: key, NODE_EXTRA_CA_CERTS: caFile }
  return environmentSnippet('Set the environment', variables, connection)
}

/** Python's clients replace their own roots with this file, so it has the system's as well. */
function pythonEnvironment(connection: Connection) {
  const { key, caBundleFile } = connection
  const variables = { MODELPORT_API_KEY: key, SSL_CERT_FILE: caBundleFile }
  return environmentSnippet('Set the environment', variables, connection)
}
