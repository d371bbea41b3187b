/** The body that Anthropic gets for a request in OpenAI's form. */
import { describe, expect, test } from 'vitest'
import type { ChatRequest } from '../../../../shared/chat/chat.ts'
import { translateRequest } from './request.ts'

const model = 'claude-sonnet-4-5'
const hello = { role: 'user', content: 'Hello' } as const

function translated(body: Partial<ChatRequest>, as = model) {
  return translateRequest({
    model: as,
    body: { messages: [hello], ...body },
    maxOutputTokens: 64_000,
  })
}

function sent(body: Partial<ChatRequest>, as = model) {
  return translated(body, as).body
}

function leftOut(body: Partial<ChatRequest>, as = model) {
  return translated(body, as).leftOut.map(({ parameter, change }) => `${parameter}=${change}`)
}

const call = (id: string, name = 'weather') => ({
  id,
  type: 'function' as const,
  function: { name, arguments: '{"city":"Paris"}' },
})
const toolUse = (id: string) => ({
  type: 'tool_use',
  id,
  name: 'weather',
  input: { city: 'Paris' },
})
const weather = {
  type: 'function',
  function: {
    name: 'weather',
    description: 'Looks up weather',
    parameters: { type: 'object', properties: { city: { type: 'string' } } },
    strict: true,
  },
}

describe('Turns', () => {
  test('leading system prompts become `system`', () => {
    const { system, messages } = sent({
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'developer', content: [{ type: 'text', text: 'Use French.' }] },
        hello,
      ],
    })

    expect(system).toEqual([
      { type: 'text', text: 'Be brief.' },
      { type: 'text', text: 'Use French.' },
    ])
    expect(messages).toEqual([{ role: 'user', content: [{ type: 'text', text: 'Hello' }] }])
  })

  const laterSystem = [
    hello,
    { role: 'assistant' as const, content: 'Hi.' },
    { role: 'system' as const, content: 'Use French.' },
    { role: 'user' as const, content: 'Again' },
  ]

  test('a later system prompt follows its user turn where the model takes that', () => {
    const { messages, system } = sent({ messages: laterSystem }, 'claude-opus-4-8')

    expect(messages.slice(2)).toEqual([
      { role: 'user', content: [{ type: 'text', text: 'Again' }] },
      { role: 'system', content: [{ type: 'text', text: 'Use French.' }] },
    ])
    expect(system).toBeUndefined()
  })

  test('a later system prompt is a marked text of the user turn for other models', () => {
    expect(sent({ messages: laterSystem }).messages.slice(2)).toEqual([
      {
        role: 'user',
        content: [
          { type: 'text', text: '<system>\nUse French.\n</system>' },
          { type: 'text', text: 'Again' },
        ],
      },
    ])
    expect(leftOut({ messages: laterSystem })).toEqual(['messages=sent_as_user_text'])
  })

  test('neighbours of one role are one turn, and empty texts are left out', () => {
    const { messages } = sent({
      messages: [hello, { role: 'user', content: '' }, { role: 'user', content: 'World' }],
    })

    expect(messages).toEqual([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Hello' },
          { type: 'text', text: 'World' },
        ],
      },
    ])
  })

  test('tool results come first in the user turn, with ids, images and failures', () => {
    const image = { type: 'image_url' as const, image_url: { url: 'data:image/png;base64,AAAA' } }
    const { messages } = sent({
      messages: [
        hello,
        { role: 'assistant', content: 'I look.', tool_calls: [call('call_1'), call('toolu.2')] },
        { role: 'user', content: 'Quick, please' },
        { role: 'tool', tool_call_id: 'call_1', content: 'Sunny' },
        {
          role: 'tool',
          tool_call_id: 'toolu.2',
          content: [{ type: 'text', text: 'A map' }, image],
          is_error: true,
        },
      ],
    })

    expect(messages.slice(1)).toEqual([
      {
        role: 'assistant',
        content: [{ type: 'text', text: 'I look.' }, toolUse('call_1'), toolUse('toolu_2')],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'call_1', content: 'Sunny' },
          {
            type: 'tool_result',
            tool_use_id: 'toolu_2',
            content: [
              { type: 'text', text: 'A map' },
              {
                type: 'image',
                source: { type: 'base64', media_type: 'image/png', data: 'AAAA' },
              },
            ],
            is_error: true,
          },
          { type: 'text', text: 'Quick, please' },
        ],
      },
    ])
  })

  test('arguments that are no JSON object are kept as text', () => {
    const cutOff = {
      id: 'c',
      type: 'function' as const,
      function: { name: 'f', arguments: '{"a":' },
    }
    const { messages } = sent({
      messages: [hello, { role: 'assistant', content: null, tool_calls: [cutOff] }],
    })

    expect(messages[1]?.content).toEqual([
      { type: 'tool_use', id: 'c', name: 'f', input: { arguments: '{"a":' } },
    ])
  })
})

describe('Documents and images', () => {
  test.each([
    [
      'an image at an address',
      { type: 'image_url', image_url: { url: 'https://a.example/cat.png' } },
      { type: 'image', source: { type: 'url', url: 'https://a.example/cat.png' } },
    ],
    [
      'a PDF',
      { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,JVBE' } },
      {
        type: 'document',
        source: { type: 'base64', media_type: 'application/pdf', data: 'JVBE' },
        title: 'a.pdf',
      },
    ],
    [
      'a text with citations',
      {
        type: 'file',
        file: { file_data: 'data:text/plain;base64,SGk=', citations: { enabled: true } },
      },
      {
        type: 'document',
        source: { type: 'text', media_type: 'text/plain', data: 'Hi' },
        citations: { enabled: true },
      },
    ],
    [
      'a document at an address',
      { type: 'file', file: { file_url: 'https://a.example/a.pdf' } },
      { type: 'document', source: { type: 'url', url: 'https://a.example/a.pdf' } },
    ],
    [
      'an uploaded file',
      { type: 'file', file: { file_id: 'file_1' } },
      { type: 'document', source: { type: 'file', file_id: 'file_1' } },
    ],
  ] as const)('%s', (_name, part, block) => {
    const { messages } = sent({ messages: [{ role: 'user', content: [part] }] })

    expect(messages[0]?.content).toEqual([block])
  })

  test('a form that the vendor does not take is refused before it is sent', () => {
    const tiff = { type: 'image_url' as const, image_url: { url: 'data:image/tiff;base64,AAAA' } }

    expect(() => sent({ messages: [{ role: 'user', content: [tiff] }] })).toThrow(
      'the provider takes images as JPEG, PNG, GIF or WebP',
    )
  })
})

describe('Tools', () => {
  test('functions, custom tools and the vendor’s own tools', () => {
    const own = { type: 'web_search_20250305', name: 'web_search', max_uses: 3 }
    const custom = {
      type: 'custom',
      custom: {
        name: 'patch',
        description: 'Patches a file',
        format: { type: 'grammar', grammar: { syntax: 'lark', definition: 'start: "a"' } },
      },
    }
    const foreign = { type: 'web_search_preview' }

    const { tools } = sent({ tools: [weather, custom, own, foreign] })

    expect(tools).toEqual([
      {
        name: 'weather',
        description: 'Looks up weather',
        input_schema: {
          type: 'object',
          properties: { city: { type: 'string' } },
          additionalProperties: false,
        },
        strict: true,
      },
      {
        name: 'patch',
        description: 'Patches a file\nThe input must match this grammar:\nstart: "a"',
        input_schema: {
          type: 'object',
          properties: { input: { type: 'string' } },
          required: ['input'],
          additionalProperties: false,
        },
      },
      own,
    ])
    expect(leftOut({ tools: [weather, foreign] })).toEqual(['tools=left_out'])
  })

  test('the schema of a strict tool has only what the API takes, and others are passed', () => {
    const parameters = { properties: { days: { type: 'integer', minimum: 1 } } }
    const schemaOf = (strict: boolean) => {
      const { tools } = sent({
        tools: [{ type: 'function', function: { name: 'a', parameters, strict } }],
      })
      return tools?.[0] && 'input_schema' in tools[0] ? tools[0].input_schema : null
    }

    expect(schemaOf(false)).toEqual({ type: 'object', ...parameters })
    expect(schemaOf(true)).toEqual({
      type: 'object',
      properties: { days: { type: 'integer', description: '{"minimum":1}' } },
      additionalProperties: false,
    })
  })

  test.each([
    ['auto', undefined],
    ['none', { type: 'none' }],
    ['required', { type: 'any' }],
    [
      { type: 'function', function: { name: 'weather' } },
      { type: 'tool', name: 'weather' },
    ],
  ] as const)('tool_choice %j', (tool_choice, expected) => {
    expect(sent({ tools: [weather], tool_choice }).tool_choice).toEqual(expected)
  })

  test('parallel_tool_calls false holds for a chosen tool too', () => {
    const one = { tools: [weather], parallel_tool_calls: false }

    expect(sent(one).tool_choice).toEqual({ type: 'auto', disable_parallel_tool_use: true })
    expect(sent({ ...one, tool_choice: 'required' }).tool_choice).toEqual({
      type: 'any',
      disable_parallel_tool_use: true,
    })
  })

  test('a model that cannot be forced decides by itself, and the header says so', () => {
    const forced = { tools: [weather], tool_choice: 'required' }

    expect(sent(forced, 'claude-opus-5-5').tool_choice).toBeUndefined()
    expect(leftOut(forced, 'claude-opus-5-5')).toEqual(['tool_choice=sent_as_auto'])
  })

  test('allowed_tools narrows the list', () => {
    const other = { type: 'function', function: { name: 'time' } }
    const allowed = { mode: 'required', tools: [{ type: 'function', function: { name: 'time' } }] }

    const { tools, tool_choice } = sent({
      tools: [weather, other],
      tool_choice: { type: 'allowed_tools', allowed_tools: allowed },
    })

    expect(tools).toEqual([{ name: 'time', input_schema: { type: 'object' } }])
    expect(tool_choice).toEqual({ type: 'any' })
  })
})

describe('Other fields', () => {
  test('max_tokens is the caller’s limit, else the model’s longest answer', () => {
    expect(sent({ max_completion_tokens: 77 }).max_tokens).toBe(77)
    expect(sent({}).max_tokens).toBe(64_000)
    expect(translateRequest({ model, body: { messages: [hello] } }).body.max_tokens).toBe(4096)
  })

  test('a JSON schema becomes the output format in the part of JSON Schema that the API takes', () => {
    const schema = {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      properties: {
        age: { type: 'integer', minimum: 0, description: 'In years' },
        pet: { oneOf: [{ type: 'string', format: 'email' }, { type: 'null' }] },
      },
      required: ['age'],
    }

    const { output_config } = sent({
      response_format: { type: 'json_schema', json_schema: { name: 'a', schema } },
    })

    expect(output_config?.format).toEqual({
      type: 'json_schema',
      schema: {
        type: 'object',
        properties: {
          age: { type: 'integer', description: 'In years\n\n{"minimum":0}' },
          pet: { anyOf: [{ type: 'string', format: 'email' }, { type: 'null' }] },
        },
        required: ['age'],
        additionalProperties: false,
      },
    })
  })

  test('JSON without a schema is an instruction after the system prompts', () => {
    const json = { response_format: { type: 'json_object' as const } }

    expect(sent(json).system).toEqual([
      { type: 'text', text: 'Answer with one valid JSON object and nothing else.' },
    ])
    expect(leftOut(json)).toEqual(['response_format=sent_as_instruction'])
  })

  test('a temperature above the vendor’s range is sent as its end', () => {
    expect(sent({ temperature: 1.7 }).temperature).toBe(1)
    expect(leftOut({ temperature: 1.7 })).toEqual(['temperature=sent_as_1'])
  })

  test('models without sampling get none', () => {
    const sampled = { temperature: 0.2, top_p: 0.9, top_k: 5 }

    expect(sent(sampled)).toMatchObject({ temperature: 0.2, top_k: 5 })
    expect(sent(sampled, 'claude-opus-4-7')).not.toHaveProperty('temperature')
    expect(leftOut(sampled, 'claude-opus-4-7')).toEqual([
      'temperature=left_out',
      'top_p=left_out',
      'top_k=left_out',
    ])
  })

  test('stop sequences of white space are left out', () => {
    expect(sent({ stop: ['END', '\n'] }).stop_sequences).toEqual(['END'])
    expect(leftOut({ stop: '\n' })).toEqual(['stop=left_out'])
  })

  test('fields that Anthropic does not know are left out and named', () => {
    const others = { seed: 7, logit_bias: { 5: 1 }, presence_penalty: 0.5, n: 1, logprobs: false }

    expect(leftOut(others)).toEqual([
      'seed=left_out',
      'logit_bias=left_out',
      'presence_penalty=left_out',
    ])
    expect(Object.keys(sent(others))).toEqual(['model', 'max_tokens', 'messages'])
  })

  test('functions, which tools replaced, are refused before they are sent', () => {
    expect(() => sent({ functions: [{ name: 'f' }] })).toThrow('tools in place of functions')
  })

  test('the end user becomes the metadata’s user_id', () => {
    expect(sent({ user: 'u1' }).metadata).toEqual({ user_id: 'u1' })
  })
})
