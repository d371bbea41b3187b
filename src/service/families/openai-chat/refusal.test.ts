/** Refusals in the providers' own words: the cause of a 403 decides whether the provider is taken out of use. */
import { expect, test } from 'vitest'
import { readRefusal } from './refusal.ts'

const moderated = {
  kind: 'request',
  message: "the provider's moderation refused the content",
  upstreamMessage: null,
}

test.each([
  [
    'OpenRouter',
    {
      error: {
        code: 403,
        message: 'openai/gpt-4o requires moderation on OpenAI.',
        metadata: { reasons: ['harassment'], flagged_input: 'You…', provider_name: 'OpenAI' },
      },
    },
  ],
  ['OpenRouter, newer', { error: { code: 'content_policy_violation', message: 'Blocked' } }],
  [
    'xAI',
    {
      code: 'The caller does not have permission to execute the specified operation',
      error:
        'Content violates usage guidelines. Team: t-1, API key ID: k-1, Model: grok-4-0709, Failed check: SAFETY_CHECK_TYPE_BIO',
    },
  ],
  ['xAI, newer', { code: 'permission-denied', error: 'Content violates usage guidelines. ' }],
  ['a compatible server', { error: { message: 'The prompt was flagged.', type: 'forbidden' } }],
])(
  'a prompt that %s flagged is a request error, and the error contains none of its words',
  (_, body) => {
    expect(readRefusal(403, JSON.stringify(body))).toMatchObject(moderated)
  },
)

test.each([
  ['xAI', { code: 'permission-denied', error: 'Access to the chat endpoint is denied' }],
  ['Anthropic-like', { error: { type: 'permission_error', message: 'Your key may not do this' } }],
  ['OpenAI', { error: { message: 'Your access was terminated: violation of our policies' } }],
  ['OpenAI', { error: { message: 'Your account was flagged for potential abuse' } }],
])('a 403 of %s about the account is a key error: %j', (_, body) => {
  expect(readRefusal(403, JSON.stringify(body))).toMatchObject({
    kind: 'auth',
    message: 'the provider rejected the key',
  })
})

test.each([
  ['model_not_found', 'OpenAI: the project has no access to it'],
  ['model_permission_blocked_org', 'Groq: switched off for the organisation'],
])('a 403 with the code %s concerns one model (%s)', (code) => {
  expect(readRefusal(403, JSON.stringify({ error: { message: 'No.', code } }))).toMatchObject({
    kind: 'unavailable',
    message: 'the account may not use this model',
  })
})

test.each(['tool_use_failed', 'json_validate_failed'])(
  'a 400 of Groq with the code %s is the model’s fault, not the request’s',
  (code) => {
    const words = 'Failed to call a function. See ‘failed_generation’.'
    const body = { error: { message: words, type: 'invalid_request_error', code } }

    expect(readRefusal(400, JSON.stringify(body))).toMatchObject({
      kind: 'unavailable',
      message: `the model wrote what the provider could not read (${code}, invalid_request_error)`,
      upstreamMessage: null,
      isBadOutput: true,
    })
  },
)

test('a refusal of the user’s country is reported as such, not as a rejected key', () => {
  const body = { error: { code: 'unsupported_country_region_territory', message: 'No.' } }

  expect(readRefusal(403, JSON.stringify(body))).toMatchObject({
    kind: 'auth',
    message: 'the provider does not serve the country this computer is in',
  })
})

test('a 401 is a key error, even if its text mentions moderation', () => {
  const body = { error: { code: 'invalid_api_key', message: 'The request was flagged' } }

  expect(readRefusal(401, JSON.stringify(body))).toMatchObject({ kind: 'auth' })
})

test('a message in the form of xAI is shown for a bad request', () => {
  const body = { code: 'Client specified an invalid argument', error: 'One text per message.' }

  expect(readRefusal(400, JSON.stringify(body))).toMatchObject({
    kind: 'request',
    message: 'the provider refused the request',
    upstreamMessage: 'One text per message.',
  })
})

test.each([
  [
    { code: 'context_length_exceeded', type: 'invalid_request_error' },
    'context_length_exceeded, invalid_request_error',
  ],
  [{ code: null, type: 'BadRequestError' }, 'BadRequestError'],
  [{ code: 'the prompt "my secret" is bad', type: 'bad_request' }, 'bad_request'],
])(
  'the codes of a bad request are shown, but sentences in their place are not: %j',
  (codes, named) => {
    const body = { error: { message: 'No.', ...codes } }

    expect(readRefusal(400, JSON.stringify(body)).message).toBe(
      `the provider refused the request (${named})`,
    )
  },
)
