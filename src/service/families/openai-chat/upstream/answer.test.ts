/** Tests which fields of an OpenAI answer are read, and which deviations are tolerated. */
import { describe, expect, test } from 'vitest'
import { readChunk, readModelNames } from './answer.ts'

function firstChoice(choice: object) {
  return readChunk({ choices: [choice] }).choices[0]
}

describe('a chunk', () => {
  test.each([
    ['a delta', { index: 0, delta: { content: 'Hi' } }, { content: 'Hi' }],
    ['a whole message', { index: 0, message: { content: 'Hi' } }, { content: 'Hi' }],
    ['only a role', { index: 0, delta: { role: 'assistant', content: '' } }, {}],
    ['content null', { index: 0, delta: { content: null } }, {}],
    ['no delta at all', { index: 0 }, {}],
    ['a refusal', { index: 0, delta: { refusal: 'No.' } }, { refusal: 'No.' }],
    ['reasoning', { index: 0, delta: { reasoning: 'Hm' } }, { reasoning: 'Hm' }],
    [
      'reasoning under its other field name',
      { index: 0, delta: { reasoning_content: 'Hm' } },
      { reasoning_content: 'Hm' },
    ],
    [
      'unknown fields',
      { index: 0, delta: { content: 'Hi', audio: { id: 'a' }, x: 1, y: null, z: [] } },
      { content: 'Hi', audio: { id: 'a' }, x: 1 },
    ],
    [
      'null fields of a whole message',
      { index: 0, message: { role: 'assistant', content: null, refusal: null, audio: null } },
      { content: null, refusal: null, audio: null },
    ],
  ])('with %s', (_what, choice, delta) => {
    expect(firstChoice(choice)).toEqual({ index: 0, delta, finish_reason: null })
  })

  test('with the times of llama.cpp has them, and passes them on', () => {
    const timings = {
      cache_n: 236,
      prompt_n: 1,
      prompt_ms: 30.958,
      prompt_per_token_ms: 30.958,
      predicted_n: 35,
      predicted_ms: 661.064,
    }

    expect(readChunk({ choices: [], timings })).toMatchObject({
      timings: {
        loadMs: null,
        promptTokens: 1,
        promptMs: 30.958,
        outputTokens: 35,
        outputMs: 661.064,
      },
      extras: { timings },
    })
    expect(readChunk({ choices: [], timings: { total: 3 } })).not.toHaveProperty('timings')
  })

  test('without an index uses its position in the list', () => {
    const { choices } = readChunk({ choices: [{ delta: {} }, { delta: {} }] })

    expect(choices.map(({ index }) => index)).toEqual([0, 1])
  })

  test.each([{}, { choices: null }, { choices: [] }])('%j has no choice', (value) => {
    expect(readChunk(value)).toEqual({ choices: [], usage: null })
  })

  test.each([
    'text',
    null,
    [],
    { choices: 'none' },
    { choices: [{ index: -1 }] },
    { choices: [{ delta: { content: 3 } }] },
    { choices: [{ delta: { tool_calls: {} } }] },
  ])('%j has an unknown form', (value) => {
    expect(() => readChunk(value)).toThrow('unknown form')
  })

  test('passes on other fields of the answer and of a choice, except those Modelport sets', () => {
    const choice = { index: 0, delta: {}, native_finish_reason: 'end', __proto__: null }
    const ours = { id: 'x', object: 'y', created: 1, model: 'z', _meta: { cost: 0 } }
    const chunk = readChunk({
      ...ours,
      choices: [choice],
      system_fingerprint: 'fp_1',
      provider: null,
    })

    expect(chunk).toEqual({
      choices: [{ index: 0, delta: {}, finish_reason: null, native_finish_reason: 'end' }],
      usage: null,
      extras: { system_fingerprint: 'fp_1' },
      namedModel: 'z',
    })
  })

  test.each(['logprobs', 'mystery'])('with endlessly nested %s is an invalid answer', (field) => {
    const nested: unknown = JSON.parse(`${'['.repeat(20_000)}${']'.repeat(20_000)}`)

    expect(() => readChunk({ choices: [{ delta: {}, [field]: nested }] })).toThrow(
      expect.objectContaining({ kind: 'invalid_response' }),
    )
  })

  test('that is an error event about the model’s output says so', () => {
    const event = { error: { message: 'Failed to call a function.', code: 'tool_use_failed' } }

    expect(() => readChunk(event)).toThrow(
      expect.objectContaining({ kind: 'unavailable', isBadOutput: true }),
    )
  })

  test('that is an error event fails with Modelport’s own message', () => {
    const event = { error: { message: 'Overloaded: sk-secret', code: 500 } }

    expect(() => readChunk(event)).toThrow('the provider reported an error mid-answer')
  })

  test.each([
    [{ message: 'Too much.', code: 'context_length_exceeded' }, 'request', true],
    ['the request exceeds the available context size', 'request', true],
    [{ message: 'Slow down.', code: 429 }, 'rate_limit', false],
    [{ message: 'Overloaded.', code: 500 }, 'unavailable', false],
  ])('that is the error %j is a failure of the kind %s', (error, kind, isTooLong) => {
    expect(() => readChunk({ error })).toThrow(expect.objectContaining({ kind, isTooLong }))
  })
})

test.each([
  ['stop', 'stop'],
  ['length', 'length'],
  ['tool_calls', 'tool_calls'],
  ['content_filter', 'content_filter'],
  ['function_call', 'function_call'],
  ['eos', 'stop'],
  ['max_tokens', 'length'],
  ['malformed_function_call', 'malformed_function_call'],
  ['end_turn', 'stop'],
  ['COMPLETE', 'stop'],
  ['model_length', 'length'],
  ['model_context_window_exceeded', 'length'],
  ['tool_use', 'tool_calls'],
  ['SAFETY', 'content_filter'],
  ['sensitive', 'content_filter'],
  ['refusal', 'content_filter'],
  ['brand_new_reason', 'brand_new_reason'],
  ['', null],
  [null, null],
])('the finish reason %j is %j', (finish_reason, read) => {
  expect(firstChoice({ finish_reason })?.finish_reason).toBe(read)
})

test.each(['error', 'ERROR', 'insufficient_system_resource', 'network_error', 'abort'])(
  'the finish reason %j is a failure of the provider, not an end',
  (finish_reason) => {
    expect(() => firstChoice({ finish_reason })).toThrow(
      expect.objectContaining({ name: 'ProviderError', kind: 'unavailable' }),
    )
  },
)

describe('tool calls', () => {
  test('begin with id and name and continue with arguments', () => {
    const begin = {
      index: 0,
      id: 'call_1',
      type: 'function',
      function: { name: 'f', arguments: '' },
    }
    const more = { index: 0, function: { arguments: '{"x":' } }

    expect(firstChoice({ delta: { tool_calls: [begin] } })?.delta.tool_calls).toEqual([begin])
    expect(firstChoice({ delta: { tool_calls: [more] } })?.delta.tool_calls).toEqual([more])
  })

  test.each([
    ['no index', { id: 'c', function: { name: 'f', arguments: '{}' } }, undefined],
    ['parsed arguments', { index: 1, id: 'c', function: { name: 'f', arguments: {} } }, 1],
    [
      'null for missing fields',
      { index: 2, id: null, function: { name: null, arguments: '{}' } },
      2,
    ],
  ])('with %s are still read', (_what, call, index) => {
    const [read] = firstChoice({ delta: { tool_calls: [call] } })?.delta.tool_calls ?? []

    expect(read?.index).toBe(index)
    expect(read?.function?.arguments).toBe('{}')
  })

  test('without a function have no arguments', () => {
    const [read] =
      firstChoice({ delta: { tool_calls: [{ index: 0, id: 'c' }] } })?.delta.tool_calls ?? []

    expect(read).toEqual({ index: 0, id: 'c', type: 'function', function: { arguments: '' } })
  })
})

describe('usage', () => {
  test.each([
    [
      'the two counts',
      { prompt_tokens: 12, completion_tokens: 8 },
      { prompt_tokens: 12, completion_tokens: 8, total_tokens: 20 },
    ],
    [
      'a total that is too small',
      { prompt_tokens: 12, completion_tokens: 8, total_tokens: 9 },
      { prompt_tokens: 12, completion_tokens: 8, total_tokens: 20 },
    ],
    [
      'details',
      {
        prompt_tokens: 12,
        completion_tokens: 8,
        prompt_tokens_details: { cached_tokens: 4, audio_tokens: 0 },
        completion_tokens_details: { reasoning_tokens: 5 },
      },
      {
        prompt_tokens: 12,
        completion_tokens: 8,
        total_tokens: 20,
        prompt_tokens_details: { cached_tokens: 4, audio_tokens: 0 },
        completion_tokens_details: { reasoning_tokens: 5 },
      },
    ],
    ['null', null, null],
    ['a count missing', { completion_tokens: 8 }, null],
    ['a negative count', { prompt_tokens: -1, completion_tokens: 8 }, null],
    ['half a token', { prompt_tokens: 0.5, completion_tokens: 8 }, null],
    ['text', 'many', null],
  ])('of %s', (_what, usage, read) => {
    expect(readChunk({ choices: [], usage }).usage).toEqual(read)
  })
})

describe('a list of models', () => {
  test('is read as sorted names', () => {
    const list = { object: 'list', data: [{ id: 'b', owned_by: 'x' }, { id: 'a' }] }

    expect(readModelNames(list)).toEqual(['a', 'b'])
    expect(readModelNames(list.data)).toEqual(['a', 'b'])
  })

  test.each([{}, { data: [{ name: 'a' }] }, [{ name: 'a' }], '<html>'])(
    'that is %j has an unknown form',
    (value) => {
      expect(() => readModelNames(value)).toThrow('unknown form')
    },
  )
})
