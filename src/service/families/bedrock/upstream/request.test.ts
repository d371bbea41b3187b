/** Requests in OpenAI's form as Converse's, where models, media or turns need more than the suite of all wires checks. */
import { describe, expect, test } from 'vitest'
import type { ChatMessage, ChatRequest } from '../../../../shared/chat/chat.ts'
import { translateRequest } from './request.ts'

const sonnet = 'us.anthropic.claude-sonnet-4-5-20250929-v1:0'
const opus = 'global.anthropic.claude-opus-4-6-v1'
const nova = 'eu.amazon.nova-pro-v1:0'

const user = (content: ChatMessage['content']): ChatMessage => ({ role: 'user', content })
const called = {
  id: 'call_1',
  type: 'function',
  function: { name: 'weather', arguments: '{"city":"Rome"}' },
} as const
const history: ChatMessage[] = [
  user('Weather?'),
  { role: 'assistant', content: null, tool_calls: [called] },
  { role: 'tool', tool_call_id: 'call_1', content: 'Sunny' },
]
const weather = { type: 'function', function: { name: 'weather', parameters: { type: 'object' } } }

function translate(body: Partial<ChatRequest>, model = sonnet) {
  return translateRequest({ model, body: { messages: [user('Hello')], ...body } })
}

const adjusted = (body: Partial<ChatRequest>, model?: string) =>
  translate(body, model).leftOut.map(({ parameter, change }) => `${parameter}=${change}`)

describe('tools', () => {
  test('a forbidden call is sent without tools, and earlier calls as text', () => {
    const { body } = translate({ messages: history, tools: [weather], tool_choice: 'none' })

    expect(body.toolConfig).toBeUndefined()
    expect(body.messages).toEqual([
      { role: 'user', content: [{ text: 'Weather?' }] },
      { role: 'assistant', content: [{ text: 'Call call_1 of weather: {"city":"Rome"}' }] },
      { role: 'user', content: [{ text: 'Result of the call call_1:' }, { text: 'Sunny' }] },
    ])
  })

  test('a single call is Claude’s own field, with the choice in it', () => {
    const { body } = translate({
      tools: [weather],
      tool_choice: 'required',
      parallel_tool_calls: false,
    })

    expect(body.toolConfig).not.toHaveProperty('toolChoice')
    expect(body.additionalModelRequestFields).toEqual({
      tool_choice: { type: 'any', disable_parallel_tool_use: true },
    })
  })

  test('a custom tool takes an object with one text', () => {
    const { body } = translate({ tools: [{ type: 'custom', custom: { name: 'run' } }] })

    const json = { type: 'object', properties: { input: { type: 'string' } }, required: ['input'] }
    expect(body.toolConfig?.tools).toEqual([{ toolSpec: { name: 'run', inputSchema: { json } } }])
  })

  test.each([
    [sonnet, { type: 'integer', description: '{"minimum":1}' }, { additionalProperties: false }],
    ['openai.gpt-oss-120b-1:0', { type: 'integer', minimum: 1 }, {}],
  ])('schemas have only what the API of %s takes', (model, days, more) => {
    const schema = { type: 'object', properties: { days: { type: 'integer', minimum: 1 } } }
    const { body } = translate(
      {
        tools: [{ type: 'function', function: { name: 'a', parameters: schema, strict: true } }],
        response_format: { type: 'json_schema', json_schema: { name: 'b', schema } },
      },
      model,
    )

    const expected = { type: 'object', properties: { days }, ...more }
    expect(body.toolConfig?.tools?.[0]?.toolSpec?.inputSchema).toEqual({ json: expected })
    const answer = body.outputConfig?.textFormat?.structure?.jsonSchema
    expect(JSON.parse(answer?.schema ?? '')).toEqual(expected)
  })

  test('strict schemas are sent to models that keep them, and reported for others', () => {
    const tools = [{ type: 'function', function: { name: 'a', strict: true } }]

    expect(translate({ tools }).body.toolConfig?.tools?.[0]).toMatchObject({
      toolSpec: { strict: true },
    })
    expect(adjusted({ tools }, nova)).toEqual(['tools.strict=left_out'])
  })

  test('the allowed tools of a request are the only ones', () => {
    const other = { type: 'function', function: { name: 'time' } }
    const tool_choice = {
      type: 'allowed_tools',
      allowed_tools: {
        mode: 'required',
        tools: [{ type: 'function', function: { name: 'time' } }],
      },
    }

    const { body } = translate({ tools: [weather, other], tool_choice })

    expect(body.toolConfig?.toolChoice).toEqual({ any: {} })
    expect(body.toolConfig?.tools).toHaveLength(1)
  })

  test.each([
    ['', {}],
    ['{"a":1}', { a: 1 }],
    ['{"a":', { arguments: '{"a":' }],
    ['[1]', { arguments: '[1]' }],
  ])('the arguments %j of an earlier call are an object', (text, input) => {
    const call = { ...called, function: { name: 'weather', arguments: text } }
    const { body } = translate({
      messages: [user('?'), { role: 'assistant', content: null, tool_calls: [call] }],
      tools: [weather],
    })

    expect(body.messages?.[1]?.content?.[0]).toMatchObject({ toolUse: { input } })
  })
})

describe('cache marks', () => {
  const mark = { cache_control: { type: 'ephemeral', ttl: '1h' } }
  const marked: Partial<ChatRequest> = {
    messages: [
      { role: 'system', content: [{ type: 'text', text: 'Rules', ...mark }] },
      { ...user('Long document'), ...mark },
    ],
    tools: [{ ...weather, ...mark }],
  }
  const point = { cachePoint: { type: 'default', ttl: '1h' } }

  test('are cache points after the system prompt, the message and the tool', () => {
    const { body } = translate(marked)

    expect(body.system?.at(-1)).toEqual(point)
    expect(body.messages?.[0]?.content?.at(-1)).toEqual(point)
    expect(body.toolConfig?.tools?.at(-1)).toEqual(point)
  })

  test('of an hour last five minutes at Nova, which takes none for tools', () => {
    const { body } = translate(marked, nova)

    expect(body.system?.at(-1)).toEqual({ cachePoint: { type: 'default' } })
    expect(adjusted(marked, nova)).toContain('cache_control=left_out')
    expect(adjusted(marked, nova)).toContain('cache_control.ttl=sent_as_5m')
  })

  test('of a part of a tool result follow the whole result', () => {
    const [question, answer] = history
    const content = [{ type: 'text', text: 'Sunny', cache_control: { type: 'ephemeral' } }] as const
    const result: ChatMessage = { role: 'tool', tool_call_id: 'call_1', content: [...content] }
    const messages = [question, answer, result].filter((each) => each !== undefined)

    const { body } = translate({ messages, tools: [weather] })

    expect(body.messages?.[2]?.content).toEqual([
      { toolResult: { toolUseId: 'call_1', content: [{ text: 'Sunny' }] } },
      { cachePoint: { type: 'default' } },
    ])
  })
})

describe('reasoning', () => {
  test('of earlier turns goes back to Claude only with its signature', () => {
    const claude = { format: 'anthropic-claude-v1' }
    const reasoning_details = [
      { type: 'reasoning.text', text: 'Let me ', index: 0, ...claude },
      { type: 'reasoning.text', text: 'think', signature: 'c2ln', index: 0, ...claude },
      { type: 'reasoning.text', text: 'unsigned', index: 1, ...claude },
      { type: 'reasoning.encrypted', data: 'ZGF0YQ==', index: 2, ...claude },
      { type: 'reasoning.encrypted', data: 'b3RoZXI=', index: 3, format: 'openai-responses-v1' },
    ]
    const messages = [user('?'), { role: 'assistant' as const, content: 'Yes', reasoning_details }]

    expect(translate({ messages }).body.messages?.[1]?.content).toEqual([
      { reasoningContent: { reasoningText: { text: 'Let me think', signature: 'c2ln' } } },
      { reasoningContent: { redactedContent: 'ZGF0YQ==' } },
      { text: 'Yes' },
    ])
    expect(translate({ messages }, nova).body.messages?.[1]?.content).toEqual([{ text: 'Yes' }])
  })

  test('an effort is adaptive thinking and Converse’s own field for newer Claude models', () => {
    const { body } = translate({ reasoning_effort: 'high' }, opus)

    expect(body.additionalModelRequestFields).toMatchObject({ thinking: { type: 'adaptive' } })
    expect(body.outputConfig).toEqual({ effort: 'high' })
  })

  test.each([
    [
      nova.replace('pro-v1', '2-lite-v1'),
      { reasoningConfig: { type: 'enabled', maxReasoningEffort: 'low' } },
    ],
    ['openai.gpt-oss-120b-1:0', { reasoning_effort: 'low' }],
  ])('an effort of %s is the model’s own field', (model, fields) => {
    const { body, leftOut } = translate({ reasoning_effort: 'minimal' }, model)

    expect(body.additionalModelRequestFields).toEqual(fields)
    expect(leftOut).toMatchObject([{ parameter: 'reasoning_effort', change: 'sent_as_low' }])
  })

  test.each([
    [{}, 'high', []],
    [{ max_tokens: 500 }, 'medium', ['reasoning_effort=sent_as_medium']],
  ])('the highest effort of Nova 2 takes no limit: %j', (limit, maxReasoningEffort, changes) => {
    const request = { reasoning_effort: 'high', ...limit }
    const { body } = translate(request, 'us.amazon.nova-2-lite-v1:0')

    expect(body.additionalModelRequestFields).toEqual({
      reasoningConfig: { type: 'enabled', maxReasoningEffort },
    })
    expect(adjusted(request, 'us.amazon.nova-2-lite-v1:0')).toEqual(changes)
  })

  test('a thinking Claude gets no temperature', () => {
    expect(adjusted({ reasoning_effort: 'low', temperature: 0.3 })).toEqual([
      'temperature=left_out',
    ])
  })

  test('no thinking continues a turn whose call came without it', () => {
    const request = { messages: history, tools: [weather], reasoning_effort: 'low' }

    expect(translate(request).body.additionalModelRequestFields).toBeUndefined()
    expect(adjusted(request)).toEqual(['reasoning_effort=left_out'])
  })
})

describe('media', () => {
  const data = (type: string) => `data:${type};base64,AAAA`
  const file = (filename: string, type: string) =>
    ({ type: 'file', file: { filename, file_data: data(type) } }) as const
  const blocks = (...parts: NonNullable<ChatMessage['content']> & object[]) =>
    translate({ messages: [user(parts)] }).body.messages?.[0]?.content

  test('documents get names that Converse takes, each once, and a text beside them', () => {
    expect(
      blocks(file('Q3 résumé_v2.pdf', 'application/pdf'), file('Q3 résumé_v2.pdf', 'text/csv')),
    ).toEqual([
      { text: 'Attached: Q3 r sum v2, Q3 r sum v2 (2)' },
      { document: { format: 'pdf', name: 'Q3 r sum v2', source: { bytes: 'AAAA' } } },
      { document: { format: 'csv', name: 'Q3 r sum v2 (2)', source: { bytes: 'AAAA' } } },
    ])
  })

  test.each([
    ['text/x-python', 'a.py', { format: 'txt' }],
    ['application/octet-stream', 'table.XLSX', { format: 'xlsx' }],
    [
      'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
      'a',
      { format: 'docx' },
    ],
  ])('a file of the type %s is a document', (type, name, document) => {
    expect(blocks(file(name, type))?.[1]).toMatchObject({ document })
  })

  test.each([
    ['video/mp4', { video: { format: 'mp4', source: { bytes: 'AAAA' } } }],
    ['image/webp', { image: { format: 'webp', source: { bytes: 'AAAA' } } }],
    ['audio/mpeg', { audio: { format: 'mp3', source: { bytes: 'AAAA' } } }],
  ])('a file of the type %s is sent as what it is', (type, block) => {
    expect(blocks(file('x', type))).toEqual([block])
  })

  const place = 'messages[0].content[0]'
  test.each([
    [
      { type: 'image_url', image_url: { url: 'https://a.example/b.png' } },
      `${place}.image_url.url`,
    ],
    [{ type: 'image_url', image_url: { url: data('image/tiff') } }, `${place}.image_url.url`],
    [{ type: 'file', file: { file_id: 'f' } }, `${place}.file.file_id`],
    [{ type: 'file', file: { file_url: 'https://a.example/b' } }, `${place}.file.file_url`],
    [file('a.zip', 'application/zip'), `${place}.file.file_data`],
    [
      { type: 'input_audio', input_audio: { data: 'AAAA', format: 'raw' } },
      `${place}.input_audio.format`,
    ],
  ] as const)(
    'what Converse cannot take is refused with the name of its field (%j)',
    (part, path) => {
      const refused = () => blocks(part)

      expect(refused).toThrow(expect.objectContaining({ kind: 'request' }))
      expect(refused).toThrow(path)
    },
  )
})

test('a conversation that begins with an answer gets a turn of the user before it', () => {
  const messages: ChatMessage[] = [{ role: 'assistant', content: 'Welcome!' }, user('Hi')]

  expect(translate({ messages }).body.messages?.map(({ role }) => role)).toEqual([
    'user',
    'assistant',
    'user',
  ])
  expect(adjusted({ messages })).toEqual(['messages=sent_as_second_turn'])
})

test('blank texts and empty messages are left out', () => {
  const messages: ChatMessage[] = [
    user('Hi'),
    { role: 'assistant', content: '' },
    user(' \n'),
    user('There'),
  ]

  expect(translate({ messages }).body.messages).toEqual([
    { role: 'user', content: [{ text: 'Hi' }, { text: 'There' }] },
  ])
})

test('fields without a place are reported once each', () => {
  expect(adjusted({ user: 'u', n: 1, logit_bias: {}, presence_penalty: 0 })).toEqual([
    'user=left_out',
    'logit_bias=left_out',
  ])
})
