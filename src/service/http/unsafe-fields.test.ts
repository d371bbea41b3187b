/** Bodies by which a caller could escape a budget, at every endpoint. */
import { describe, expect, test } from 'vitest'
import {
  checkChatBody,
  checkCompletionsBody,
  checkMessagesBody,
  checkResponsesBody,
} from './validation.ts'

const user = { role: 'user', content: 'Hi' }

describe.each<[string, (body: unknown) => void, object]>([
  ['chat completions', checkChatBody, { messages: [user] }],
  ['text completions', checkCompletionsBody, { prompt: 'Hi' }],
  ['Messages', checkMessagesBody, { messages: [user], max_tokens: 1 }],
  ['Responses', checkResponsesBody, { input: 'Hi' }],
])('%s', (_name, check, body) => {
  test('two different limits of the answer are refused, and the error names both', () => {
    const limits = { max_completion_tokens: 1, max_tokens: 4_000 }

    expect(() => check({ ...body, ...limits })).toThrow(
      expect.objectContaining({
        code: 'invalid_parameter',
        param: 'max_tokens',
        message:
          '"max_tokens" and "max_completion_tokens" limit the answer differently: send one of them.',
      }),
    )
  })

  test('two equal limits, and a limit that is null, are accepted', () => {
    expect(() => check({ ...body, max_completion_tokens: 9, max_tokens: 9 })).not.toThrow()
    expect(() => check({ ...body, max_completion_tokens: null, max_tokens: 9 })).not.toThrow()
  })

  test.each(['MODEL', 'Max_Tokens', 'N', 'Service_Tier', 'API_KEY', 'ſtream'])(
    'the field %s is refused, because a server that ignores case would obey it',
    (name) => {
      expect(() => check({ ...body, [name]: 'x' })).toThrow(
        expect.objectContaining({ code: 'invalid_parameter', param: name }),
      )
    },
  )
})

test('Messages keeps leaving out "fallbacks"', () => {
  expect(() => checkMessagesBody({ messages: [user], max_tokens: 1, fallbacks: [] })).not.toThrow()
  expect(() => checkChatBody({ messages: [user], fallbacks: [] })).toThrow(
    '"fallbacks" is not accepted',
  )
})
