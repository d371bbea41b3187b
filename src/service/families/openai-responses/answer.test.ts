import { describe, expect, test } from 'vitest'
import { readAnswer } from './answer.ts'

const response = (output: unknown[], more: object = {}) => ({
  object: 'response',
  status: 'completed',
  output,
  ...more,
})

describe('a whole answer', () => {
  test('keeps citations, token probabilities and each summary of reasoning', () => {
    const logprobs = [{ token: 'Hi', logprob: -0.1, bytes: [72, 105], top_logprobs: [] }]
    const citation = {
      type: 'url_citation',
      url: 'https://a.example',
      title: 'A',
      start_index: 0,
      end_index: 2,
    }
    const { choices } = readAnswer(
      response([
        {
          type: 'reasoning',
          id: 'rs_1',
          summary: [
            { type: 'summary_text', text: 'One.' },
            { type: 'summary_text', text: '**Two**' },
          ],
          encrypted_content: 'abc',
        },
        { type: 'reasoning', id: 'rs_2', summary: [{ type: 'summary_text', text: 'Three.' }] },
        { type: 'web_search_call', id: 'ws_1', status: 'completed' },
        {
          type: 'message',
          content: [{ type: 'output_text', text: 'Hi', annotations: [citation], logprobs }],
        },
      ]),
    )

    const { type: _type, ...url_citation } = citation
    expect(choices[0]).toMatchObject({
      delta: {
        content: 'Hi',
        reasoning_content: 'One.\n\n**Two**\n\nThree.',
        reasoning_details: [
          { type: 'reasoning.summary', summary: 'One.', id: 'rs_1', index: 0 },
          { type: 'reasoning.summary', summary: '**Two**', id: 'rs_1', index: 1 },
          { type: 'reasoning.encrypted', data: 'abc', id: 'rs_1', index: 2 },
        ],
        annotations: [{ type: 'url_citation', url_citation }],
      },
      logprobs: { content: logprobs },
      finish_reason: 'stop',
    })
  })

  test('a call of a custom tool is one of the chat form', () => {
    const call = { type: 'custom_tool_call', call_id: 'c1', name: 'sql', input: 'SELECT 1' }

    expect(readAnswer(response([call])).choices[0]).toMatchObject({
      delta: {
        tool_calls: [
          { index: 0, id: 'c1', type: 'custom', custom: { name: 'sql', input: 'SELECT 1' } },
        ],
      },
      finish_reason: 'tool_calls',
    })
  })

  test('a refusal is not content', () => {
    const message = { type: 'message', content: [{ type: 'refusal', refusal: 'No.' }] }

    const { delta } = readAnswer(response([message])).choices[0] ?? {}

    expect(delta).toEqual({ content: null, refusal: 'No.' })
  })

  test.each([
    ['rate_limit_exceeded', 'rate_limit'],
    ['invalid_prompt', 'request'],
    ['image_parse_error', 'request'],
    ['server_error', 'unavailable'],
    ['brand_new_code', 'unavailable'],
  ])('that failed with %s is %s', (code, kind) => {
    const failed = response([], { status: 'failed', error: { code, message: 'It failed.' } })

    expect(() => readAnswer(failed)).toThrow(expect.objectContaining({ kind }))
  })

  test('counts its web searches, which are billed, and not the pages that it opened', () => {
    const search = { type: 'web_search_call', action: { type: 'search', query: 'x' } }
    const older = { type: 'web_search_call' }
    const opened = { type: 'web_search_call', action: { type: 'open_page' } }
    const counts = { input_tokens: 10, output_tokens: 2, total_tokens: 12 }

    const { usage } = readAnswer(response([search, older, opened], { usage: counts }))
    const without = readAnswer(response([opened], { usage: counts }))

    expect(usage).toMatchObject({ server_tool_use: { web_search_requests: 2 } })
    expect(without.usage).not.toHaveProperty('server_tool_use')
  })

  test.each([null, 'text', {}, { object: 'chat.completion' }])('%j is no answer', (value) => {
    expect(() => readAnswer(value)).toThrow(expect.objectContaining({ kind: 'invalid_response' }))
  })
})
