import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { ChatStreamEvent } from '../shared/chat/chat-stream.ts'
import { postFrames } from './frames.ts'

const finished = {
  answer: {
    id: 'answer',
    role: 'assistant' as const,
    text: 'whole',
    createdAtMs: 0,
    state: 'complete' as const,
    error: null,
    errorDetail: null,
    isSetAside: false,
    routerId: null,
    meta: null,
    agentMeta: null,
  },
  conversation: {
    id: 'c',
    title: 'T',
    routerId: null,
    agent: null,
    createdAtMs: 0,
    updatedAtMs: 0,
  },
}

async function frames(deltas: AsyncIterable<string>): Promise<ChatStreamEvent[]> {
  const events: ChatStreamEvent[] = []
  const answer = { deltas, finished: Promise.resolve(finished) }
  await postFrames(answer, (event) => void events.push(event))
  return events
}

test('text that arrives faster than frames is joined without loss or duplicates', async () => {
  const events = await frames(
    (async function* () {
      for (let count = 0; count < 300; count++) {
        if (count % 30 === 0) await sleep(5)
        yield `${count} `
      }
    })(),
  )

  const text = events.map((event) => (event.kind === 'delta' ? event.text : '')).join('')
  expect(text).toBe(Array.from({ length: 300 }, (_, count) => `${count} `).join(''))
  // One for each of the ten pauses at most, even if each takes longer than a frame.
  expect(events.length).toBeLessThan(20)
})

test('the first text is sent before the end', async () => {
  const events = await frames(
    (async function* () {
      yield 'first'
      await sleep(60)
      yield 'last'
    })(),
  )

  expect(events).toEqual([
    { kind: 'delta', text: 'first' },
    { kind: 'delta', text: 'last' },
    { kind: 'end', ...finished },
  ])
})

test('an answer without text sends only its end', async () => {
  const events = await frames((async function* () {})())

  expect(events).toEqual([{ kind: 'end', ...finished }])
})
