import { expect, test } from 'vitest'
import { clientName } from './client-name.ts'

test.each([
  ['curl/8.5.0', 'curl 8.5.0'],
  ['claude-cli/2.0.1 (external, cli)', 'claude-cli 2.0.1'],
  ['OpenAI/Python 1.99.2', 'OpenAI Python 1.99.2'],
  ['Zed/0.9 some-library/2', 'Zed 0.9'],
  ['Mozilla/5.0 (X11; Linux x86_64) Firefox/145.0', 'a web browser'],
])('the client %s is shown as %s', (userAgent, name) => {
  expect(clientName(userAgent)).toBe(name)
})
