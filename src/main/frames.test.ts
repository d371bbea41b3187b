import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { AnswerDelta, ChatStreamEvent } from '../shared/chat/chat-stream.ts'
import { postFrames } from './frames.ts'

const finished = {
  answer: {
    id: 'answer',
    parentId: null,
    role: 'assistant' as const,
    attachments: [],
    text: 'whole',
    createdAtMs: 0,
    state: 'complete' as const,
    error: null,
    errorDetail: null,
    isSetAside: false,
    routerId: null,
    meta: null,
    agentMeta: null,
    imported: null,
    toolSteps: [],
    sources: [],
    citations: [],
  },
  conversation: {
    id: 'c',
    title: 'T',
    titleSource: 'person' as const,
    routerId: null,
    agent: null,
    systemPrompt: '',
    parameters: {},
    folderId: null,
    pinnedAtMs: null,
    createdAtMs: 0,
    updatedAtMs: 0,
    source: null,
    preset: null,
  },
}

async function* asText(words: AsyncIterable<string>): AsyncIterable<AnswerDelta> {
  for await (const text of words) yield { text, reasoning: '' }
}

async function frames(words: AsyncIterable<string>): Promise<ChatStreamEvent[]> {
  return await framesOf(asText(words))
}

async function framesOf(deltas: AsyncIterable<AnswerDelta>): Promise<ChatStreamEvent[]> {
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
    { kind: 'delta', text: 'first', reasoning: '' },
    { kind: 'delta', text: 'last', reasoning: '' },
    { kind: 'end', ...finished },
  ])
})

test('an answer without text sends only its end', async () => {
  const events = await frames((async function* () {})())

  expect(events).toEqual([{ kind: 'end', ...finished }])
})

test('reasoning is sent like text, also while there is no text', async () => {
  const events = await framesOf(
    (async function* () {
      yield { text: '', reasoning: 'Let me ' }
      yield { text: '', reasoning: 'think.' }
      await sleep(60)
      yield { text: '4', reasoning: '' }
    })(),
  )

  expect(events.slice(0, -1)).toEqual([
    { kind: 'delta', text: '', reasoning: 'Let me think.' },
    { kind: 'delta', text: '4', reasoning: '' },
  ])
})
