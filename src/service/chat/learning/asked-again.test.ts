import { describe, expect, test } from 'vitest'
import type { ChatRequest } from '../../../shared/chat/chat.ts'
import { sampleRouter } from '../../../../test/storage/samples.ts'
import type { ChatCall } from '../chat-call.ts'
import { AskedAgain, questionOf } from './asked-again.ts'

const answer = { modelId: 'p:a', reading: null }
const other = { modelId: 'p:b', reading: null }

function clocked() {
  let nowMs = 0
  const askedAgain = new AskedAgain(() => nowMs)
  return {
    wait: (ms: number) => void (nowMs += ms),
    /** A request that takes one second. */
    answered(question: string, from = answer) {
      const startedAtMs = nowMs
      nowMs += 1_000
      return askedAgain.answered(question, startedAtMs, from)
    },
  }
}

describe('a question', () => {
  test('that is asked again within five minutes returns the answer before, once', () => {
    const { answered, wait } = clocked()
    expect(answered('q')).toBeNull()
    wait(200_000)
    expect(answered('another')).toBeNull()
    expect(answered('q', other)).toBe(answer)
    wait(10_000)
    expect(answered('q')).toBeNull()
  })

  test('that is asked again later, within two seconds or at the same time does not', () => {
    const { answered, wait } = clocked()
    answered('late')
    wait(301_000)
    expect(answered('late')).toBeNull()
    answered('soon')
    wait(1_900)
    expect(answered('soon')).toBeNull()
    const parallel = new AskedAgain(() => 5_000)
    parallel.answered('q', 0, answer)
    expect(parallel.answered('q', 1, other)).toBeNull()
  })

  test('is forgotten when a thousand others were answered after it', () => {
    const still = new AskedAgain(() => 0)
    still.answered('first', 0, answer)
    for (let nth = 0; nth < 1_000; nth += 1) still.answered(`q${nth}`, 0, answer)
    expect(still.answered('first', 5_000, other)).toBeNull()
    const kept = new AskedAgain(() => 0)
    kept.answered('first', 0, answer)
    for (let nth = 0; nth < 999; nth += 1) kept.answered(`q${nth}`, 0, answer)
    expect(kept.answered('first', 5_000, other)).toBe(answer)
  })
})

const content = 'Which river flows through Bonn?'

function call(body: Partial<ChatRequest> = {}, over: Partial<ChatCall> = {}): ChatCall {
  return {
    requestId: 'r',
    router: sampleRouter(),
    body: { messages: [{ role: 'user', content }], ...body },
    apiKeyId: 'key-1',
    source: 'api',
    acceptAnyModel: false,
    client: null,
    cacheUse: 'none',
    ...over,
  }
}

describe('the identity of a question', () => {
  test('is its last message with the instructions, for each router and key', () => {
    const one = questionOf(call())
    const earlier = { role: 'assistant' as const, content: 'The Rhine.' }
    const repeated = [
      { role: 'user' as const, content },
      earlier,
      { role: 'user' as const, content },
    ]
    expect(one).toMatch(/^[\w-]{43}$/)
    expect(questionOf(call({ messages: repeated }))).toBe(one)
    const others = [
      call({ messages: [{ role: 'user', content: `${content} ` }] }),
      call({
        messages: [
          { role: 'system', content: 'Briefly.' },
          { role: 'user', content },
        ],
      }),
      call({}, { apiKeyId: 'key-2' }),
      call({}, { router: sampleRouter({ id: 'router_2' }) }),
    ].map(questionOf)
    expect(new Set([one, ...others]).size).toBe(5)
  })

  const step = { executionId: 'e', stepId: 's', isCounted: true, allowances: [], onRecord() {} }
  test.each([
    ['a request of the chat window', call({}, { source: 'chat', apiKeyId: null })],
    ['an agent’s step', call({}, { step })],
    ['a tool’s result', call({ messages: [{ role: 'tool', content }] })],
    ['a short text', call({ messages: [{ role: 'user', content: 'Continue, please' }] })],
    ['a request for several answers', call({ n: 2 })],
    ['a request with a seed', call({ seed: 7 })],
    ['a request at temperature 0', call({ temperature: 0 })],
  ])('%s has none', (_what, given) => {
    expect(questionOf(given)).toBeNull()
  })
})
