import { expect, test } from 'vitest'
import { curlOf } from './curl.ts'

const target = {
  url: 'https://localhost:6778',
  caFile: "/home/it's me/ca.pem",
  routerId: 'router_1',
}

test('the command has the address, the certificate, the body as one word, and the key of the environment', () => {
  const body = `{"messages":[{"role":"user","content":"it's $HOME"}]}`
  expect(curlOf({ ...target, body }).split(' \\\n  ')).toEqual([
    `curl --cacert '/home/it'\\''s me/ca.pem'`,
    'https://localhost:6778/api/router/router_1/v1/chat/completions',
    '-H "Authorization: Bearer $MODELPORT_API_KEY"',
    '-H "Content-Type: application/json"',
    `-d '{"messages":[{"role":"user","content":"it'\\''s $HOME"}]}'`,
  ])
})

test('without a stored body the command sends a greeting', () => {
  expect(curlOf({ ...target, body: null })).toContain('"content": "Hello"')
})
