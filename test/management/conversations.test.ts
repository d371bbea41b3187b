/** The chat window's conversations on the real service: sending, storing, stopping and recovering. */
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import Sqlite from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import type { ChatAnswer } from '../../src/service/window/conversations.ts'
import { startService } from '../../src/service/service.ts'
import { errorReply, type FakeModel } from '../fake-provider.ts'
import { startTestService, type TestService } from '../test-service.ts'

const slow: FakeModel = { text: 'one two three four', chunks: 18, chunkDelayMs: 50 }
/** Takes long enough to be stopped before its end, also on a busy machine. */
const stoppable: FakeModel = { ...slow, chunkDelayMs: 500 }

function say(
  { service, routerId }: TestService,
  text: string,
  conversationId: string | null = null,
): Promise<ChatAnswer> {
  return service.conversations.send({ conversationId, routerId, text })
}

test('an answer names the first choice that it replaces, and keeps that in its conversation', async () => {
  const models = { first: { reply: errorReply(503) }, second: { text: 'Second.' } }
  const running = await startTestService({ models })

  const { finished, conversation } = await say(running, 'Hi')
  const { answer } = await finished

  const fallback = { from: 'fake:first', reason: 'unavailable' }
  expect(answer.meta).toMatchObject({ modelUsed: 'fake:second', fallback })
  const [, stored] = await running.service.conversations.messages(conversation.id)
  expect(stored?.meta?.fallback).toEqual(fallback)
})

function chunksOf(choices: readonly object[]): string[] {
  const chunk = { id: 'x', object: 'chat.completion.chunk', created: 1, model: 'fake-model' }
  return choices.map((choice) => JSON.stringify({ ...chunk, choices: [{ index: 0, ...choice }] }))
}

test('a refusal of the model is shown and stored as its answer', async () => {
  const events = chunksOf([
    { delta: { role: 'assistant', refusal: 'I cannot ' }, finish_reason: null },
    { delta: { refusal: 'help with that.' }, finish_reason: null },
    { delta: {}, finish_reason: 'stop' },
  ])
  const running = await startTestService({ models: { 'fake-model': { events } } })

  const { finished, conversation } = await say(running, 'Hi')

  expect((await finished).answer.text).toBe('I cannot help with that.')
  const [, stored] = await running.service.conversations.messages(conversation.id)
  expect(stored?.text).toBe('I cannot help with that.')
})

test('the pages that an answer cites are stored with it, and where', async () => {
  const citation = {
    url: 'https://sea.example/tides',
    title: 'Tides',
    start_index: 0,
    end_index: 4,
  }
  const annotations = [{ type: 'url_citation', url_citation: citation }]
  const events = chunksOf([
    { delta: { role: 'assistant', content: 'High at noon.' }, finish_reason: null },
    { delta: { annotations }, finish_reason: null },
    { delta: {}, finish_reason: 'stop' },
  ])
  const running = await startTestService({ models: { 'fake-model': { events } } })

  const { finished, conversation } = await say(running, 'When is high tide?')
  await finished

  const [, stored] = await running.service.conversations.messages(conversation.id)
  const source = { kind: 'source', title: 'Tides', text: 'https://sea.example/tides' }
  const cited = { sources: [source], citations: [{ source: 0, at: 4 }] }
  expect(stored).toMatchObject({ text: 'High at noon.', ...cited })
})

/** The messages of the last request to the upstream. */
function lastMessages({ fake }: TestService): unknown {
  return fake.requests.at(-1)?.body?.['messages']
}

/** Resolves when the first piece of the answer arrives. */
async function firstDelta({ deltas }: ChatAnswer): Promise<void> {
  const iterator = deltas[Symbol.asyncIterator]()
  await iterator.next()
}

test('an answer streams, and is stored with its cost', async () => {
  const running = await startTestService({ models: { 'fake-model': { text: 'Hello there.' } } })

  const answer = await say(running, '  Hi,\nyou  ')
  let streamed = ''
  for await (const delta of answer.deltas) streamed += delta.text
  const finished = await answer.finished

  expect(streamed).toBe('Hello there.')
  expect(finished.conversation).toMatchObject({ title: 'Hi, you', routerId: running.routerId })
  expect(finished.answer).toMatchObject({
    id: answer.answer.id,
    role: 'assistant',
    text: 'Hello there.',
    state: 'complete',
    error: null,
    meta: { requestId: answer.answer.id, modelUsed: 'fake:fake-model' },
  })
  expect(await running.service.conversations.messages(answer.conversation.id)).toEqual([
    answer.question,
    finished.answer,
  ])
})

test('a picked agent answers, and the conversation remembers it', async () => {
  const running = await startTestService({ models: { 'fake-model': { text: 'Hello there.' } } })
  const steps = [{ id: 'only', type: 'prompt', user: 'Say: {{ input }}' }]
  await running.service.dashboard.applyAgent(JSON.stringify({ name: 'echo', steps }))
  const { service, routerId } = running

  const sent = await service.conversations.send({
    conversationId: null,
    routerId,
    agent: 'echo',
    text: 'Hi',
  })
  const { answer, conversation } = await sent.finished

  expect(lastMessages(running)).toEqual([{ role: 'user', content: 'Say: Hi' }])
  expect(answer).toMatchObject({ text: 'Hello there.', state: 'complete', meta: null })
  expect(answer.agentMeta).toMatchObject({
    execution_id: answer.id,
    agent_name: 'echo',
    steps_executed: 1,
    models_used: ['fake:fake-model'],
  })
  expect(conversation.agent).toBe('echo')
  expect(await service.conversations.messages(conversation.id)).toContainEqual(answer)
})

test('the ledger row names the app and has the answer’s id', async () => {
  const running = await startTestService()
  const { answer, finished } = await say(running, 'Hi')
  await finished

  expect(await running.ledger(1)).toMatchObject([
    { id: answer.id, source: 'chat', apiKeyId: null, status: 200 },
  ])
})

test('each question is sent with the thread so far', async () => {
  const running = await startTestService({ models: { 'fake-model': { text: 'Yes.' } } })
  const first = await say(running, 'One?')
  await first.finished

  const second = await say(running, 'Two?', first.conversation.id)
  await second.finished

  expect(lastMessages(running)).toEqual([
    { role: 'user', content: 'One?' },
    { role: 'assistant', content: 'Yes.' },
    { role: 'user', content: 'Two?' },
  ])
  expect(await running.service.conversations.list()).toHaveLength(1)
})

test('a failed answer gives its reason, and the next request leaves out the answer and its question', async () => {
  const running = await startTestService({ models: { 'fake-model': { reply: errorReply(500) } } })
  const failing = await say(running, 'One?')
  const { answer } = await failing.finished
  running.fake.setModel('fake-model', { text: 'Yes.' })

  const second = await say(running, 'Again?', failing.conversation.id)
  await second.finished

  expect(answer).toMatchObject({ state: 'failed', text: '', meta: null })
  expect(answer.error).toContain('the provider answered with status 500')
  expect(lastMessages(running)).toEqual([{ role: 'user', content: 'Again?' }])
})

test('an answer that broke off keeps its text so far, and is left out, too', async () => {
  const broken: FakeModel = { text: 'abcdef', chunks: 6, fault: { kind: 'reset', afterEvents: 3 } }
  const running = await startTestService({ models: { 'fake-model': broken } })
  const failing = await say(running, 'One?')
  const { answer } = await failing.finished
  running.fake.setModel('fake-model', {})

  await (
    await say(running, 'Again?', failing.conversation.id)
  ).finished

  expect(answer).toMatchObject({ state: 'failed', text: 'ab' })
  expect(lastMessages(running)).toEqual([{ role: 'user', content: 'Again?' }])
})

test('a stopped answer keeps its text so far, closes the upstream and stays in the thread', async () => {
  const running = await startTestService({
    models: { slow: (_request, nth) => (nth === 1 ? stoppable : {}) },
  })
  const stopped = await say(running, 'One?')
  await firstDelta(stopped)

  stopped.stop()
  const { answer } = await stopped.finished
  await (
    await say(running, 'Go on.', stopped.conversation.id)
  ).finished

  expect(answer).toMatchObject({ state: 'stopped', error: null })
  expect(answer.text.length).toBeGreaterThan(0)
  expect(answer.text.length).toBeLessThan(18)
  expect(lastMessages(running)).toEqual([
    { role: 'user', content: 'One?' },
    { role: 'assistant', content: answer.text },
    { role: 'user', content: 'Go on.' },
  ])
  const [, first] = await running.ledger(2)
  expect(first).toMatchObject({ status: 499, errorCode: 'client_closed' })
})

test('an answer that broke off says so, with its cost and the provider’s own words', async () => {
  const broken: FakeModel = {
    text: 'abcdef',
    chunks: 6,
    fault: { kind: 'error-event', afterEvents: 3 },
  }
  const running = await startTestService({ models: { 'fake-model': broken } })

  const { answer } = await (await say(running, 'One?')).finished

  expect(answer).toMatchObject({
    state: 'failed',
    error:
      'The answer broke off: fake:fake-model did not finish it (the provider reported an error mid-answer: The server had an error while processing).',
    errorDetail: null,
    meta: { modelUsed: 'fake:fake-model', costUsd: expect.any(Number) },
  })
  expect(answer.meta?.costUsd).toBeGreaterThan(0)
})

test('a stopped answer shows its cost, as in the ledger', async () => {
  const running = await startTestService({ models: { slow: stoppable } })
  const stopped = await say(running, 'One?')
  await firstDelta(stopped)

  stopped.stop()
  const { answer } = await stopped.finished

  const [row] = await running.ledger(1)
  expect(answer.meta).toMatchObject({ requestId: row?.id, modelUsed: 'fake:slow' })
  expect(answer.meta?.costUsd).toBe((row?.costNanoUsd ?? 0) / 1e9)
  expect(answer.meta?.costUsd).toBeGreaterThan(0)
})

test('an answer continues when its deltas are not read', async () => {
  const running = await startTestService({ models: { slow } })
  const answer = await say(running, 'Hi')
  const reader = answer.deltas[Symbol.asyncIterator]()
  await reader.next()
  await reader.return?.(undefined)

  expect((await answer.finished).answer).toMatchObject({ state: 'complete', text: slow.text })
})

test('an answer is stored while it streams', async () => {
  const running = await startTestService({ models: { slow: stoppable } })
  const { conversation, finished, stop } = await say(running, 'Hi')

  const stored = async () => (await running.service.conversations.messages(conversation.id))[1]
  await expect
    .poll(stored)
    .toMatchObject({ text: expect.stringMatching(/^one/), state: 'streaming' })
  stop()
  await finished
})

test('removing a conversation ends its answer upstream, and deletes everything', async () => {
  const running = await startTestService({ models: { slow: stoppable } })
  const answer = await say(running, 'Hi')
  await firstDelta(answer)

  await running.service.conversations.remove(answer.conversation.id)

  expect((await answer.finished).answer.state).toBe('stopped')
  expect(await running.ledger(1)).toMatchObject([{ status: 499 }])
  expect(await running.service.conversations.list()).toEqual([])
  expect(await running.service.conversations.messages(answer.conversation.id)).toEqual([])
})

test('removing a conversation does not end the answer of another', async () => {
  const running = await startTestService({ models: { slow } })
  const kept = await say(running, 'Kept')
  const removed = await say(running, 'Removed')

  await running.service.conversations.remove(removed.conversation.id)

  expect((await kept.finished).answer).toMatchObject({ state: 'complete', text: slow.text })
})

test('a title given while an answer streams is kept', async () => {
  const running = await startTestService({ models: { slow } })
  const answer = await say(running, 'Hi')
  await running.service.conversations.change(answer.conversation.id, { title: 'Better' })

  expect((await answer.finished).conversation.title).toBe('Better')
  expect(await running.service.conversations.list()).toMatchObject([{ title: 'Better' }])
})

test('stopping the service stops its answers and keeps their text so far', async () => {
  const running = await startTestService({ models: { slow: stoppable } })
  const answer = await say(running, 'Hi')
  await firstDelta(answer)

  await running.service.close()

  expect((await answer.finished).answer.state).toBe('stopped')
  const db = new Sqlite(join(running.dataDir, 'modelport.db'), { readonly: true })
  onTestFinished(() => void db.close())
  expect(db.prepare("SELECT state FROM messages WHERE role = 'assistant'").all()).toEqual([
    { state: 'stopped' },
  ])
})

test('an answer that a crash cut off is shown as stopped after the next start', async () => {
  const running = await startTestService()
  const { conversation, finished } = await say(running, 'Hi')
  await finished
  await running.service.close()
  const db = new Sqlite(join(running.dataDir, 'modelport.db'))
  db.exec("UPDATE messages SET state = 'streaming', text = 'Hel' WHERE role = 'assistant'")
  db.close()

  const again = await startService({
    dataDir: running.dataDir,
    cacheDir: running.dataDir,
    allowSessionSecrets: true,
    env: {},
    holder: 'serve',
    port: 0,
  })
  onTestFinished(() => again.close())

  expect(await again.conversations.messages(conversation.id)).toMatchObject([
    { role: 'user', state: 'complete' },
    { role: 'assistant', state: 'stopped', text: 'Hel' },
  ])
})

test('a question to a deleted router or conversation is refused, and stores nothing', async () => {
  const running = await startTestService()
  const { send, list } = {
    send: (input: { conversationId: string | null; routerId: string }) =>
      running.service.conversations.send({ ...input, text: 'Hi' }),
    list: () => running.service.conversations.list(),
  }

  await expect(send({ conversationId: null, routerId: 'router_gone' })).rejects.toMatchObject({
    code: 'router_not_found',
  })
  await expect(send({ conversationId: 'gone', routerId: running.routerId })).rejects.toMatchObject({
    name: 'DashboardError',
    code: 'not_found',
  })
  await expect(running.service.conversations.change('gone', { title: 'x' })).rejects.toMatchObject({
    code: 'not_found',
  })
  expect(await list()).toEqual([])
})

test('the chat window counts against the daily limit, too, and the failed answer says so', async () => {
  const running = await startTestService({ router: { tier: 'enterprise', dailyLimit: 1 } })
  await (
    await say(running, 'One?')
  ).finished

  const { answer } = await (await say(running, 'Two?')).finished

  expect(answer).toMatchObject({ state: 'failed' })
  expect(answer.error).toContain('has served its 1 requests for today')
  await sleep(0)
  expect(running.fake.requestCount()).toBe(1)
})

test('a message is previewed with the conversation before it, and nothing is stored', async () => {
  const running = await startTestService({ models: { 'fake-model': { text: 'Hello there.' } } })
  const { service, routerId, fake } = running
  const preview = (conversationId: string | null) =>
    service.conversations.preview({ conversationId, routerId, text: 'And then?' })

  const first = await preview(null)
  const conversations = await service.conversations.list()
  const { conversation, finished } = await say(running, 'A long question. '.repeat(20))
  await finished
  const second = await preview(conversation.id)

  expect(first.model).toBe('fake:fake-model')
  expect(conversations).toEqual([])
  expect(second.expected.promptTokens).toBeGreaterThan(first.expected.promptTokens + 50)
  expect(await service.conversations.messages(conversation.id)).toHaveLength(2)
  expect(fake.requestCount()).toBe(1)
  expect(await running.ledger(1)).toHaveLength(1)
})
