import { environmentSnippet, powershellWord, shellWord } from '../shell.ts'
import { openaiUrl, type Connection, type Tool } from '../tool.ts'

export const curl: Tool = {
  id: 'curl',
  name: 'curl',
  kind: 'command',
  door: 'chat',
  userAgent: /^curl\//,
  verified: 'run',
  documentation: 'https://curl.se/docs/manpage.html',
  snippets: (connection) => [
    environmentSnippet('Set the key', { MODELPORT_API_KEY: connection.key }, connection),
    connection.platform === 'win32' ? powershellRequest(connection) : shellRequest(connection),
  ],
}

const body = '{"messages": [{"role": "user", "content": "Hello"}]}'

function shellRequest(connection: Connection) {
  const text = `curl --cacert ${shellWord(connection.caFile)} \\
  ${openaiUrl(connection)}/chat/completions \\
  -H "Authorization: Bearer $MODELPORT_API_KEY" \\
  -H "Content-Type: application/json" \\
  -d '${body}'`
  return { title: 'Send a request', language: 'sh', text } as const
}

/** A request for PowerShell. The body is piped, because Windows PowerShell removes double quotes from arguments. */
function powershellRequest(connection: Connection) {
  const text = `'${body}' | curl.exe --ssl-no-revoke --cacert ${powershellWord(connection.caFile)} \`
  ${openaiUrl(connection)}/chat/completions \`
  -H "Authorization: Bearer $env:MODELPORT_API_KEY" \`
  -H "Content-Type: application/json" \`
  --data-binary '@-'`
  return { title: 'Send a request', language: 'powershell', text } as const
}
