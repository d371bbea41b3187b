import { expect, test } from 'vitest'
import { readRefusal } from './refusal.ts'

test.each([
  ['API key not valid. Please pass a valid API key.', 'auth'],
  ['API Key not found. Please pass a valid API key.', 'auth'],
  [`Invalid value at 'tools[0]' (type.googleapis.com/Type), "api key not valid"`, 'request'],
])('a 400 with the message %s is of the kind %s', (message, kind) => {
  const body = JSON.stringify({ error: { code: 400, message, status: 'INVALID_ARGUMENT' } })

  expect(readRefusal(400, body).kind).toBe(kind)
})
