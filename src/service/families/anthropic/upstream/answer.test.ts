/** Tests what a whole message and the events of a stream mean in OpenAI's form. */
import { describe, expect, test } from 'vitest'
import { wholeAnswer } from '../../../chat/answer/collect.ts'
import type { ProviderChunk } from '../../../providers/provider.ts'
import { MessageReader, readMessage } from './answer.ts'

const usage = {
  input_tokens: 10,
  output_tokens: 7,
  cache_read_input_tokens: 100,
  cache_creation_input_tokens: 30,
  cache_creation: { ephemeral_5m_input_tokens: 10, ephemeral_1h_input_tokens: 20 },
  output_tokens_details: { thinking_tokens: 3 },
  server_tool_use: null,
  service_tier: 'standard',
}
const model = 'claude-sonnet-4-5'
const none: ReadonlySet<string> = new Set()

function message(content: object[], more: object = {}) {
  return {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'claude-sonnet-4-5',
    content,
    stop_reason: 'end_turn',
    stop_sequence: null,
    usage,
    ...more,
  }
}

function readWhole(content: object[], more: object = {}, customTools = none) {
  const { choices, usage: counted } = wholeAnswer(
    readMessage(message(content, more), { model, customTools }),
  )
  const [choice] = choices
  return { ...choice, usage: counted }
}

function readStream(events: object[], customTools = none) {
  const reader = new MessageReader({ model, customTools })
  let chunk: ProviderChunk | null = null
  for (const event of events) chunk = reader.append(chunk, JSON.stringify(event))
  return chunk ?? { choices: [], usage: null }
}

const start = (index: number, content_block: object) => ({
  type: 'content_block_start',
  index,
  content_block,
})
const delta = (index: number, piece: object) => ({
  type: 'content_block_delta',
  index,
  delta: piece,
})
const stop = (index: number) => ({ type: 'content_block_stop', index })
const begin = {
  type: 'message_start',
  message: message([], { stop_reason: null, usage: { ...usage, output_tokens: 1 } }),
}
const end = (stop_reason: string, more: object = {}) => ({
  type: 'message_delta',
  delta: { stop_reason, stop_sequence: null, ...more },
  usage: { output_tokens: 7, input_tokens: null },
})

describe('A whole message', () => {
  test('has its texts, thinking, tool calls and every class of tokens', () => {
    const read = readWhole(
      [
        { type: 'thinking', thinking: 'Hm.', signature: 'sig' },
        { type: 'redacted_thinking', data: 'opaque' },
        { type: 'text', text: 'I look.', citations: null },
        { type: 'tool_use', id: 'toolu_1', name: 'weather', input: { city: 'Paris' } },
        { type: 'tool_use', id: 'toolu_2', name: 'time', input: {}, caller: { type: 'direct' } },
      ],
      { stop_reason: 'tool_use' },
    )

    expect(read).toEqual({
      index: 0,
      logprobs: null,
      finish_reason: 'tool_calls',
      message: {
        role: 'assistant',
        refusal: null,
        content: 'I look.',
        reasoning_content: 'Hm.',
        reasoning_details: [
          {
            type: 'reasoning.text',
            text: 'Hm.',
            signature: 'sig',
            format: 'anthropic-claude-v1',
            model,
            index: 0,
          },
          {
            type: 'reasoning.encrypted',
            data: 'opaque',
            format: 'anthropic-claude-v1',
            model,
            index: 1,
          },
        ],
        tool_calls: [
          {
            id: 'toolu_1',
            type: 'function',
            function: { name: 'weather', arguments: '{"city":"Paris"}' },
          },
          { id: 'toolu_2', type: 'function', function: { name: 'time', arguments: '{}' } },
        ],
      },
      usage: {
        prompt_tokens: 140,
        completion_tokens: 7,
        total_tokens: 147,
        prompt_tokens_details: {
          cached_tokens: 100,
          cache_write_tokens: 30,
          cache_write_1h_tokens: 20,
        },
        completion_tokens_details: { reasoning_tokens: 3 },
        service_tier: 'standard',
      },
    })
  })

  test('counts the tokens of a compaction, which the main counts leave out', () => {
    const own = {
      input_tokens: 23_000,
      output_tokens: 1_000,
      cache_read_input_tokens: 100,
      cache_creation_input_tokens: 0,
    }
    const summary = { ...own, type: 'compaction', input_tokens: 180_000, output_tokens: 3_500 }
    const iterations = [summary, { ...own, type: 'message' }]

    expect(readWhole([], { usage: { ...own, iterations } }).usage).toMatchObject({
      prompt_tokens: 203_200,
      completion_tokens: 4_500,
      prompt_tokens_details: { cached_tokens: 200 },
    })
    const stream = readStream([
      { type: 'message_start', message: message([], { usage: own }) },
      { ...end('end_turn'), usage: { output_tokens: 1_000, iterations } },
    ])
    expect(stream.usage).toMatchObject({ prompt_tokens: 203_200, completion_tokens: 4_500 })
  })

  test('has citations as annotations of the cited stretch', () => {
    const web = {
      type: 'web_search_result_location',
      url: 'https://a.example',
      title: 'A',
      cited_text: 'sunny',
      encrypted_index: 'x',
    }
    const page = {
      type: 'page_location',
      document_index: 0,
      cited_text: 'wet',
      start_page_number: 1,
    }

    const { message: read } = readWhole([
      { type: 'text', text: 'Weather: ' },
      { type: 'server_tool_use', id: 's', name: 'web_search', input: { query: 'Paris' } },
      { type: 'web_search_tool_result', tool_use_id: 's', content: [] },
      { type: 'text', text: 'sunny', citations: [web] },
      { type: 'text', text: ' or wet', citations: [page] },
    ])

    expect(read?.content).toBe('Weather: sunny or wet')
    expect(read?.['annotations']).toEqual([
      {
        type: 'url_citation',
        url_citation: {
          url: 'https://a.example',
          title: 'A',
          cited_text: 'sunny',
          start_index: 9,
          end_index: 14,
        },
      },
      { ...page, start_index: 14, end_index: 21 },
    ])
  })

  test('gives a custom tool its text', () => {
    const input = { input: '*** Begin Patch' }
    const content = [{ type: 'tool_use', id: 't', name: 'patch', input }]

    const { message: read } = readWhole(content, {}, new Set(['patch']))

    expect(read?.tool_calls).toEqual([
      { id: 't', type: 'custom', custom: { name: 'patch', input: '*** Begin Patch' } },
    ])
  })

  test.each([
    ['end_turn', 'stop'],
    ['stop_sequence', 'stop'],
    ['max_tokens', 'length'],
    ['model_context_window_exceeded', 'length'],
    ['refusal', 'content_filter'],
    ['pause_turn', 'pause_turn'],
    ['of_next_year', 'of_next_year'],
  ])('that ended with %s finishes with %s', (stop_reason, expected) => {
    expect(readWhole([{ type: 'text', text: 'Hi' }], { stop_reason }).finish_reason).toBe(expected)
  })

  test('names its stop sequence and explains its refusal', () => {
    const details = { type: 'refusal', category: 'cyber', explanation: 'Not this.' }

    expect(readWhole([], { stop_reason: 'stop_sequence', stop_sequence: 'END' })).toMatchObject({
      stop_sequence: 'END',
    })
    expect(readWhole([], { stop_reason: 'refusal', stop_details: details })).toMatchObject({
      message: { refusal: 'Not this.' },
      stop_details: details,
    })
  })
})

describe('A stream', () => {
  test('gives each piece as it arrives, and the counts at its end', () => {
    const chunk = readStream([
      begin,
      { type: 'ping' },
      start(0, { type: 'thinking', thinking: '', signature: '' }),
      delta(0, { type: 'thinking_delta', thinking: 'Hm.' }),
      delta(0, { type: 'signature_delta', signature: 'sig' }),
      stop(0),
      start(1, { type: 'text', text: '' }),
      delta(1, { type: 'text_delta', text: 'I ' }),
      delta(1, { type: 'text_delta', text: 'look.' }),
      stop(1),
      start(2, { type: 'tool_use', id: 'toolu_1', name: 'weather', input: {} }),
      delta(2, { type: 'input_json_delta', partial_json: '' }),
      delta(2, { type: 'input_json_delta', partial_json: '{"city":' }),
      delta(2, { type: 'input_json_delta', partial_json: '"Paris"}' }),
      stop(2),
      start(3, { type: 'tool_use', id: 'toolu_2', name: 'time', input: {} }),
      stop(3),
      end('tool_use'),
    ])

    expect(chunk.choices.map(({ delta: piece }) => piece)).toEqual([
      {
        reasoning_content: 'Hm.',
        reasoning_details: [
          { type: 'reasoning.text', text: 'Hm.', format: 'anthropic-claude-v1', model, index: 0 },
        ],
      },
      {
        reasoning_details: [
          {
            type: 'reasoning.text',
            text: '',
            signature: 'sig',
            format: 'anthropic-claude-v1',
            model,
            index: 0,
          },
        ],
      },
      { content: 'I ' },
      { content: 'look.' },
      {
        tool_calls: [
          {
            index: 0,
            id: 'toolu_1',
            type: 'function',
            function: { name: 'weather', arguments: '' },
          },
        ],
      },
      { tool_calls: [{ index: 0, function: { arguments: '{"city":' } }] },
      { tool_calls: [{ index: 0, function: { arguments: '"Paris"}' } }] },
      {
        tool_calls: [
          { index: 1, id: 'toolu_2', type: 'function', function: { name: 'time', arguments: '' } },
        ],
      },
      { tool_calls: [{ index: 1, function: { arguments: '{}' } }] },
      {},
    ])
    expect(chunk.choices.at(-1)?.finish_reason).toBe('tool_calls')
    expect(chunk.usage).toMatchObject({ prompt_tokens: 140, completion_tokens: 7 })
  })

  test('without its last message_delta has no finish reason', () => {
    const chunk = readStream([
      begin,
      start(0, { type: 'text', text: '' }),
      delta(0, { type: 'text_delta', text: 'Hi' }),
    ])

    expect(chunk.choices.every(({ finish_reason }) => finish_reason === null)).toBe(true)
  })

  test('ends with message_stop, not with a text that names it', () => {
    const reader = new MessageReader({ model, customTools: none })

    expect(reader.isEnd('{"type":"message_stop"}')).toBe(true)
    expect(
      reader.isEnd(JSON.stringify(delta(0, { type: 'text_delta', text: 'message_stop' }))),
    ).toBe(false)
  })

  test.each([
    ['overloaded_error', 'unavailable'],
    ['api_error', 'unavailable'],
    ['rate_limit_error', 'rate_limit'],
    ['of_next_year', 'unavailable'],
  ])('reports an error event of the type %s as %s', (type, kind) => {
    const event = { type: 'error', error: { type, message: 'secret text' } }

    expect(() => readStream([begin, event])).toThrow(
      expect.objectContaining({ kind, message: expect.not.stringContaining('secret') }),
    )
  })

  test('ignores events newer than this program', () => {
    expect(readStream([{ type: 'of_next_year' }])).toEqual({ choices: [], usage: null })
  })
})
