import { expect, test } from 'vitest'
import { readRefusal, reportedError } from './refusal.ts'

test.each([
  ['API key not valid. Please pass a valid API key.', 'auth'],
  ['API Key not found. Please pass a valid API key.', 'auth'],
  [`Invalid value at 'tools[0]' (type.googleapis.com/Type), "api key not valid"`, 'request'],
])('a 400 with the message %s is of the kind %s', (message, kind) => {
  const body = JSON.stringify({ error: { code: 400, message, status: 'INVALID_ARGUMENT' } })

  expect(readRefusal(400, body).kind).toBe(kind)
})

test('a failure keeps the name that Google gives it, and an event its words, too', () => {
  const error = { code: 503, status: 'UNAVAILABLE', message: 'The model is overloaded.' }
  const vendor = { type: 'UNAVAILABLE', code: null, param: null }

  expect(readRefusal(503, JSON.stringify({ error })).vendor).toEqual(vendor)
  expect(reportedError({ error })).toMatchObject({
    kind: 'unavailable',
    vendor,
    upstreamMessage: error.message,
  })
})
