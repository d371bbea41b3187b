import { expect, test } from 'vitest'
import { readPasted } from './read-pasted.ts'

const npx = {
  kind: 'stdio',
  command: 'npx',
  args: ['-y', 'server'],
  cwd: null,
  secretNames: ['TOKEN'],
}
const entry = '{"command": "npx", "args": ["-y", "server"], "env": {"TOKEN": "t"}}'

test.each([
  ['Claude Desktop', `{"mcpServers": {"files": ${entry}}}`],
  ['Zed', `{"context_servers": {"files": ${entry}}}`],
  [
    'Zed’s older form',
    '{"context_servers": {"files": {"command": {"path": "npx", "args": ["-y", "server"], "env": {"TOKEN": "t"}}}}}',
  ],
  ['VS Code', `{"servers": {"files": ${entry}}}`],
  ['a workspace of VS Code', `{"mcp": {"servers": {"files": ${entry}}}}`],
  [
    'OpenCode',
    '{"mcp": {"files": {"type": "local", "command": ["npx", "-y", "server"], "environment": {"TOKEN": "t"}}}}',
  ],
  ['a list', `{"mcpServers": [{"name": "files", ${entry.slice(1)}]}`],
  ['entries without braces', `"files": ${entry},`],
  ['comments', `{\n  // Files\n  "files": ${entry},\n}`],
])('reads the form of %s', (_name, text) => {
  expect(readPasted(text)).toEqual([{ name: 'files', config: npx, secrets: { TOKEN: 't' } }])
})

test.each(['url', 'serverUrl', 'httpUrl'])('reads an address in %s', (field) => {
  const text = `{"mcpServers": {"web": {"${field}": "https://mcp.example/mcp", "headers": {"X-Key": "k"}}}}`
  const config = { kind: 'http', url: 'https://mcp.example/mcp', secretNames: ['X-Key'] }
  expect(readPasted(text)).toEqual([{ name: 'web', config, secrets: { 'X-Key': 'k' } }])
})

test.each([
  '',
  'npx server',
  '[]',
  '{}',
  '{"mcpServers": {"a": {}}}',
  '{"a": {"url": "file:///etc"}}',
])('refuses %j', (text) => {
  expect(() => readPasted(text)).toThrow(/JSON of MCP servers|neither a command nor an address/)
})
