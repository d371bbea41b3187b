/** Requests in OpenAI's form as Gemini's bodies. The suite of all wires checks each feature by itself. */
import { describe, expect, test } from 'vitest'
import type { ChatMessage, ChatRequest } from '../../../../shared/chat/chat.ts'
import { translateRequest } from './request.ts'

const gemini = { hasCallIds: true }
const vertex = { hasCallIds: false }
const hello: ChatMessage = { role: 'user', content: 'Hello' }

function bodyOf(
  given: Partial<ChatRequest>,
  { model = 'gemini-3.5-flash', dialect = gemini } = {},
) {
  return translateRequest({ messages: [hello], ...given }, model, dialect).body
}

function adjustmentsOf(given: Partial<ChatRequest>, model = 'gemini-3.5-flash') {
  const { leftOut } = translateRequest({ messages: [hello], ...given }, model, gemini)
  return leftOut.map(({ parameter, change }) => `${parameter}=${change}`)
}

function call(id: string, name: string, more: object = {}) {
  return { id, type: 'function' as const, function: { name, arguments: '{"a":1}' }, ...more }
}

function result(id: string, content: ChatMessage['content']): ChatMessage {
  return { role: 'tool', tool_call_id: id, content }
}

const png = { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } } as const

describe('messages', () => {
  test('system prompts at the beginning are the system instruction, later ones keep their place', () => {
    const messages: ChatMessage[] = [
      { role: 'system', content: 'Be brief.' },
      { role: 'developer', content: 'Be kind.' },
      hello,
      { role: 'assistant', content: 'Hi.' },
      { role: 'system', content: 'In French.' },
      hello,
    ]

    expect(bodyOf({ messages })).toMatchObject({
      systemInstruction: { parts: [{ text: 'Be brief.' }, { text: 'Be kind.' }] },
      contents: [
        { role: 'user', parts: [{ text: 'Hello' }] },
        { role: 'model', parts: [{ text: 'Hi.' }] },
        { role: 'user', parts: [{ text: '<system>\nIn French.\n</system>' }] },
        { role: 'user', parts: [{ text: 'Hello' }] },
      ],
    })
  })

  test('a system prompt alone is the question', () => {
    const { contents, systemInstruction } = bodyOf({
      messages: [{ role: 'system', content: 'Tell a joke.' }],
    })

    expect(contents).toEqual([{ role: 'user', parts: [{ text: 'Tell a joke.' }] }])
    expect(systemInstruction).toBeUndefined()
  })

  test('the results of parallel calls are one content, in the order of the calls', () => {
    const messages: ChatMessage[] = [
      hello,
      { role: 'assistant', content: null, tool_calls: [call('x', 'look'), call('y', 'look')] },
      result('y', 'second'),
      { role: 'system', content: 'A reminder.' },
      result('x', 'first'),
      { role: 'user', content: 'Thanks.' },
    ]

    const { contents } = bodyOf({ messages }, { dialect: vertex })

    expect(contents.slice(2)).toEqual([
      {
        role: 'user',
        parts: [
          { functionResponse: { name: 'look', response: { output: 'first' } } },
          { functionResponse: { name: 'look', response: { output: 'second' } } },
        ],
      },
      { role: 'user', parts: [{ text: '<system>\nA reminder.\n</system>' }] },
      { role: 'user', parts: [{ text: 'Thanks.' }] },
    ])
  })

  test('Vertex AI gets no ids of calls, the Gemini API does', () => {
    const messages: ChatMessage[] = [
      hello,
      { role: 'assistant', content: null, tool_calls: [call('x', 'look')] },
      result('x', 'seen'),
    ]

    expect(JSON.stringify(bodyOf({ messages }, { dialect: vertex }))).not.toContain('"id"')
    expect(bodyOf({ messages }).contents.slice(1)).toMatchObject([
      { parts: [{ functionCall: { id: 'x', name: 'look', args: { a: 1 } } }] },
      { parts: [{ functionResponse: { id: 'x', name: 'look' } }] },
    ])
  })

  test('a result without a call is refused', () => {
    expect(() => bodyOf({ messages: [hello, result('lost', 'x')] })).toThrow(
      expect.objectContaining({ name: 'ProviderError', kind: 'request' }),
    )
  })

  test.each([
    ['gemini-3.5-flash', [{ functionResponse: { parts: [{ inlineData: { data: 'AAAA' } }] } }]],
    ['gemini-2.5-flash', [{ functionResponse: {} }, { inlineData: { data: 'AAAA' } }]],
  ])('an image in a result for %s is where the model reads it', (model, parts) => {
    const messages: ChatMessage[] = [
      hello,
      { role: 'assistant', content: null, tool_calls: [call('x', 'look')] },
      result('x', [{ type: 'text', text: 'A map' }, png]),
    ]

    expect(bodyOf({ messages }, { model }).contents.at(-1)?.parts).toMatchObject(parts)
  })

  test.each([
    [{ type: 'image_url', image_url: { url: 'https://a.example/cat.webp?x=1.gif' } }, 'image/webp'],
    [{ type: 'image_url', image_url: { url: 'https://a.example/cat' } }, 'image/jpeg'],
    [{ type: 'file', file: { file_url: 'https://a.example/report' } }, 'application/pdf'],
    [{ type: 'file', file: { file_url: 'https://youtu.be/abc' } }, 'video/mp4'],
    [{ type: 'file', file: { file_id: 'files/abc', filename: 'a.csv' } }, 'text/csv'],
  ] as const)('the file at an address in %j is sent as %s', (part, mimeType) => {
    const { contents } = bodyOf({ messages: [{ role: 'user', content: [part] }] })

    expect(contents[0]?.parts).toMatchObject([{ fileData: { mimeType } }])
  })

  test('another vendor’s file id is refused', () => {
    const content = [{ type: 'file' as const, file: { file_id: 'file-abc' } }]

    expect(() => bodyOf({ messages: [{ role: 'user', content }] })).toThrow('needs file_data')
  })
})

describe('thought signatures', () => {
  const detail = (more: object) => ({
    type: 'reasoning.encrypted',
    format: 'google-gemini-v1',
    ...more,
  })

  function answer(message: Omit<ChatMessage, 'role'>, model?: string) {
    const messages: ChatMessage[] = [hello, { role: 'assistant', ...message }, hello]
    return bodyOf({ messages }, model === undefined ? {} : { model }).contents[1]?.parts
  }

  test('go back to the call and the text that they belong to', () => {
    const reasoning_details = [
      { type: 'reasoning.text', text: 'Hm.', format: 'google-gemini-v1', index: 0 },
      detail({ data: 'T', index: 1 }),
      detail({ data: 'C', id: 'x', index: 2 }),
    ]

    expect(
      answer({ content: 'Hi.', tool_calls: [call('x', 'a'), call('y', 'b')], reasoning_details }),
    ).toEqual([
      { text: 'Hi.', thoughtSignature: 'T' },
      { functionCall: { id: 'x', name: 'a', args: { a: 1 } }, thoughtSignature: 'C' },
      { functionCall: { id: 'y', name: 'b', args: { a: 1 } } },
    ])
  })

  test('in the form of Google’s OpenAI endpoint are read, too', () => {
    const extra_content = { google: { thought_signature: 'E' } }

    expect(
      answer({ content: null, tool_calls: [call('x', 'a', { extra_content })] }),
    ).toMatchObject([{ thoughtSignature: 'E' }])
  })

  test('of other vendors are dropped, and Gemini 3 gets Google’s stand-in', () => {
    const reasoning_details = [detail({ data: 'A', id: 'x', format: 'anthropic-claude-v1' })]
    const message = { content: null, tool_calls: [call('x', 'a')], reasoning_details }

    expect(answer(message)).toMatchObject([
      { thoughtSignature: 'skip_thought_signature_validator' },
    ])
    expect(answer(message, 'gemini-2.5-pro')?.[0]).not.toHaveProperty('thoughtSignature')
  })

  test('without a text or a call are sent with an empty text', () => {
    expect(answer({ content: '', reasoning_details: [detail({ data: 'T' })] })).toEqual([
      { text: '', thoughtSignature: 'T' },
    ])
  })
})

test.each([
  [
    'gemini-3.5-flash',
    { reasoning_effort: 'none' },
    { thinkingLevel: 'MINIMAL', includeThoughts: true },
  ],
  [
    'gemini-3.7-flash',
    { reasoning_effort: 'minimal' },
    { thinkingLevel: 'LOW', includeThoughts: true },
  ],
  [
    'gemini-3.5-flash-lite',
    { reasoning_effort: 'minimal' },
    { thinkingLevel: 'MINIMAL', includeThoughts: true },
  ],
  [
    'gemini-3.1-pro-preview',
    { reasoning_effort: 'medium' },
    { thinkingLevel: 'MEDIUM', includeThoughts: true },
  ],
  [
    'gemini-3-pro-preview',
    { reasoning_effort: 'medium' },
    { thinkingLevel: 'HIGH', includeThoughts: true },
  ],
  [
    'gemini-flash-latest',
    { reasoning_effort: 'none' },
    { thinkingLevel: 'LOW', includeThoughts: true },
  ],
  [
    'gemini-3.5-flash',
    { reasoning: { max_tokens: 500 } },
    { thinkingBudget: 500, includeThoughts: true },
  ],
  ['gemini-3.5-flash', { reasoning: { exclude: true } }, undefined],
  ['gemini-2.5-flash', {}, { includeThoughts: true }],
  ['gemini-2.5-flash', { reasoning_effort: 'none' }, { thinkingBudget: 0 }],
  ['gemini-2.5-pro', { reasoning_effort: 'none' }, { thinkingBudget: 128, includeThoughts: true }],
  [
    'gemini-2.5-pro',
    { reasoning: { max_tokens: 99_999 } },
    { thinkingBudget: 32_768, includeThoughts: true },
  ],
  ['gemini-2.5-flash-lite', {}, undefined],
  [
    'gemini-2.5-flash-lite',
    { reasoning_effort: 'low' },
    { thinkingBudget: 1024, includeThoughts: true },
  ],
  ['gemini-2.5-flash-image', { reasoning_effort: 'low' }, undefined],
  ['gemini-2.0-flash', { reasoning_effort: 'low' }, undefined],
  ['gemma-3-27b-it', {}, undefined],
])('%s with %j gets %j', (model, given, expected) => {
  expect(bodyOf(given, { model }).generationConfig?.thinkingConfig).toEqual(expected)
})

test.each([
  ['gemini-3.5-flash', { reasoning_effort: 'none' }, ['reasoning_effort=sent_as_minimal']],
  ['gemini-3.5-flash', { reasoning_effort: 'high' }, []],
  ['gemini-2.5-pro', { reasoning_effort: 'none' }, ['reasoning_effort=sent_as_128']],
  ['gemini-2.5-pro', { reasoning: { max_tokens: 99_999 } }, ['reasoning=sent_as_32768']],
  ['gemini-2.0-flash', { reasoning_effort: 'low' }, ['reasoning_effort=left_out']],
  ['gemini-2.0-flash', { reasoning_effort: 'none' }, []],
  ['gemini-3.5-flash', { reasoning_effort: 'ultra' }, ['reasoning_effort=left_out']],
  ['gemini-3.5-flash', { seed: 2 ** 40 }, ['seed=left_out']],
  [
    'gemini-3.5-flash',
    { user: 'u', prompt_cache_key: 'k', seed: 7 },
    ['user=left_out', 'prompt_cache_key=left_out'],
  ],
  ['gemini-3.5-flash', { tools: [{ type: 'web_search' }] }, ['tools=left_out']],
])('%s reports for %j the changes %j', (model, given, expected) => {
  expect(adjustmentsOf(given, model)).toEqual(expected)
})

describe('tools', () => {
  const declared = (strict: boolean) => ({
    type: 'function',
    function: { name: 'look', parameters: { type: 'object', properties: { a: {} } }, strict },
  })

  test.each([
    [undefined, false, undefined],
    ['auto', false, undefined],
    ['auto', true, { mode: 'VALIDATED' }],
    ['none', false, { mode: 'NONE' }],
    ['required', true, { mode: 'ANY' }],
    [
      { type: 'function', function: { name: 'look' } },
      false,
      { mode: 'ANY', allowedFunctionNames: ['look'] },
    ],
    [
      {
        type: 'allowed_tools',
        allowed_tools: { mode: 'auto', tools: [{ type: 'function', function: { name: 'look' } }] },
      },
      false,
      { mode: 'VALIDATED', allowedFunctionNames: ['look'] },
    ],
  ])('the choice %j with strict %s is %j', (tool_choice, strict, expected) => {
    const { toolConfig } = bodyOf({
      tools: [declared(strict)],
      ...(tool_choice === undefined ? {} : { tool_choice }),
    })

    expect(toolConfig?.functionCallingConfig).toEqual(expected)
  })

  test('a tool of Google cannot be forced', () => {
    const tools = [declared(false), { type: 'google_search' }]

    expect(() => bodyOf({ tools, tool_choice: { type: 'google_search' } })).toThrow('cannot force')
  })

  test('Google’s own tools keep their settings, and a tool without parameters has none', () => {
    const { tools } = bodyOf({
      tools: [
        { type: 'google_search' },
        { type: 'googleMaps', googleMaps: { enableWidget: true } },
        {
          type: 'function',
          function: { name: 'now', parameters: { type: 'object', properties: {} } },
        },
        { type: 'custom', custom: { name: 'patch', description: 'Applies a patch' } },
      ],
    })

    expect(tools).toEqual([
      {
        functionDeclarations: [
          { name: 'now' },
          {
            name: 'patch',
            description: 'Applies a patch',
            parametersJsonSchema: {
              type: 'object',
              properties: { input: { type: 'string' } },
              required: ['input'],
            },
          },
        ],
      },
      { googleSearch: {} },
      { googleMaps: { enableWidget: true } },
    ])
  })
})

test('settings of the answer have Google’s names', () => {
  const body = bodyOf(
    {
      n: 2,
      seed: -5,
      top_p: 0.5,
      top_k: 3,
      stop: 'END',
      max_tokens: 9,
      logprobs: true,
      top_logprobs: 4,
      presence_penalty: 1,
      frequency_penalty: -1,
      temperature: 0,
      modalities: ['text', 'image'],
      response_format: {
        type: 'json_schema',
        json_schema: { name: 'x', schema: { type: 'object' } },
      },
      safety_settings: [{ category: 'HARM_CATEGORY_HATE_SPEECH', threshold: 'OFF' }],
    },
    { model: 'gemini-2.0-flash' },
  )

  expect(body).toMatchObject({
    safetySettings: [{ category: 'HARM_CATEGORY_HATE_SPEECH', threshold: 'OFF' }],
    generationConfig: {
      candidateCount: 2,
      seed: -5,
      topP: 0.5,
      topK: 3,
      stopSequences: ['END'],
      maxOutputTokens: 9,
      responseLogprobs: true,
      logprobs: 4,
      temperature: 0,
      presencePenalty: 1,
      frequencyPenalty: -1,
      responseModalities: ['TEXT', 'IMAGE'],
      responseMimeType: 'application/json',
      responseJsonSchema: { type: 'object' },
    },
  })
})
