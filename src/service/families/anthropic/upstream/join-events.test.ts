import { expect, test } from 'vitest'
import { joinEvents } from './join-events.ts'

test('a joined stream is the message that the API gives without streaming', () => {
  const usage = { input_tokens: 9, cache_read_input_tokens: 2, output_tokens: 1 }
  const message = { id: 'msg_1', type: 'message', role: 'assistant', content: [], usage }
  const citation = { type: 'web_search_result_location', url: 'https://a.example' }
  const results = { type: 'web_search_tool_result', tool_use_id: 'srv_1', content: [{ url: 'x' }] }
  const delta = (index: number, value: object) => ({
    type: 'content_block_delta',
    index,
    delta: value,
  })
  const start = (index: number, content_block: object) => ({
    type: 'content_block_start',
    index,
    content_block,
  })

  const joined = joinEvents(
    [
      { type: 'message_start', message },
      start(0, { type: 'thinking', thinking: '', signature: '' }),
      delta(0, { type: 'thinking_delta', thinking: 'Let me ' }),
      delta(0, { type: 'thinking_delta', thinking: 'see.' }),
      delta(0, { type: 'signature_delta', signature: 'c2ln' }),
      { type: 'content_block_stop', index: 0 },
      { type: 'ping' },
      start(1, results),
      start(2, { type: 'text', text: '' }),
      delta(2, { type: 'text_delta', text: 'It ' }),
      delta(2, { type: 'citations_delta', citation }),
      delta(2, { type: 'text_delta', text: 'rains.' }),
      start(3, { type: 'tool_use', id: 'tool_1', name: 'look', input: {} }),
      delta(3, { type: 'input_json_delta', partial_json: '{"city":' }),
      delta(3, { type: 'input_json_delta', partial_json: '"Rome"}' }),
      start(4, { type: 'tool_use', id: 'tool_2', name: 'now', input: {} }),
      {
        type: 'message_delta',
        delta: { stop_reason: 'tool_use', stop_sequence: null },
        usage: { output_tokens: 40, input_tokens: null },
        context_management: { applied_edits: [] },
      },
      { type: 'message_stop' },
    ].map((event) => JSON.stringify(event)),
  )

  expect(JSON.parse(joined)).toEqual({
    ...message,
    content: [
      { type: 'thinking', thinking: 'Let me see.', signature: 'c2ln' },
      results,
      { type: 'text', text: 'It rains.', citations: [citation] },
      { type: 'tool_use', id: 'tool_1', name: 'look', input: { city: 'Rome' } },
      { type: 'tool_use', id: 'tool_2', name: 'now', input: {} },
    ],
    stop_reason: 'tool_use',
    stop_sequence: null,
    usage: { input_tokens: 9, cache_read_input_tokens: 2, output_tokens: 40 },
    context_management: { applied_edits: [] },
  })
})

test('a block with a high number takes no more memory than any other', () => {
  const block = { type: 'text', text: 'Hi' }
  const start = { type: 'content_block_start', index: 4_000_000_000, content_block: block }

  expect(JSON.parse(joinEvents([JSON.stringify(start)]))).toEqual({ content: [block] })
})

test('long numbers of fields and of a call’s input keep their digits', () => {
  const long = '12345678901234567890'
  const piece = JSON.stringify(`{"id":${long}}`)

  const joined = joinEvents([
    `{"type":"message_start","message":{"own":${long}}}`,
    '{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","input":{}}}',
    `{"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":${piece}}}`,
  ])

  expect(joined).toContain(`"own":${long}`)
  expect(joined).toContain(`"input":{"id":${long}}`)
})
