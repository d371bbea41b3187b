/** Errors for invalid bodies name the field. */
import { expect, test } from 'vitest'
import { ServiceError } from '../../errors.ts'
import { bodyValidator } from './body-validator.ts'
import type { RequestForm } from '../answers/request-forms.ts'
import { requestForms } from '../answers/request-forms.ts'
import { validationError } from './validation-error.ts'
import { checkBodyOf } from './validation.ts'

/** The body, or the error about it. */
function post(body: unknown): unknown {
  try {
    checkBodyOf('chat', body)
    return body
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    return { code: error.code, param: error.param, message: error.message }
  }
}

const user = { role: 'user', content: 'Hi' }
const good = { messages: [user] }

test.each<[unknown, string, string]>([
  [{}, 'messages', '"messages" is required.'],
  [{ messages: [{}] }, 'messages[0].role', '"messages[0].role" is required.'],
  [{ messages: [{ role: 'user' }] }, 'messages[0].content', '"messages[0].content" is required.'],
  [
    { messages: [user, { role: 'user', content: null }] },
    'messages[1].content',
    '"messages[1].content" is required.',
  ],
  [
    { messages: [user, { role: 'assistant', tool_calls: [] }] },
    'messages[1].content',
    '"messages[1].content" is required.',
  ],
  [
    { messages: [user, { role: 'assistant', tool_calls: [{ id: 'c', type: 'custom' }] }] },
    'messages[1].tool_calls[0].custom',
    '"messages[1].tool_calls[0].custom" is required.',
  ],
  [
    { messages: [user, { role: 'assistant', tool_calls: [{ id: 'c', type: 'function' }] }] },
    'messages[1].tool_calls[0].function',
    '"messages[1].tool_calls[0].function" is required.',
  ],
])('%j lacks %s', (body, param, message) => {
  expect(post(body)).toEqual({ code: 'missing_required_parameter', param, message })
})

test.each<[unknown, string, RegExp]>([
  [{ messages: [] }, 'messages', /^"messages" must not be empty\.$/],
  [{ messages: 'Hi' }, 'messages', /^"messages" must be an array\.$/],
  [{ messages: [{ role: 3, content: 'Hi' }] }, 'messages[0].role', /must be a string\.$/],
  [
    { messages: [{ role: 'user', content: 3 }] },
    'messages[0].content',
    /must be a string or an array\.$/,
  ],
  [
    { messages: [{ role: 'user', content: [{ type: 1 }] }] },
    'messages[0].content[0].type',
    /must be a string\.$/,
  ],
  [{ ...good, temperature: 2.5 }, 'temperature', /must be <= 2/],
  [{ ...good, temperature: '1' }, 'temperature', /must be a number\.$/],
  [{ ...good, max_tokens: 0 }, 'max_tokens', /must be >= 1/],
  [{ ...good, max_tokens: 1.5 }, 'max_tokens', /must be an integer\.$/],
  [{ ...good, n: 129 }, 'n', /must be <= 128/],
  [
    { ...good, stream_options: { include_usage: 'yes' } },
    'stream_options.include_usage',
    /boolean/,
  ],
  [{ ...good, response_format: { type: 'xml' } }, 'response_format.type', /must be one of text/],
  [{ ...good, extra_body: {} }, 'extra_body', /is not accepted/],
  [{ ...good, api_key: 'sk-secret' }, 'api_key', /^"api_key" is not accepted/],
])('%j is wrong at %s', (body, param, message) => {
  expect(post(body)).toEqual({
    code: 'invalid_parameter',
    param,
    message: expect.stringMatching(message) as string,
  })
})

test.each([[[]], [['x']]])('an error about the list %j names the body', (body) => {
  expect(post(body)).toMatchObject({ param: null, message: 'The body must be an object.' })
})

test.each(Object.keys(requestForms) as RequestForm[])(
  'an error about any field of %s names the type that is expected',
  (form) => {
    const { schema } = requestForms[form]
    const { properties = {} } = schema
    for (const [name, property] of Object.entries(properties)) {
      const { accepts, errors } = bodyValidator<unknown>({ ...schema, required: [] })
      const wrong = [true, 1.5, 'x', {}].find((value) => !accepts({ [name]: value }))
      if (wrong === undefined)
        throw new Error(`"${name}" accepts everything: ${JSON.stringify(property)}`)
      expect(accepts({ [name]: wrong })).toBe(false)
      expect(validationError(errors()).message).toMatch(
        /^"[\w.]+" (must be (an? \w+( or an? \w+)*|one of .+)|is required)\.$/,
      )
    }
  },
)

test('an error names the types of its own field only', () => {
  const wrong = (instancePath: string, type: string) => ({
    keyword: 'type',
    instancePath,
    schemaPath: '',
    params: { type },
  })
  const { message } = validationError([
    wrong('/temperature', 'number'),
    wrong('/stream', 'boolean'),
  ])
  expect(message).toBe('"temperature" must be a number.')
})

test('an error never quotes a value, because it may be the prompt', () => {
  const answer = post({ ...good, temperature: 'my secret prompt' })

  expect(JSON.stringify(answer)).not.toContain('secret')
})

test.each([
  { ...good, temperature: null, stop: null, tools: null, max_tokens: null },
  { ...good, anything: { else: [1, 2] } },
  { messages: [{ role: 'ipython', content: [{ type: 'video_url', video_url: {} }] }] },
  { messages: [user, { role: 'assistant', content: null }] },
  { messages: [user, { role: 'assistant', function_call: { name: 'f', arguments: '{}' } }] },
  { ...good, temperature: 0, top_p: 1, n: 128, stop: ['a', 'b', 'c', 'd'] },
])('%j fits', (body) => {
  expect(post(body)).toEqual(body)
})
