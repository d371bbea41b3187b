import { describe, expect, test } from 'vitest'
import { sampleRouter } from '../../../../test/storage/samples.ts'
import type { WireFields } from '../../../shared/chat/chat.ts'
import type { ChatCall } from '../chat-call.ts'
import { billedLater, boundCall } from './billed-later.ts'

const messages = [{ role: 'user' as const, content: 'Hello' }]

function call(body: object, original?: ChatCall['original']): ChatCall {
  return {
    requestId: 'r',
    router: sampleRouter(),
    body: { messages, ...body },
    apiKeyId: null,
    source: 'api',
    acceptAnyModel: false,
    client: null,
    cacheUse: 'none',
    original,
  }
}

/** A request that arrived in another form. */
function originalCall(fields: WireFields, more: Partial<ChatCall['original']> = {}): ChatCall {
  return call(
    {},
    {
      wire: 'w',
      text: JSON.stringify(fields),
      fields,
      headers: {},
      leftOut: [],
      notForwarded: [],
      required: null,
      stateField: null,
      conversation: null,
      ...more,
    },
  )
}

const search = { type: 'web_search_20250305', name: 'web_search' }
const own = { type: 'function', name: 'f' }

describe('what a request refers to and does not show', () => {
  test.each<[string, ChatCall, string | null]>([
    ['nothing', call({}), null],
    ['a stored answer', originalCall({ previous_response_id: 'resp_1' }), 'previous_response_id'],
    ['a stored conversation', originalCall({ conversation: { id: 'c' } }), 'conversation'],
    ['a stored prompt', originalCall({ prompt: { id: 'p' } }), 'prompt'],
    ['Gemini’s cache', originalCall({ cachedContent: 'cachedContents/1' }), 'cachedContent'],
    [
      'an item that Modelport does not read',
      originalCall({}, { leftOut: [{ parameter: 'input', change: 'left_out', reason: '' }] }),
      'input',
    ],
    [
      'a part that Modelport does not read',
      call({ messages: [{ role: 'user', content: [{ type: 'thing' }] }] }),
      'messages[0].content[0]',
    ],
    [
      'an earlier answer in sound',
      call({ messages: [...messages, { role: 'assistant', content: null, audio: { id: 'a' } }] }),
      'messages[1].audio',
    ],
    [
      'an image, which has bounds of its own',
      call({ messages: [{ role: 'user', content: [{ type: 'image_url', image_url: 'x' }] }] }),
      null,
    ],
  ])('%s', (_what, asked, field) => {
    expect(billedLater(asked).unread).toBe(field)
  })

  test('text beside the messages is counted', () => {
    const schema = { type: 'json_schema', json_schema: { name: 'x'.repeat(36_000) } }

    expect(billedLater(call({})).textTokens).toBeLessThan(10)
    expect(billedLater(call({ response_format: schema })).textTokens).toBeGreaterThan(10_000)
    expect(billedLater(originalCall({ any: 'x'.repeat(36_000) })).textTokens).toBeGreaterThan(9_999)
  })

  test('calls and reasoning of earlier answers are counted beside it', () => {
    const named = { name: 'f', arguments: 'x'.repeat(36_000) }
    const calls = [{ id: 'c', type: 'function', function: named }]
    const answer = {
      role: 'assistant',
      content: null,
      tool_calls: calls,
      reasoning: 'x'.repeat(3_600),
    }
    const schema = { type: 'json_object', more: 'x'.repeat(3_600) }
    const asked = call({ messages: [...messages, answer], response_format: schema })

    expect(billedLater(asked).textTokens).toBeGreaterThan(12_000)
  })

  test.each([
    ['日本語の文章です', 8],
    ['Это русский текст', 8],
    ['👍🎉🚀🔥', 4],
  ])('letters such as %s count as more tokens than Latin ones', (text, tokens) => {
    const asked = call({ messages: [{ role: 'user', content: text.repeat(100) }] })

    // A reservation adds a quarter.
    expect(billedLater(asked).textTokens * 1.25).toBeGreaterThan(tokens * 100)
  })

  test('images and files are not counted as text', () => {
    const url = `data:image/png;base64,${'A'.repeat(36_000)}`
    const content = [{ type: 'image_url', image_url: { url } }]
    const asked = originalCall({ messages: [{ role: 'user', content }] })
    asked.body = { messages: [{ role: 'user', content }] }

    expect(billedLater(asked).textTokens).toBeLessThan(100)
  })
})

describe('tools that run at the vendor', () => {
  test.each<[string, WireFields, number, number]>([
    ['none', { tools: [own] }, 1, 0],
    ['a search with its own limit', { tools: [{ ...search, max_uses: 3 }] }, 4, 30_000_000],
    [
      'two that share a limit',
      { tools: [{ type: 'web_search' }, { type: 'web_search_preview' }], max_tool_calls: 2 },
      3,
      50_000_000,
    ],
    ['one without a fee', { tools: [{ type: 'web_fetch_20250910' }] }, 11, 0],
    ['a summary of the conversation', { context_management: [{ type: 'compaction' }] }, 2, 0],
    ['edits of the conversation', { context_management: { edits: [{ type: 'clear' }] } }, 1, 0],
  ])('%s', (_what, fields, readings, feesNanoUsd) => {
    expect(billedLater(originalCall(fields))).toMatchObject({ readings, feesNanoUsd })
  })

  test.each<[string, WireFields, WireFields]>([
    ['a search without a limit', { tools: [own, search] }, { tools: [own] }],
    ['the choice with the last tool', { tools: [search], tool_choice: { type: 'auto' } }, {}],
    [
      'a tool without a known price, with a limit',
      { tools: [{ type: 'code_interpreter' }, own], max_tool_calls: 1 },
      { tools: [own], max_tool_calls: 1 },
    ],
    [
      'Gemini’s own tools',
      { tools: [{ googleSearch: {}, functionDeclarations: [] }, { codeExecution: {} }] },
      { tools: [{ functionDeclarations: [] }] },
    ],
    ['servers of tools', { mcp_servers: [{ url: 'x' }], container: 'c', x: 1 }, { x: 1 }],
    [
      'tools inside the input',
      { input: [{ type: 'additional_tools', tools: [own, { type: 'web_search' }] }, { a: 1 }] },
      { input: [{ type: 'additional_tools', tools: [own] }, { a: 1 }] },
    ],
    [
      'nothing of tools that the caller runs',
      { tools: [{ type: 'computer_20250124' }, { type: 'shell' }, { name: 'Read' }] },
      { tools: [{ type: 'computer_20250124' }, { type: 'shell' }, { name: 'Read' }] },
    ],
  ])('leaves out %s', (_what, fields, sent) => {
    const { original } = boundCall(originalCall(fields))

    expect(JSON.parse(original?.text ?? '')).toEqual(sent)
    expect(original?.fields).toEqual(sent)
    expect(original?.notForwarded).toHaveLength(Number(JSON.stringify(fields) !== original?.text))
  })

  test('are left out of a chat, and the change is reported', () => {
    const bound = boundCall(call({ tools: [{ type: 'web_search' }], tool_choice: 'auto' }))

    expect(bound.body).toEqual({ messages })
    expect(bound.leftOut).toMatchObject([{ parameter: 'tools', change: 'left_out' }])
  })

  test('a request without them stays as it is', () => {
    const asked = originalCall({ tools: [own, { ...search, max_uses: 1 }] })

    expect(boundCall(asked)).toBe(asked)
  })
})

test.each<[string, ChatCall, string]>([
  [
    'a forced tool',
    originalCall({ tools: [search] }, { required: { param: 'tool_choice', reason: '' } }),
    'tools',
  ],
  [
    'a tool that a chat forces',
    call({ tools: [{ type: 'web_search' }], tool_choice: 'required' }),
    'tools',
  ],
  ['a search', call({ search_parameters: { mode: 'on' } }), 'search_parameters'],
  ['servers of tools of a chat', call({ mcp_servers: [{ url: 'x' }] }), 'mcp_servers'],
  ['sound', call({ modalities: ['text', 'audio'] }), 'modalities'],
  [
    'pictures',
    originalCall({ generationConfig: { responseModalities: ['IMAGE'] } }),
    'generationConfig.responseModalities',
  ],
  ['an unclear number of answers', call({ best_of: '20' }), 'best_of'],
])('%s is refused where a budget applies', (_what, asked, param) => {
  expect(() => boundCall(asked)).toThrow(
    expect.objectContaining({ code: 'invalid_parameter', param }),
  )
})
