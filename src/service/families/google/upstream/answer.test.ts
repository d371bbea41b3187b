/** Gemini's answers in the inner form. The suite of all wires checks texts, calls, counts and reasons. */
import { describe, expect, test } from 'vitest'
import { joinChunks } from '../../../providers/provider.ts'
import { AnswerReader } from './answer.ts'

const reader = (customTools: string[] = []) => new AnswerReader(new Set(customTools))

function answerWith(parts: object[], more: object = {}, responseId = 'r1') {
  const content = { role: 'model', parts }
  return { candidates: [{ content, index: 0, ...more }], responseId }
}

function deltasOf(parts: object[], more: object = {}) {
  return reader()
    .read(answerWith(parts, more))
    .choices.map(({ delta }) => delta)
}

describe('a call', () => {
  const called = { functionCall: { name: 'look', args: { a: 1 } } }

  test('keeps Google’s id, or gets one that differs between answers and between calls', () => {
    const ids = (answer: object) =>
      reader()
        .read(answer)
        .choices.flatMap(({ delta }) => delta.tool_calls?.map(({ id }) => id))

    expect(ids(answerWith([{ functionCall: { id: 'g1', name: 'look' } }]))).toEqual(['g1'])
    expect(ids(answerWith([called, called]))).toEqual(['call_r1_0', 'call_r1_1'])
    expect(ids(answerWith([called], {}, 'r2'))).toEqual(['call_r2_0'])
    expect(ids(answerWith([called], {}, ''))).toEqual(ids(answerWith([called], {}, '')))
  })

  test('in one event and the end in the next one is tool_calls', async () => {
    const events = reader()
    const chunk = events.append(null, JSON.stringify(answerWith([called])))
    const end = events.append(
      null,
      JSON.stringify(answerWith([{ text: '' }], { finishReason: 'STOP' })),
    )

    expect(chunk?.choices.at(-1)?.finish_reason).toBeNull()
    expect(end?.choices).toEqual([{ index: 0, delta: {}, finish_reason: 'tool_calls' }])
  })

  test('of a custom tool has its input as text', () => {
    const answer = answerWith([{ functionCall: { name: 'patch', args: { input: '*** Begin' } } }])

    const [choice] = reader(['patch']).read(answer).choices

    expect(choice?.delta.tool_calls).toEqual([
      { index: 0, id: 'call_r1_0', type: 'custom', custom: { name: 'patch', input: '*** Begin' } },
    ])
  })
})

test('signatures are items of reasoning_details with the ids of their calls', () => {
  const deltas = deltasOf([
    { text: 'Hm', thought: true },
    { text: ', yes.', thought: true },
    { text: 'Hi.', thoughtSignature: 'T' },
    { functionCall: { id: 'x', name: 'look' }, thoughtSignature: 'C' },
    { text: '', thoughtSignature: 'E' },
  ])

  const format = 'google-gemini-v1'
  expect(deltas.flatMap((delta) => delta['reasoning_details'])).toEqual([
    { type: 'reasoning.text', text: 'Hm', format, index: 0 },
    { type: 'reasoning.text', text: ', yes.', format, index: 0 },
    { type: 'reasoning.encrypted', data: 'T', format, index: 1 },
    { type: 'reasoning.encrypted', data: 'C', id: 'x', format, index: 2 },
    { type: 'reasoning.encrypted', data: 'E', format, index: 3 },
  ])
  expect(deltas.map(({ reasoning_content: text }) => text)).toEqual([
    'Hm',
    ', yes.',
    undefined,
    undefined,
    undefined,
  ])
})

test('pictures and the steps of code execution are passed on', () => {
  expect(
    deltasOf([
      { inlineData: { mimeType: 'image/png', data: 'AAAA' } },
      { inlineData: { mimeType: 'image/png', data: 'BBBB' }, thought: true },
      { executableCode: { language: 'PYTHON', code: '1+1' } },
      { codeExecutionResult: { outcome: 'OUTCOME_OK', output: '2' } },
    ]),
  ).toEqual([
    { images: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' }, index: 0 }] },
    { code_execution: [{ executableCode: { language: 'PYTHON', code: '1+1' }, index: 0 }] },
    { code_execution: [{ codeExecutionResult: { outcome: 'OUTCOME_OK', output: '2' }, index: 1 }] },
  ])
})

describe('sources', () => {
  const groundingMetadata = {
    groundingChunks: [{ web: { uri: 'https://a.example', title: 'A' } }, { web: {} }],
    groundingSupports: [
      { segment: { startIndex: 3, endIndex: 8 }, groundingChunkIndices: [0, 1, 7] },
    ],
  }

  test('are annotations whose positions are characters, not bytes', () => {
    const deltas = deltasOf([{ text: 'Ü2345678' }], { groundingMetadata })

    expect(deltas.at(-1)?.['annotations']).toEqual([
      {
        type: 'url_citation',
        url_citation: { url: 'https://a.example', title: 'A', start_index: 2, end_index: 7 },
      },
    ])
  })

  test('that a stream repeats are passed on once', () => {
    const events = reader()
    const first = events.read(answerWith([{ text: '12345678' }], { groundingMetadata }))
    const second = events.read(answerWith([{ text: '9' }], { groundingMetadata }))

    expect(first.choices).toHaveLength(2)
    expect(second.choices).toHaveLength(1)
  })
})

test('log probabilities have OpenAI’s form', () => {
  const logprobsResult = {
    chosenCandidates: [{ token: 'ü', logProbability: -0.5 }],
    topCandidates: [{ candidates: [{ token: 'u', logProbability: -2 }] }],
  }

  const [choice] = reader().read(answerWith([{ text: 'ü' }], { logprobsResult })).choices

  expect(choice?.logprobs).toEqual({
    content: [
      {
        token: 'ü',
        logprob: -0.5,
        bytes: [195, 188],
        top_logprobs: [{ token: 'u', logprob: -2, bytes: [117] }],
      },
    ],
    refusal: null,
  })
})

describe('counts', () => {
  const usageOf = (usageMetadata: object) => reader().read({ usageMetadata }).usage

  test('include thoughts in the output and the results of Google’s tools in the prompt', () => {
    expect(
      usageOf({
        promptTokenCount: 55,
        candidatesTokenCount: 51,
        totalTokenCount: 251,
        toolUsePromptTokenCount: 89,
        thoughtsTokenCount: 56,
        cachedContentTokenCount: 40,
        promptTokensDetails: [
          { modality: 'TEXT', tokenCount: 45 },
          { modality: 'AUDIO', tokenCount: 10 },
        ],
      }),
    ).toEqual({
      prompt_tokens: 144,
      completion_tokens: 107,
      total_tokens: 251,
      prompt_tokens_details: { cached_tokens: 40, audio_tokens: 10 },
      completion_tokens_details: { reasoning_tokens: 56 },
    })
  })

  test('of 0, which Google leaves out, are 0; without the prompt’s count, nothing was reported', () => {
    expect(usageOf({ promptTokenCount: 6 })).toMatchObject({ completion_tokens: 0 })
    expect(usageOf({ candidatesTokenCount: 6 })).toBeNull()
    expect(usageOf({ promptTokenCount: -1 })).toBeNull()
  })
})

test('a blocked prompt ends with content_filter and Google’s reason', () => {
  const usageMetadata = { promptTokenCount: 9 }
  const promptFeedback = { blockReason: 'PROHIBITED_CONTENT' }

  expect(reader().read({ promptFeedback, usageMetadata })).toMatchObject({
    choices: [
      { finish_reason: 'content_filter', native_finish_reason: 'PROHIBITED_CONTENT', delta: {} },
    ],
    usage: { prompt_tokens: 9 },
  })
})

test('each of several candidates has its own calls and end', async () => {
  const events = reader()
  const candidate = (index: number, part: object, more: object = {}) => ({
    content: { parts: [part] },
    index,
    ...more,
  })
  async function* chunks() {
    yield events.read({
      candidates: [candidate(0, { text: 'a' }), candidate(1, { functionCall: { name: 'f' } })],
    })
    yield events.read({
      candidates: [
        candidate(1, { text: '' }, { finishReason: 'STOP' }),
        candidate(0, { text: 'b' }, { finishReason: 'STOP' }),
      ],
    })
  }

  const { choices } = await joinChunks(chunks())

  expect(choices.map(({ index, finish_reason }) => [index, finish_reason])).toEqual([
    [0, null],
    [1, null],
    [1, 'tool_calls'],
    [0, 'stop'],
  ])
})

test('the first events of a stream have text and no count of it, which is not 0', () => {
  const events = reader()
  const first = { ...answerWith([{ text: 'Hel' }]), usageMetadata: { promptTokenCount: 9 } }
  const last = {
    ...answerWith([{ text: 'lo' }], { finishReason: 'STOP' }),
    usageMetadata: { promptTokenCount: 9 },
  }

  expect(events.read(first)).toMatchObject({ usage: null, earlyUsage: { prompt_tokens: 9 } })
  expect(events.read(last).usage).toMatchObject({ prompt_tokens: 9, completion_tokens: 0 })
})

test.each([
  [429, 'RESOURCE_EXHAUSTED', 'rate_limit'],
  [400, 'INVALID_ARGUMENT', 'request'],
])(
  'an error %i in an answer is told by its code, and its text is only for the caller',
  (code, status, kind) => {
    const error = { code, message: 'AIza-key is wrong, sir', status }

    expect(() => reader().read({ error })).toThrow(
      expect.objectContaining({
        kind,
        message: expect.not.stringContaining('sir'),
        upstreamMessage: 'AIza-key is wrong, sir',
      }),
    )
  },
)
