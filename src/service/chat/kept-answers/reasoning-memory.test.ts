/** Tests what is remembered, for which owner, for how long and how much. */
import { expect, test } from 'vitest'
import type { ChatDelta, ChatRequest, CompletionChoice } from '../../../shared/chat/chat.ts'
import { ReasoningMemory, StreamedReasoning, type ReasoningOwner } from './reasoning-memory.ts'

const question = { role: 'user' as const, content: 'What is the weather?' }
const call = (id: string, text = '{"city": "Paris"}') => ({
  id,
  type: 'function' as const,
  function: { name: 'weather', arguments: text },
})
const reasoning_details = [
  { type: 'reasoning.text', text: 'Hm', signature: 's', format: 'anthropic-claude-v1', index: 0 },
]

function answer(given: Partial<CompletionChoice['message']>): Pick<CompletionChoice, 'message'>[] {
  return [{ message: { role: 'assistant', content: null, refusal: null, ...given } }]
}

/** The request with a tool's result, from a client that sends no reasoning. */
function followUp(id = 'call_1', text?: string, more: object = {}): ChatRequest {
  return {
    messages: [
      question,
      { role: 'assistant', content: null, tool_calls: [call(id, text)], ...more },
      { role: 'tool', tool_call_id: id, content: 'Sunny' },
    ],
  }
}

const owner = (given: Partial<ReasoningOwner> = {}): ReasoningOwner => ({
  apiKeyId: 'key',
  modelId: 'acme:m',
  body: followUp(),
  ...given,
})
const first = owner({ body: { messages: [question] } })

function remembering(nowMs: () => number = () => 0): ReasoningMemory {
  const memory = new ReasoningMemory(nowMs)
  memory.answered(
    first,
    answer({ tool_calls: [call('call_1')], reasoning_content: 'Hm', reasoning_details }),
  )
  return memory
}

test('reasoning that the client dropped is added again for the same model', () => {
  const restored = remembering().restore(owner())

  expect(restored.messages).toEqual([
    question,
    { ...followUp().messages[1], reasoning_content: 'Hm', reasoning_details },
    followUp().messages[2],
  ])
})

test.each<[string, Partial<ReasoningOwner>]>([
  ['another model', { modelId: 'acme:other' }],
  ['another key', { apiKeyId: 'other' }],
  ['the chat window', { apiKeyId: null }],
  ['another call', { body: followUp('call_2') }],
  ['a call with other arguments', { body: followUp('call_1', '{"city":"Rome"}') }],
  [
    'another conversation with the same id',
    { body: { messages: [{ role: 'user', content: 'Hi' }, ...followUp().messages.slice(1)] } },
  ],
])('%s gets nothing, and its body is the same object', (_what, given) => {
  const asking = owner(given)

  expect(remembering().restore(asking)).toBe(asking.body)
})

test('arguments that the client wrote with other spaces are the same call', () => {
  const { messages } = remembering().restore(
    owner({ body: followUp('call_1', '{"city":"Paris"}') }),
  )

  expect(messages[1]?.reasoning_content).toBe('Hm')
})

test('what the client sends wins, and only missing fields are added', () => {
  const body = followUp('call_1', undefined, { reasoning_content: 'Mine', reasoning_details: null })

  const { messages } = remembering().restore(owner({ body }))

  expect(messages[1]).toMatchObject({ reasoning_content: 'Mine', reasoning_details })
})

test('an answer without tool calls or without reasoning is not remembered', () => {
  const memory = new ReasoningMemory(() => 0)

  memory.answered(first, answer({ reasoning_content: 'Hm', content: '42' }))
  memory.answered(first, answer({ tool_calls: [call('call_1')] }))

  expect(memory.characters()).toBe(0)
})

test('an hour after its last use it is forgotten', () => {
  let nowMs = 0
  const memory = remembering(() => nowMs)
  const isRestored = () => memory.restore(owner()) !== owner().body && memory.characters() > 0

  nowMs = 3_599_000
  expect(memory.restore(owner()).messages[1]?.reasoning_content).toBe('Hm')
  nowMs += 3_599_000
  expect(memory.restore(owner()).messages[1]?.reasoning_content).toBe('Hm')
  nowMs += 3_600_001
  expect(memory.restore(owner()).messages[1]?.reasoning_content).toBeUndefined()
  expect(isRestored()).toBe(false)
})

test('the least recently used are evicted first, and the bound holds', () => {
  const memory = new ReasoningMemory(() => 0, undefined, {
    answerCharacters: 200,
    totalCharacters: 450,
  })
  const store = (id: string) =>
    memory.answered(first, answer({ tool_calls: [call(id)], reasoning_content: 'x'.repeat(100) }))
  const isKept = (id: string) =>
    memory.restore(owner({ body: followUp(id) })).messages[1]?.reasoning_content !== undefined

  for (const id of ['a', 'b', 'c']) store(id)
  expect(isKept('a')).toBe(true)
  store('d')

  expect(['a', 'b', 'c', 'd'].map(isKept)).toEqual([true, false, true, true])
  expect(memory.characters()).toBeLessThanOrEqual(450)
  memory.answered(first, answer({ tool_calls: [call('e')], reasoning: 'x'.repeat(300) }))
  expect(isKept('e')).toBe(false)
})

test('a stream’s pieces are joined, without its text', () => {
  const streamed = new StreamedReasoning()
  const add = (delta: ChatDelta) => streamed.add([{ index: 0, delta, finish_reason: null }])
  const [item] = reasoning_details

  add({ reasoning_content: 'H' })
  add({ reasoning_content: 'm', reasoning_details: [{ ...item, text: 'H', signature: undefined }] })
  add({ content: 'Text' })
  add({ reasoning_details: [{ index: 0, text: 'm', signature: 's' }] })
  add({ tool_calls: [{ index: 0, ...call('call_1') }] })

  const [choice] = streamed.read() ?? []
  expect(choice?.message).toMatchObject({ reasoning_content: 'Hm', reasoning_details })
  expect(choice?.message.tool_calls?.[0]?.id).toBe('call_1')
  expect(choice?.message.content).toBeNull()
})

test('reasoning that is too long is not collected further', () => {
  const streamed = new StreamedReasoning()
  const delta = { reasoning_content: 'x'.repeat(300 * 1024) }

  streamed.add([{ index: 0, delta, finish_reason: null }])
  streamed.add([{ index: 0, delta, finish_reason: null }])

  expect(streamed.read()).toBeNull()
})
