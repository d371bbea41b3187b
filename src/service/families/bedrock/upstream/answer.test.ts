/** Answers of Converse, where they hold more than the suite of all wires checks. */
import { expect, test } from 'vitest'
import { joinChunks, type ProviderChunk } from '../../../providers/provider.ts'
import { ConverseReader, readAnswer } from './answer.ts'

const options = { customTools: new Set(['run']), isClaude: true }

function whole(content: object[], given = options) {
  const { choices } = readAnswer(
    { output: { message: { content } }, stopReason: 'end_turn' },
    given,
  )
  return choices.map(({ delta }) => delta).slice(0, -1)
}

async function streamed(events: readonly object[], given = options): Promise<ProviderChunk> {
  const reader = new ConverseReader(given)
  async function* chunks() {
    for (const event of events) {
      const chunk = reader.append(null, JSON.stringify(event))
      if (chunk !== null) yield chunk
    }
  }
  return joinChunks(chunks())
}

const delta = (contentBlockIndex: number, given: object) => ({
  contentBlockDelta: { contentBlockIndex, delta: given },
})

const details = [
  {
    type: 'reasoning.text',
    text: 'Hm',
    signature: 'c2ln',
    format: 'anthropic-claude-v1',
    index: 0,
  },
]
const encrypted = {
  type: 'reasoning.encrypted',
  data: 'ZGF0YQ==',
  format: 'anthropic-claude-v1',
  index: 1,
}

test('Claude’s reasoning comes with what the model needs back', () => {
  const content = [
    { reasoningContent: { reasoningText: { text: 'Hm', signature: 'c2ln' } } },
    { reasoningContent: { redactedContent: 'ZGF0YQ==' } },
  ]

  expect(whole(content)).toEqual([
    { reasoning_content: 'Hm', reasoning_details: details },
    { reasoning_details: [encrypted] },
  ])
})

test('reasoning of other models is text only', () => {
  const content = [{ reasoningContent: { reasoningText: { text: 'Hm' } } }]

  expect(whole(content, { ...options, isClaude: false })).toEqual([{ reasoning_content: 'Hm' }])
})

test('pieces of one reasoning block have its index', async () => {
  const chunk = await streamed([
    delta(0, { reasoningContent: { text: 'H' } }),
    delta(0, { reasoningContent: { text: 'm' } }),
    delta(0, { reasoningContent: { signature: 'c2ln' } }),
    delta(1, { reasoningContent: { redactedContent: 'ZGF0YQ==' } }),
  ])

  const pieces = chunk.choices.map((choice) => choice.delta['reasoning_details'])
  expect(pieces).toEqual([
    [{ type: 'reasoning.text', text: 'H', format: 'anthropic-claude-v1', index: 0 }],
    [{ type: 'reasoning.text', text: 'm', format: 'anthropic-claude-v1', index: 0 }],
    [
      {
        type: 'reasoning.text',
        text: '',
        signature: 'c2ln',
        format: 'anthropic-claude-v1',
        index: 0,
      },
    ],
    [encrypted],
  ])
})

test('a custom tool’s input is one text', async () => {
  const toolUse = { toolUseId: 'c1', name: 'run' }
  const expected = [
    { index: 0, id: 'c1', type: 'custom', custom: { name: 'run', input: '' } },
    { index: 0, custom: { input: 'ls -l' } },
  ]

  const chunk = await streamed([
    { contentBlockStart: { contentBlockIndex: 0, start: { toolUse } } },
    delta(0, { toolUse: { input: '{"input":' } }),
    delta(0, { toolUse: { input: '"ls -l"}' } }),
    { contentBlockStop: { contentBlockIndex: 0 } },
  ])

  expect(chunk.choices.flatMap((choice) => choice.delta.tool_calls ?? [])).toEqual(expected)
  const deltas = whole([{ toolUse: { ...toolUse, input: { input: 'ls -l' } } }])
  expect(deltas.flatMap(({ tool_calls }) => tool_calls ?? [])).toEqual(expected)
})

test('calls of AWS’s own tools are not the caller’s', () => {
  const toolUse = { toolUseId: 's', name: 'nova_grounding', type: 'server_tool_use', input: {} }

  expect(
    whole([{ toolUse }, { toolResult: { toolUseId: 's', content: [] } }, { text: 'Yes' }]),
  ).toEqual([{ content: 'Yes' }])
})

test('cited text is text, and a web page is OpenAI’s citation', () => {
  const citations = [{ title: 'A', location: { web: { url: 'https://a.example' } } }]

  expect(whole([{ citationsContent: { content: [{ text: 'Yes' }], citations } }])).toEqual([
    { content: 'Yes' },
    {
      annotations: [
        { type: 'url_citation', url_citation: { url: 'https://a.example', title: 'A' } },
      ],
    },
  ])
})

test('cache writes of an hour are counted apart, because they cost more', () => {
  const usage = {
    inputTokens: 10,
    outputTokens: 5,
    totalTokens: 1_015,
    cacheReadInputTokens: 600,
    cacheWriteInputTokens: 400,
    cacheDetails: [
      { ttl: '1h', inputTokens: 300 },
      { ttl: '5m', inputTokens: 100 },
    ],
  }

  expect(readAnswer({ output: { message: { content: [] } }, usage }, options).usage).toEqual({
    prompt_tokens: 1_010,
    completion_tokens: 5,
    total_tokens: 1_015,
    prompt_tokens_details: {
      cached_tokens: 600,
      cache_write_tokens: 400,
      cache_write_1h_tokens: 300,
    },
  })
})

test('an event newer than this program is ignored', async () => {
  expect(
    await streamed([{ messageStart: { role: 'assistant' } }, { novelty: { text: 'x' } }]),
  ).toEqual({
    choices: [],
    usage: null,
  })
})

test('an exception within a stream keeps its name and its words', async () => {
  const exception = { throttlingException: { message: 'Too many tokens, please wait.' } }

  await expect(streamed([delta(0, { text: 'Hi' }), exception])).rejects.toMatchObject({
    kind: 'rate_limit',
    upstreamMessage: 'Too many tokens, please wait.',
    vendor: { type: 'throttlingException' },
  })
})
