/** Extensions of Visual Studio Code that keep their keys in its secret storage, which only they can write. */
import { openaiUrl, type Connection, type Tool } from '../tool.ts'

const certificate =
  'Visual Studio Code trusts the certificates of the operating system: add Modelport’s authority there, or start it from a shell with NODE_EXTRA_CA_CERTS.'

export const cline: Tool = {
  id: 'cline',
  name: 'Cline',
  kind: 'app',
  door: 'chat',
  userAgent: /^Cline\//,
  verified: 'unverified',
  documentation: 'https://docs.cline.bot/provider-config/openai-compatible',
  snippets: (connection) => [
    { title: 'Enter in Cline’s settings', language: 'text', text: fields(connection) },
  ],
  notes: [certificate],
}

export const rooCode: Tool = {
  id: 'roo-code',
  name: 'Roo Code',
  kind: 'app',
  door: 'chat',
  userAgent: /^RooCode\//,
  verified: 'unverified',
  documentation: 'https://docs.roocode.com/providers/openai-compatible',
  snippets: (connection) => [
    { title: 'Enter in Roo Code’s settings', language: 'text', text: fields(connection) },
  ],
  notes: [certificate],
}

function fields(connection: Connection): string {
  return `API Provider  OpenAI Compatible
Base URL      ${openaiUrl(connection)}
API Key       ${connection.key}
Model ID      auto
`
}
