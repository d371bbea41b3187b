/** Bodies by which a caller could escape a budget, at every endpoint. */
import { describe, expect, test } from 'vitest'
import type { RequestForm } from '../answers/request-forms.ts'
import { checkBodyOf } from './validation.ts'

const user = { role: 'user', content: 'Hi' }

describe.each<[RequestForm, object]>([
  ['chat', { messages: [user] }],
  ['completions', { prompt: 'Hi' }],
  ['messages', { messages: [user], max_tokens: 1 }],
  ['responses', { input: 'Hi' }],
])('%s', (form, body) => {
  test('two different limits of the answer are refused, and the error names both', () => {
    const limits = { max_completion_tokens: 1, max_tokens: 4_000 }

    expect(() => checkBodyOf(form, { ...body, ...limits })).toThrow(
      expect.objectContaining({
        code: 'invalid_parameter',
        param: 'max_tokens',
        message:
          '"max_tokens" and "max_completion_tokens" limit the answer differently: send one of them.',
      }),
    )
  })

  test('two equal limits, and a limit that is null, are accepted', () => {
    expect(() =>
      checkBodyOf(form, { ...body, max_completion_tokens: 9, max_tokens: 9 }),
    ).not.toThrow()
    expect(() =>
      checkBodyOf(form, { ...body, max_completion_tokens: null, max_tokens: 9 }),
    ).not.toThrow()
  })

  test.each(['MODEL', 'Max_Tokens', 'N', 'Service_Tier', 'API_KEY', 'ſtream'])(
    'the field %s is refused, because a server that ignores case would obey it',
    (name) => {
      expect(() => checkBodyOf(form, { ...body, [name]: 'x' })).toThrow(
        expect.objectContaining({ code: 'invalid_parameter', param: name }),
      )
    },
  )
})

test('Messages keeps leaving out "fallbacks"', () => {
  expect(() =>
    checkBodyOf('messages', { messages: [user], max_tokens: 1, fallbacks: [] }),
  ).not.toThrow()
  expect(() => checkBodyOf('chat', { messages: [user], fallbacks: [] })).toThrow(
    '"fallbacks" is not accepted',
  )
})
