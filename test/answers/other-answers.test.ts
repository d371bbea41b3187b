/** Several answers to one question in the chat window: sent to another model, kept or set aside. */
import { expect, test } from 'vitest'
import type { ChatAnswer } from '../../src/service/window/conversations.ts'
import type { ConversationMessage } from '../../src/shared/chat/conversations.ts'
import { errorReply } from '../fake-provider.ts'
import { startTestService, type TestService } from '../test-service.ts'

const two = { models: { first: { text: 'One.' }, second: { text: 'Two.' } } }

async function ask(
  { service, routerId }: TestService,
  text: string,
  conversationId: string | null = null,
): Promise<ChatAnswer> {
  const asked = await service.conversations.send({ conversationId, routerId, text })
  await asked.finished
  return asked
}

async function again(
  { service, routerId }: TestService,
  conversationId: string,
  isBeside: boolean,
): Promise<ConversationMessage> {
  const model = 'fake:second'
  const asked = await service.conversations.again({ conversationId, routerId, model, isBeside })
  return (await asked.finished).answer
}

/** The text of each answer in the thread, and whether it is set aside. */
async function answers({ service }: TestService, id: string): Promise<[string, boolean][]> {
  const messages = await service.conversations.messages(id)
  const given = messages.filter(({ role }) => role === 'assistant')
  return given.map(({ text, isSetAside }) => [text, isSetAside])
}

function lastContents({ fake }: TestService): unknown {
  const messages: unknown = fake.requests.at(-1)?.body?.['messages']
  return Array.isArray(messages)
    ? messages.map((message: { content: unknown }) => message.content)
    : null
}

test('a message can take another model of the router, for itself only', async () => {
  const running = await startTestService(two)
  const { service, routerId } = running
  const model = 'fake:second'
  const asked = await service.conversations.send({
    conversationId: null,
    routerId,
    model,
    text: 'Which?',
  })
  expect((await asked.finished).answer.meta).toMatchObject({ modelUsed: model })
  const next = await ask(running, 'And now?', asked.conversation.id)
  expect((await next.finished).answer.meta).toMatchObject({ modelUsed: 'fake:first' })
})

test('the last question is sent again to the named model, without its first answer', async () => {
  const running = await startTestService(two)
  const { conversation, question } = await ask(running, 'Which?')

  const answer = await again(running, conversation.id, false)

  expect(answer).toMatchObject({
    text: 'Two.',
    meta: { modelUsed: 'fake:second', routerDecision: 'pinned' },
  })
  expect(lastContents(running)).toEqual([question.text])
  expect(await answers(running, conversation.id)).toEqual([
    ['One.', true],
    ['Two.', false],
  ])
})

test('the last question is sent again to the router without a second question', async () => {
  const running = await startTestService(two)
  const { conversation } = await ask(running, 'Which?')
  const { service, routerId } = running
  const input = { conversationId: conversation.id, routerId, model: null, isBeside: false }

  const { answer } = await (await service.conversations.again(input)).finished

  expect(answer.meta).toMatchObject({ modelUsed: 'fake:first', routerDecision: 'priority' })
  expect(await service.conversations.messages(conversation.id)).toMatchObject([
    { role: 'user', isSetAside: false },
    { role: 'assistant', isSetAside: true },
    { role: 'assistant', isSetAside: false },
  ])
})

test('the next question is sent with the kept answer', async () => {
  const running = await startTestService(two)
  const { conversation, answer } = await ask(running, 'Which?')
  await again(running, conversation.id, false)

  await running.service.conversations.show(conversation.id, answer.id)
  const thread = await running.service.conversations.messages(conversation.id)
  await ask(running, 'Why?', conversation.id)

  expect(thread.map(({ text, isSetAside }) => [text, isSetAside])).toEqual([
    ['Which?', false],
    ['One.', false],
    ['Two.', true],
  ])
  expect(lastContents(running)).toEqual(['Which?', 'One.', 'Why?'])
})

test('side by side, both answers stay until one is chosen', async () => {
  const running = await startTestService(two)
  const { conversation } = await ask(running, 'Which?')

  const second = await again(running, conversation.id, true)
  expect(await answers(running, conversation.id)).toEqual([
    ['One.', false],
    ['Two.', false],
  ])
  await running.service.conversations.show(conversation.id, second.id)

  expect(await answers(running, conversation.id)).toEqual([
    ['One.', true],
    ['Two.', false],
  ])
})

test('of two answers that are shown at the same moment, only the last one stays', async () => {
  const running = await startTestService(two)
  const { conversation, answer } = await ask(running, 'Which?')
  const second = await again(running, conversation.id, true)
  const { conversations } = running.service

  await Promise.all([second.id, answer.id].map((id) => conversations.show(conversation.id, id)))

  expect(await answers(running, conversation.id)).toEqual([
    ['One.', false],
    ['Two.', true],
  ])
})

test('a failed answer does not replace the existing one', async () => {
  const running = await startTestService(two)
  const { conversation } = await ask(running, 'Which?')
  running.fake.setModel('second', { reply: errorReply(500) })

  expect(await again(running, conversation.id, false)).toMatchObject({ state: 'failed' })
  await ask(running, 'Why?', conversation.id)

  expect(lastContents(running)).toEqual(['Which?', 'One.', 'Why?'])
})

test('a question cannot be sent again while its answer streams', async () => {
  const slow = { text: 'one two three four', chunks: 18, chunkDelayMs: 400 }
  const running = await startTestService({ models: { first: slow, second: {} } })
  const { service, routerId } = running
  const first = await service.conversations.send({ conversationId: null, routerId, text: 'Which?' })

  await expect(again(running, first.conversation.id, false)).rejects.toMatchObject({
    code: 'conflict',
  })
  first.stop()
  await first.finished
})

test('two routers answer one question at the same time, and each answer names its router', async () => {
  const slow = { text: 'one two three four', chunks: 18, chunkDelayMs: 400 }
  const running = await startTestService({ models: { first: slow, second: { text: 'Two.' } } })
  const { service, routerId } = running
  const other = await service.dashboard.createRouter({
    name: 'Other',
    strategy: 'priority',
    models: ['fake:second'],
  })
  const first = await service.conversations.send({ conversationId: null, routerId, text: 'Which?' })
  const conversationId = first.conversation.id

  const input = { conversationId, routerId: other.id, model: null, isBeside: true }
  const second = await service.conversations.again(input)
  expect((await second.finished).answer).toMatchObject({ text: 'Two.', routerId: other.id })
  first.stop()
  await first.finished

  expect(await service.conversations.messages(conversationId)).toMatchObject([
    { role: 'user', routerId: null },
    { role: 'assistant', routerId, isSetAside: false, state: 'stopped' },
    { role: 'assistant', routerId: other.id, isSetAside: false, state: 'complete' },
  ])
})

test('a deleted answer cannot be kept', async () => {
  const running = await startTestService(two)
  const { conversation } = await ask(running, 'Which?')
  await expect(running.service.conversations.show(conversation.id, 'gone')).rejects.toMatchObject({
    code: 'not_found',
  })
})
