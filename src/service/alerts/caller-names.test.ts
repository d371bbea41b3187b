import { expect, test } from 'vitest'
import { programOf } from './caller-names.ts'

test.each([
  ['curl/8.5.0', 'curl'],
  ['OpenAI/Python 1.99.1', 'OpenAI/Python'],
  ['AsyncOpenAI/Python 2.0.0', 'OpenAI/Python'],
  ['claude-cli/2.0.1 (external, cli)', 'claude-cli'],
  ['ai/5.0.1 ai-sdk/provider-utils/3.0 runtime/node.js/24', 'ai'],
  ['node', 'node'],
  ['Mozilla/5.0 (X11; Linux x86_64) Firefox/130.0', 'web browser'],
  ['\u009b31mred\u0007', '?31mred?'],
  [`${'x'.repeat(90)}/1`, 'x'.repeat(60)],
  ['  ', 'unnamed program'],
  [null, 'unnamed program'],
])('the program of %j is %s', (userAgent, program) => {
  expect(programOf(userAgent)).toBe(program)
})
