import { expect, test } from 'vitest'
import { curlSnippet, openaiNodeSnippet, openaiPythonSnippet } from './snippets.ts'

const target = {
  url: 'https://localhost:6778',
  routerId: 'router_0123456789abcdef',
  caFile: "/home/it's me/ca.pem",
  caBundleFile: '/home/user/ca-bundle.pem',
}

test.each([
  ['curl', curlSnippet(target)],
  ['Node.js', openaiNodeSnippet(target)],
  ['Python', openaiPythonSnippet(target)],
])('the %s call names the router and takes the key from the environment', (_name, code) => {
  expect(code).toContain('https://localhost:6778/api/router/router_0123456789abcdef/v1')
  expect(code).toContain('MODELPORT_API_KEY')
  expect(code).not.toContain('mp_')
})

test('a path with a space and a quote is still one shell word', () => {
  expect(curlSnippet(target)).toContain(`--cacert '/home/it'\\''s me/ca.pem'`)
})

test('curl and Node.js get Modelport’s authority, Python gets the bundle that replaces its own', () => {
  expect(openaiNodeSnippet(target)).toContain('NODE_EXTRA_CA_CERTS=')
  expect(openaiPythonSnippet(target)).toContain('SSL_CERT_FILE=/home/user/ca-bundle.pem')
})
