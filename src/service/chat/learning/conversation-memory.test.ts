/** Tests which conversation a request belongs to, and what is stored about it. */
import { describe, expect, test } from 'vitest'
import type { ChatMessage } from '../../../shared/chat/chat.ts'
import {
  awaitsToolResult,
  conversationIdentity,
  ConversationMemory,
  mayContinue,
} from './conversation-memory.ts'

const system: ChatMessage = { role: 'system', content: 'Be brief.' }
const question: ChatMessage = { role: 'user', content: 'Why is the sky blue?' }
const call = (messages: ChatMessage[], given: object = {}) => ({
  routerId: 'router_a',
  apiKeyId: 'key_a',
  conversation: null,
  body: { messages },
  ...given,
})

test('the identity does not depend on messages after the first question', () => {
  const later: ChatMessage[] = [
    system,
    question,
    { role: 'assistant', content: 'Rayleigh scattering.' },
    { role: 'user', content: 'And red at dusk?' },
  ]

  expect(conversationIdentity(call(later))).toBe(conversationIdentity(call([system, question])))
})

test.each<[string, object]>([
  ['another key', call([system, question], { apiKeyId: 'key_b' })],
  ['the chat window', call([system, question], { apiKeyId: null })],
  ['another router', call([system, question], { routerId: 'router_b' })],
  ['another system prompt', call([{ ...system, content: 'Be long.' }, question])],
  ['another first question', call([system, { ...question, content: 'Why is grass green?' }])],
  ['an image in the question', call([system, { ...question, content: [{ type: 'image_url' }] }])],
  ['its own name', call([system, question], { conversation: 'a' })],
])('%s gives another identity', (_what, other) => {
  // Made by `call` above.
  const identified = other as Parameters<typeof conversationIdentity>[0]
  expect(conversationIdentity(identified)).not.toBe(conversationIdentity(call([system, question])))
})

test('the header takes precedence over prompt_cache_key, and that over the beginning', () => {
  const body = { messages: [question], prompt_cache_key: 'b' }
  const named = conversationIdentity(call([system], { conversation: 'a' }))

  expect(conversationIdentity(call([], { conversation: 'a', body }))).toBe(named)
  expect(conversationIdentity(call([], { body }))).toBe(
    conversationIdentity(call([system], { conversation: 'b' })),
  )
})

test('text in parts is compared by its text', () => {
  const parts = (text: string) => call([{ role: 'user', content: [{ type: 'text', text }] }])

  expect(conversationIdentity(parts('a'))).not.toBe(conversationIdentity(parts('b')))
})

test('the identity is a hash that contains no text', () => {
  expect(conversationIdentity(call([question]))).toMatch(/^[\w-]{43}$/)
})

test('remembers the last model for an hour', () => {
  let nowMs = 0
  const memory = new ConversationMemory(() => nowMs)
  memory.answered('a', { modelId: 'p:one', promptTokens: 10 })
  nowMs = 1_000
  memory.answered('a', { modelId: 'p:two', promptTokens: 20 })
  nowMs = 5_000

  expect(memory.lastAnswerOf('a')).toMatchObject({
    modelId: 'p:two',
    promptTokens: 20,
    ageMs: 4_000,
  })
  expect(memory.lastAnswerOf('b')).toBeNull()
  nowMs = 3_601_001
  expect(memory.lastAnswerOf('a')).toBeNull()
})

test('each model and effort keeps its own prefix, the newest four', () => {
  let nowMs = 0
  const memory = new ConversationMemory(() => nowMs)
  const answer = (modelId: string, effort: string | null, promptTokens: number) => {
    nowMs += 1_000
    memory.answered('a', { modelId, effort, promptTokens, lifetimeMs: 300_000 })
  }
  answer('p:one', null, 10)
  answer('p:two', 'high', 20)
  answer('p:two', 'low', 30)
  answer('p:one', null, 40)
  answer('p:three', null, 50)
  answer('p:four', null, 60)

  const last = memory.lastAnswerOf('a')

  expect(last).toMatchObject({ modelId: 'p:four', ageMs: 0, leastPromptTokens: 10 })
  expect(last?.others).toMatchObject([
    { modelId: 'p:three', ageMs: 1_000 },
    { modelId: 'p:one', promptTokens: 40, ageMs: 2_000 },
    { modelId: 'p:two', effort: 'low', ageMs: 3_000 },
  ])
})

test('what is read again stays for as long as it was written for', () => {
  const memory = new ConversationMemory(() => 0)
  memory.answered('a', { modelId: 'p:one', promptTokens: 10, lifetimeMs: 3_600_000 })
  memory.answered('a', { modelId: 'p:one', promptTokens: 20 })

  expect(memory.lastAnswerOf('a')?.lifetimeMs).toBe(3_600_000)
})

test('learns which share of a prompt a vendor without promise reads again', () => {
  const memory = new ConversationMemory(() => 0)
  const gemini = 'google:gemini-3.5-flash'
  // A prompt that is shorter than a block teaches nothing.
  memory.answered('a', { modelId: gemini, promptTokens: 1_000, readTokens: 0 })
  memory.answered('a', { modelId: gemini, promptTokens: 5_000, readTokens: 0 })
  expect(memory.lastAnswerOf('a')?.readShare).toBeUndefined()

  memory.answered('a', { modelId: gemini, promptTokens: 6_000, readTokens: 2_032 })
  memory.answered('a', { modelId: 'p:claude-5', promptTokens: 2_000, readTokens: 1_000 })
  memory.answered('a', { modelId: 'p:claude-5', promptTokens: 3_000, readTokens: 1_000 })

  const last = memory.lastAnswerOf('a')
  expect(last?.readShare).toBeUndefined()
  expect(last?.others?.[0]?.readShare).toBe(0.5)
})

test('forgets the least recently used of more than 10,000 conversations', () => {
  const memory = new ConversationMemory(() => 0)
  const answer = { modelId: 'p:m', promptTokens: 1 }
  for (let nth = 0; nth < 10_000; nth += 1) memory.answered(String(nth), answer)
  memory.answered('0', answer)

  memory.answered('one more', answer)

  expect(memory.lastAnswerOf('0')).not.toBeNull()
  expect(memory.lastAnswerOf('1')).toBeNull()
  expect(memory.lastAnswerOf('2')).not.toBeNull()
  expect(memory.lastAnswerOf('one more')).not.toBeNull()
})

test.each<[boolean, ChatMessage[]]>([
  [true, [question, { role: 'assistant', content: null }, { role: 'tool', content: '5' }]],
  [true, [question, { role: 'function', content: '5' }]],
  [false, [question]],
  [false, [{ role: 'tool', content: '5' }, { role: 'assistant', content: '5' }, question]],
])('whether a tool’s result is pending is %s', (awaits, messages) => {
  expect(awaitsToolResult({ messages })).toBe(awaits)
})

test.each<[boolean, string, object]>([
  [false, 'a first question', call([system, question])],
  [
    true,
    'a question after an answer',
    call([question, { role: 'assistant', content: 'Hi' }, question]),
  ],
  [true, 'a first question with a name', call([question], { conversation: 'a' })],
  [
    true,
    'a question with a cache key',
    call([], { body: { messages: [], prompt_cache_key: 'a' } }),
  ],
])('whether it may continue is %s for %s', (may, _what, given) => {
  // Made by `call` above.
  expect(mayContinue(given as Parameters<typeof mayContinue>[0])).toBe(may)
})

describe('The share of conversations that go on', () => {
  function hold(memory: ConversationMemory, name: string, afterMs: number[]) {
    const answer = { modelId: 'p:one', promptTokens: 10 }
    memory.answered(name, answer, 'key')
    for (const ms of afterMs) {
      nowMs += ms
      memory.answered(name, answer, 'key')
    }
  }
  let nowMs = 0

  test('counts each conversation once, if it went on within five minutes', () => {
    const memory = new ConversationMemory(() => nowMs)
    for (let nth = 0; nth < 4; nth += 1) {
      hold(memory, `goes on ${nth}`, [60_000, 60_000, 60_000])
      hold(memory, `ends ${nth}`, [])
      hold(memory, `too late ${nth}`, [300_001])
    }

    expect(memory.continuedShare('key')).toBeCloseTo(4 / 12)
    expect(memory.continuedShare('another key')).toBe(0)
  })

  test('is 0 with fewer than eight conversations', () => {
    const memory = new ConversationMemory(() => nowMs)
    for (let nth = 0; nth < 7; nth += 1) hold(memory, String(nth), [1_000])

    expect(memory.continuedShare('key')).toBe(0)
  })

  test('follows new habits', () => {
    const memory = new ConversationMemory(() => nowMs)
    for (let nth = 0; nth < 64; nth += 1) hold(memory, `before ${nth}`, [1_000])
    for (let nth = 0; nth < 128; nth += 1) hold(memory, `now ${nth}`, [])

    expect(memory.continuedShare('key')).toBeLessThan(0.2)
  })
})

test('instructions after a tool’s result, or after an answer, change neither whose result it is nor the conversation', () => {
  const user = { role: 'user' as const, content: 'Read the file.' }
  const reply = { role: 'assistant' as const, content: 'Reading.' }
  const result = { role: 'tool' as const, tool_call_id: 'c', content: 'text' }
  const later = { role: 'system' as const, content: 'Be brief.' }
  const of = (messages: ChatMessage[]) =>
    conversationIdentity({ routerId: 'r', apiKeyId: 'k', conversation: null, body: { messages } })

  expect(awaitsToolResult({ messages: [user, reply, result, later] })).toBe(true)
  expect(awaitsToolResult({ messages: [user, reply, later] })).toBe(false)
  expect(of([user, reply, result, later])).toBe(of([user, reply, result]))
  expect(of([user, later, reply])).not.toBe(of([user, reply]))
})
