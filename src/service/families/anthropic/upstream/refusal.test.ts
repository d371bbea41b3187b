/** The kinds of Anthropic's documented errors. */
import { describe, expect, test } from 'vitest'
import { readRefusal } from './refusal.ts'

const body = (type: string, message = 'text', details?: object) =>
  JSON.stringify({ type: 'error', error: { type, message, details }, request_id: 'req_1' })

describe('An error body', () => {
  test.each([
    [400, 'invalid_request_error', 'request'],
    [401, 'authentication_error', 'auth'],
    [402, 'billing_error', 'credit'],
    [403, 'permission_error', 'auth'],
    [404, 'not_found_error', 'unavailable'],
    [413, 'request_too_large', 'request'],
    [429, 'rate_limit_error', 'rate_limit'],
    [500, 'api_error', 'unavailable'],
    [504, 'timeout_error', 'timeout'],
    [529, 'overloaded_error', 'unavailable'],
  ])('with status %i and the type %s is of the kind %s', (status, type, kind) => {
    expect(readRefusal(status, body(type)).kind).toBe(kind)
  })

  test.each([
    'Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing.',
    'You have reached your specified API usage limits. You will regain access on 2026-12-01.',
  ])('with status 400 about money takes the provider out: %s', (message) => {
    expect(readRefusal(400, body('invalid_request_error', message)).kind).toBe('credit')
  })

  test('that quotes a caller’s words about money is about the request', () => {
    const message =
      "messages.0.content.0: Input tag 'your credit balance is too low' found using 'type'"

    expect(readRefusal(400, body('invalid_request_error', message)).kind).toBe('request')
  })

  test('with the code of a spend limit is about money', () => {
    const details = { error_code: 'enforced_spend_limit_reached' }

    expect(readRefusal(429, body('rate_limit_error', 'x', details)).kind).toBe('credit')
  })

  test('about a model that the key may not use leaves the other models in use', () => {
    const message = 'Your API key does not have access to this model.'

    expect(readRefusal(403, body('permission_error', message)).kind).toBe('unavailable')
  })

  test('about the prompt’s length is passed on to the caller', () => {
    const message = 'prompt is too long: 208310 tokens > 200000 maximum'

    expect(readRefusal(400, body('invalid_request_error', message))).toMatchObject({
      kind: 'request',
      message: 'the provider refused the request (invalid_request_error)',
      upstreamMessage: message,
    })
  })

  test('that is not Anthropic’s is classified by its status', () => {
    expect(readRefusal(502, '<html>Bad gateway</html>')).toMatchObject({
      kind: 'unavailable',
      message: 'the provider answered with status 502',
      upstreamMessage: null,
    })
    expect(readRefusal(401, '').kind).toBe('auth')
  })
})
