/** Tool calls as upstreams stream them, and as callers receive them. */
import { ChatCompletionStream } from 'openai/lib/ChatCompletionStream'
import { expect, test } from 'vitest'
import type { ChunkChoice, FinishReason } from '../../../shared/chat/chat.ts'
import type { UpstreamToolCall } from '../../providers/provider.ts'
import { newToolCallId, ToolCallNormalizer } from './tool-calls.ts'

interface CleanCall {
  id: string
  name: string
  arguments: string
}
type Delta = UpstreamToolCall

const rome: CleanCall = { id: 'call_a', name: 'weather', arguments: '{"city":"Rome"}' }
const oslo: CleanCall = { id: 'call_b', name: 'weather', arguments: '{"city":"Oslo"}' }
const time: CleanCall = { id: 'call_c', name: 'time', arguments: '{}' }

/** Each list is one chunk; the answer ends with a separate chunk. */
function normalize(
  chunks: readonly (readonly Delta[])[],
  reason: FinishReason = 'tool_calls',
): ChunkChoice[] {
  let made = 0
  const normalizer = new ToolCallNormalizer(() => `call_made_${(made += 1)}`)
  const choices = chunks.map((deltas) => ({
    index: 0,
    delta: { tool_calls: [...deltas] },
    finish_reason: null,
  }))
  const end = { index: 0, delta: {}, finish_reason: reason }
  return [...choices, end].flatMap((choice) => normalizer.normalize([choice]))
}

/** The result of OpenAI's own accumulator. */
async function collect(choices: readonly ChunkChoice[]): Promise<CleanCall[]> {
  const head = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: 'm' }
  const [first, ...rest] = choices
  const lines = [{ ...first, delta: { role: 'assistant', ...first?.delta } }, ...rest].map(
    (choice) => `${JSON.stringify({ ...head, choices: [choice] })}\n`,
  )
  const stream = new ReadableStream({
    start(controller) {
      for (const line of lines) controller.enqueue(new TextEncoder().encode(line))
      controller.close()
    },
  })
  const answer = await ChatCompletionStream.fromReadableStream(stream).finalChatCompletion()
  const [choice] = answer.choices
  expect(choice?.finish_reason).toBe('tool_calls')
  return (choice?.message.tool_calls ?? []).map((call) =>
    call.type === 'function'
      ? { id: call.id, name: call.function.name, arguments: call.function.arguments }
      : { id: call.id, name: call.type, arguments: '' },
  )
}

function deltasOf(choices: readonly ChunkChoice[]) {
  return choices.flatMap(({ delta }) => delta.tool_calls ?? [])
}

const named = (call: CleanCall) => ({ name: call.name, arguments: '' })
const half = (call: CleanCall) => [call.arguments.slice(0, 6), call.arguments.slice(6)]
const more = (text = '') => ({ function: { arguments: text } })

test('a clean stream keeps its form: name and id first, then arguments alone', () => {
  const [start, rest] = half(rome)

  const sent = deltasOf(
    normalize([
      [{ index: 0, id: 'call_a', type: 'function', function: named(rome) }],
      [{ index: 0, ...more(start) }],
      [{ index: 0, ...more(rest) }],
    ]),
  )

  expect(sent).toEqual([
    { index: 0, id: 'call_a', type: 'function', function: { name: 'weather', arguments: start } },
    { index: 0, function: { arguments: rest } },
  ])
})

test('a stream without tool calls is passed on unchanged', () => {
  const normalizer = new ToolCallNormalizer(newToolCallId)
  const choices = [{ index: 0, delta: { content: 'Hi' }, finish_reason: null }]

  expect(normalizer.normalize(choices)).toBe(choices)
})

test('a generated id looks like OpenAI’s and differs each time', () => {
  expect(newToolCallId()).toMatch(/^call_[0-9A-Za-z]{24}$/)
  expect(newToolCallId()).not.toBe(newToolCallId())
})

const whole = ({ name, arguments: text }: CleanCall) => ({ name, arguments: text })

test.each<[string, Delta[][], CleanCall[]]>([
  [
    'no index, each whole call in its own chunk',
    [[{ id: 'call_a', function: whole(rome) }], [{ id: 'call_c', function: whole(time) }]],
    [rome, time],
  ],
  [
    'no index, several whole calls in one chunk',
    [
      [
        { id: 'call_a', function: whole(rome) },
        { id: 'call_b', function: whole(oslo) },
      ],
    ],
    [rome, oslo],
  ],
  [
    'no index, pieces',
    [
      [{ id: 'call_a', function: named(rome) }],
      ...half(rome).map((text) => [more(text)]),
      [{ id: 'call_b', function: named(oslo) }],
      ...half(oslo).map((text) => [more(text)]),
    ],
    [rome, oslo],
  ],
  [
    'every call numbered 0, with ids of their own',
    [
      [{ index: 0, id: 'call_a', function: whole(rome) }],
      [{ index: 0, id: 'call_b', function: whole(oslo) }],
    ],
    [rome, oslo],
  ],
  [
    'the second call started as 0 and continued as 1',
    [
      [{ index: 0, id: 'call_a', function: whole(rome) }],
      [{ index: 0, id: 'call_b', function: named(oslo) }],
      ...half(oslo).map((text) => [{ index: 1, ...more(text) }]),
    ],
    [rome, oslo],
  ],
  [
    'indices that begin at 1 and leave gaps',
    [
      [{ index: 1, id: 'call_a', function: whole(rome) }],
      [{ index: 7, id: 'call_c', function: whole(time) }],
    ],
    [rome, time],
  ],
  [
    'id and name repeated on every delta',
    half(rome).map((text) => [
      { index: 0, id: 'call_a', function: { name: 'weather', arguments: text } },
    ]),
    [rome],
  ],
  [
    'a new id for each delta',
    [
      [{ index: 0, id: 'call_a', function: named(rome) }],
      ...half(rome).map((text, nth) => [{ index: 0, id: `call_other_${nth}`, ...more(text) }]),
    ],
    [rome],
  ],
  [
    'no ids, every call numbered 0, the same tool twice',
    [[{ index: 0, function: whole(rome) }], [{ index: 0, function: whole(oslo) }]],
    [
      { ...rome, id: 'call_made_1' },
      { ...oslo, id: 'call_made_2' },
    ],
  ],
  [
    'a name in two pieces',
    [
      [{ index: 0, id: 'call_a', function: { name: 'wea', arguments: '' } }],
      [{ index: 0, function: { name: 'ther', arguments: '' } }],
      [{ index: 0, ...more(rome.arguments) }],
    ],
    [rome],
  ],
  [
    'a name that grows',
    [
      [{ index: 0, id: 'call_a', function: { name: 'wea' } }],
      [{ index: 0, function: { name: 'weather' } }],
      [{ index: 0, ...more(rome.arguments) }],
    ],
    [rome],
  ],
  [
    'an id that arrives after the name',
    [
      [{ index: 0, function: named(rome) }],
      [{ index: 0, id: 'call_a' }],
      [{ index: 0, ...more(rome.arguments) }],
    ],
    [rome],
  ],
  [
    'two interleaved calls',
    [
      [
        { index: 0, id: 'call_a', function: named(rome) },
        { index: 1, id: 'call_b', function: named(oslo) },
      ],
      [
        { index: 1, ...more(half(oslo)[0]) },
        { index: 0, ...more(half(rome)[0]) },
      ],
      [
        { index: 0, ...more(half(rome)[1]) },
        { index: 1, ...more(half(oslo)[1]) },
      ],
    ],
    [rome, oslo],
  ],
  [
    'a call without arguments',
    [[{ index: 0, id: 'call_x', function: { name: 'now' } }]],
    [{ id: 'call_x', name: 'now', arguments: '' }],
  ],
  [
    'two calls with one id',
    [
      [
        { id: 'call_a', function: whole(rome) },
        { id: 'call_a', function: whole(oslo) },
      ],
    ],
    [rome, { ...oslo, id: 'call_made_1' }],
  ],
])('%s', async (_what, chunks, calls) => {
  expect(await collect(normalize(chunks))).toEqual(calls)
})

test('stop after a tool was called is tool_calls, and length stays', () => {
  const chunks = [[{ index: 0, id: 'call_a', function: whole(rome) }]]

  expect(normalize(chunks, 'stop').at(-1)?.finish_reason).toBe('tool_calls')
  expect(normalize(chunks, 'length').at(-1)?.finish_reason).toBe('length')
  expect(normalize([], 'stop').at(-1)?.finish_reason).toBe('stop')
})

test('each choice numbers its own calls', () => {
  const normalizer = new ToolCallNormalizer(newToolCallId)
  const choiceOf = (index: number, call: CleanCall) => ({
    index,
    delta: { tool_calls: [{ id: call.id, function: whole(call) }] },
    finish_reason: null,
  })

  const sent = normalizer.normalize([choiceOf(0, rome), choiceOf(1, oslo)])

  expect(deltasOf(sent).map(({ index, id }) => [index, id])).toEqual([
    [0, 'call_a'],
    [0, 'call_b'],
  ])
})

/** A small seeded generator (mulberry32), so that a failure can be reproduced. */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

interface Habits {
  indices: 'right' | 'missing' | 'all 0' | 'from 1' | 'gaps'
  ids: 'once' | 'repeated' | 'missing'
  names: 'once' | 'repeated' | 'split'
  chunks: 'one delta' | 'whole calls' | 'all in one'
}

function pick<Value>(from: readonly [Value, ...Value[]], random: () => number): Value {
  return from[Math.floor(random() * from.length)] ?? from[0]
}

function habitsOf(random: () => number): Habits {
  const ids = pick(['once', 'repeated', 'missing'] as const, random)
  return {
    indices: pick(['right', 'missing', 'all 0', 'from 1', 'gaps'] as const, random),
    ids,
    names: pick(['once', 'repeated', 'split'] as const, random),
    chunks: pick(['one delta', 'whole calls', 'all in one'] as const, random),
  }
}

const toolNames = ['weather', 'search_files', 'read', 'time'] as const

function callsOf(random: () => number): CleanCall[] {
  const count = 1 + Math.floor(random() * 4)
  return Array.from({ length: count }, (_, nth) => ({
    id: `call_${nth}`,
    name: pick(toolNames, random),
    arguments: JSON.stringify(random() < 0.2 ? {} : { nth, text: 'a"{}\\ü'.repeat(nth), x: [{}] }),
  }))
}

function indexFor(habit: Habits['indices'], nth: number): { index?: number } {
  switch (habit) {
    case 'right':
      return { index: nth }
    case 'missing':
      return {}
    case 'all 0':
      return { index: 0 }
    case 'from 1':
      return { index: nth + 1 }
    case 'gaps':
      return { index: nth * 3 + 2 }
  }
}

/** One call's deltas, streamed by an upstream with these habits. */
function mangle(call: CleanCall, habits: Habits, nth: number, random: () => number): Delta[] {
  const place = indexFor(habits.indices, nth)
  const isWhole = habits.chunks !== 'one delta'
  const id = habits.ids === 'missing' ? {} : { id: call.id }
  if (isWhole) return [{ ...place, ...id, function: whole(call) }]
  const later = habits.ids === 'repeated' ? id : {}
  const cut = 1 + Math.floor(random() * (call.name.length - 1))
  const names =
    habits.names === 'split' ? [call.name.slice(0, cut), call.name.slice(cut)] : [call.name]
  const heads = names.map((name, part) => ({
    ...place,
    ...(part === 0 ? id : later),
    function: { name, arguments: '' },
  }))
  const repeated = habits.names === 'repeated' ? { name: call.name } : {}
  const size = 1 + Math.floor(random() * 9)
  const pieces = call.arguments.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? []
  return [
    ...heads,
    ...pieces.map((text) => ({ ...place, ...later, function: { ...repeated, arguments: text } })),
  ]
}

test('the same calls arrive, however they are streamed', async () => {
  for (let seed = 1; seed <= 500; seed += 1) {
    const random = seeded(seed)
    const calls = callsOf(random)
    const habits = habitsOf(random)
    const deltas = calls.map((call, nth) => mangle(call, habits, nth, random))
    const chunks =
      habits.chunks === 'all in one' ? [deltas.flat()] : deltas.flat().map((one) => [one])

    const collected = await collect(normalize(chunks, pick(['stop', 'tool_calls'], random)))

    const expected = calls.map((call, nth) =>
      habits.ids === 'missing' ? { ...call, id: `call_made_${nth + 1}` } : call,
    )
    expect(collected, `seed ${seed}: ${JSON.stringify(habits)}`).toEqual(expected)
  }
})
