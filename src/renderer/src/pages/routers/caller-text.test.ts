import { expect, test } from 'vitest'
import { callerText } from './caller-text.ts'

const keys = [{ id: 'key_1', name: 'Laptop' }]

test.each([
  ['key_1', 'api', 'Laptop'],
  ['key_gone', 'api', 'Deleted key'],
  [null, 'chat', 'Chat window'],
  [null, 'tune', 'Tuning run'],
  [null, 'shadow', 'Shadow sample'],
] as const)('the key %s and the source %s are shown as "%s"', (apiKeyId, source, text) => {
  expect(callerText({ apiKeyId, source }, keys)).toBe(text)
})
