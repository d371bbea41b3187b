/** The chat window's conversations: search, edited questions, and answers that are continued. */
import { expect, test } from 'vitest'
import type { ChatAnswer } from '../../src/service/window/conversations.ts'
import { endOf, turnsOf } from '../../src/shared/chat/conversation-turns.ts'
import type { FakeModel } from '../fake-provider.ts'
import { startTestService, type TestService } from '../test-service.ts'

function say(
  { service, routerId }: TestService,
  text: string,
  conversationId: string | null = null,
): Promise<ChatAnswer> {
  return service.conversations.send({ conversationId, routerId, text })
}

/** The messages of the last request to the upstream. */
function lastMessages({ fake }: TestService): unknown {
  return fake.requests.at(-1)?.body?.['messages']
}

test('a broken answer continues where it broke off, with the model that began it', async () => {
  const broken: FakeModel = { text: 'abcdef', chunks: 6, fault: { kind: 'reset', afterEvents: 3 } }
  const running = await startTestService({ models: { 'fake-model': broken } })
  const failing = await say(running, 'One?')
  await failing.finished
  running.fake.setModel('fake-model', { text: 'cdef' })
  const { service, routerId } = running
  const conversationId = failing.conversation.id

  const rest = await service.conversations.continue({ conversationId, routerId })
  const { answer } = await rest.finished

  expect(answer).toMatchObject({
    state: 'complete',
    text: 'abcdef',
    meta: { modelUsed: 'fake:fake-model', routerDecision: 'pinned' },
  })
  expect(lastMessages(running)).toMatchObject([
    { role: 'user', content: 'One?' },
    { role: 'assistant', content: 'ab' },
    { role: 'user', content: expect.stringContaining('Continue') },
  ])
  await expect(service.conversations.continue({ conversationId, routerId })).rejects.toMatchObject({
    code: 'conflict',
  })
})

test('an answer that reached its most tokens says so, and can be continued', async () => {
  const running = await startTestService({
    models: { 'fake-model': { text: 'ab', finishReason: 'length' } },
  })
  const { conversation, finished } = await say(running, 'One?')
  expect((await finished).answer).toMatchObject({
    state: 'stopped',
    text: 'ab',
    error: 'The answer reached the most tokens that it may have.',
  })
  running.fake.setModel('fake-model', { text: 'cd' })
  const { service, routerId } = running
  const conversationId = conversation.id
  const rest = await service.conversations.continue({ conversationId, routerId })
  const { answer } = await rest.finished
  expect(answer).toMatchObject({ state: 'complete', text: 'abcd', error: null })
})

test('a changed question keeps its files, which are sent as the wire has them', async () => {
  const running = await startTestService({ models: { 'fake-model': { text: 'Yes.' } } })
  const { conversations } = running.service
  const { routerId } = running
  const file = await conversations.attach({ name: 'a.csv', bytes: Buffer.from('a,b') })
  const input = { conversationId: null, routerId, text: 'One?', attachments: [file] }
  const first = await conversations.send(input)
  await first.finished
  const { id: conversationId } = first.conversation
  const edit = { conversationId, questionId: first.question.id, routerId, text: 'Two?' }
  const second = await conversations.edit(edit)
  await second.finished
  expect(second.question.attachments).toEqual([file])
  const text = 'File a.csv:\n\na,b'
  expect(lastMessages(running)).toEqual([
    {
      role: 'user',
      content: [
        { type: 'text', text },
        { type: 'text', text: 'Two?' },
      ],
    },
  ])
  expect(await conversations.readersOf(file)).toContainEqual({
    routerId,
    models: 1,
    readers: [{ model: 'fake:fake-model', tokens: expect.any(Number) }],
  })
})

test('a conversation is found by the words of its newest message that has them', async () => {
  const text = 'The Pharos of Alexandria was stone.'
  const running = await startTestService({ models: { 'fake-model': { text } } })
  const first = await say(running, 'What was the first lighthouse?')
  await first.finished
  const { conversations } = running.service
  await conversations.change(first.conversation.id, { title: 'Tall towers' })

  expect(await conversations.search('FIRST light')).toEqual({
    matches: [
      {
        conversationId: first.conversation.id,
        messageId: first.question.id,
        excerpt: 'What was the first lighthouse?',
      },
    ],
    isIndexing: false,
  })
  expect((await conversations.search('alexandr')).matches).toMatchObject([
    { messageId: first.answer.id },
  ])
  expect((await conversations.search('tall tow')).matches).toMatchObject([{ messageId: null }])
})

/** One? Yes. Two? Yes., then "Three?" in place of "Two?". */
async function editSecond(running: TestService) {
  const first = await say(running, 'One?')
  await first.finished
  const second = await say(running, 'Two?', first.conversation.id)
  await second.finished
  const { service, routerId } = running
  const conversationId = first.conversation.id
  const input = { conversationId, questionId: second.question.id, routerId, text: 'Three?' }
  const edited = await service.conversations.edit(input)
  await edited.finished
  const shown = async () => {
    const messages = await service.conversations.messages(conversationId)
    return turnsOf(messages).map(({ question }) => question.text)
  }
  return { conversationId, second, edited, shown, ...service }
}

test('an edited question is asked beside the old one, which can be shown again', async () => {
  const running = await startTestService({ models: { 'fake-model': { text: 'Yes.' } } })
  const { conversationId, second, shown, conversations } = await editSecond(running)

  expect(lastMessages(running)).toEqual([
    { role: 'user', content: 'One?' },
    { role: 'assistant', content: 'Yes.' },
    { role: 'user', content: 'Three?' },
  ])
  expect(await conversations.list()).toHaveLength(1)
  expect(await shown()).toEqual(['One?', 'Three?'])
  await (
    await say(running, 'Four?', conversationId)
  ).finished
  await conversations.show(conversationId, second.question.id)
  expect(await shown()).toEqual(['One?', 'Two?'])
  await (
    await say(running, 'Five?', conversationId)
  ).finished
  expect(lastMessages(running)).toMatchObject([
    { content: 'One?' },
    { content: 'Yes.' },
    { content: 'Two?' },
    { content: 'Yes.' },
    { content: 'Five?' },
  ])
})

test('a deleted question takes its branch along, and both come back', async () => {
  const running = await startTestService({ models: { 'fake-model': { text: 'Yes.' } } })
  const { conversationId, edited, shown, conversations } = await editSecond(running)

  const ids = await conversations.removeMessage(conversationId, edited.question.id)
  expect(ids).toEqual([edited.question.id, edited.answer.id])
  expect(await shown()).toEqual(['One?', 'Two?'])
  await conversations.restoreMessages(ids)
  expect(await shown()).toEqual(['One?', 'Three?'])
})

test('a corrected message changes in its place, and models read the new text', async () => {
  const running = await startTestService({ models: { 'fake-model': { text: 'Yes.' } } })
  const first = await say(running, 'Wun?')
  await first.finished
  const { conversations } = running.service
  const conversationId = first.conversation.id

  await conversations.correct(conversationId, first.question.id, 'One?')
  await (
    await say(running, 'Two?', conversationId)
  ).finished

  expect(lastMessages(running)).toMatchObject([
    { content: 'One?' },
    { content: 'Yes.' },
    { content: 'Two?' },
  ])
  await expect(conversations.correct(conversationId, 'gone', 'x')).rejects.toMatchObject({
    code: 'not_found',
  })
})

test('a conversation’s prompt and parameters are in each of its requests', async () => {
  const running = await startTestService({ models: { 'fake-model': { text: 'Yes.' } } })
  const first = await say(running, 'One?')
  await first.finished
  const { conversations } = running.service
  const own = { systemPrompt: 'Be brief.', parameters: { temperature: 0.5, maxTokens: 40 } }
  await conversations.change(first.conversation.id, own)

  await (
    await say(running, 'Two?', first.conversation.id)
  ).finished

  expect(running.fake.requests.at(-1)?.body).toMatchObject({
    messages: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user' },
      { role: 'assistant' },
      { role: 'user' },
    ],
    temperature: 0.5,
    max_completion_tokens: 40,
  })
})

/** One? with the answers A and B, of which A is shown again; Two? and Later. follow B. */
async function goBackToFirst(running: TestService) {
  const { service, routerId, fake } = running
  const first = await say(running, 'One?')
  const { answer: a } = await first.finished
  const conversationId = first.conversation.id
  const ask = { conversationId, routerId, model: null, isBeside: false }
  fake.setModel('fake-model', { text: 'B' })
  const { answer: b } = await (await service.conversations.again(ask)).finished
  fake.setModel('fake-model', { text: 'Later.' })
  await (
    await say(running, 'Two?', conversationId)
  ).finished
  await service.conversations.show(conversationId, a.id)
  const shown = async () => {
    const turns = turnsOf(await service.conversations.messages(conversationId))
    return turns.map((turn) => [turn.question.text, endOf(turn).text])
  }
  return { conversations: service.conversations, conversationId, ask, a, b, shown }
}

const resets: FakeModel = { fault: { kind: 'reset', afterEvents: 0 } }

test('a new answer that fails gives its place back to the one that was shown', async () => {
  const running = await startTestService({ models: { 'fake-model': { text: 'A' } } })
  const { conversations, conversationId, ask, a, shown } = await goBackToFirst(running)
  running.fake.setModel('fake-model', resets)

  const { answer } = await (await conversations.again(ask)).finished

  expect(answer).toMatchObject({ state: 'failed', isSetAside: true, error: expect.any(String) })
  const messages = await conversations.messages(conversationId)
  expect(messages.filter(({ parentId }) => parentId === a.parentId)).toMatchObject([
    { text: 'A', isSetAside: false },
    { text: 'B', isSetAside: true },
    { state: 'failed', isSetAside: true },
  ])
  expect(await shown()).toEqual([['One?', 'A']])
  running.fake.setModel('fake-model', { text: 'C' })
  await (
    await say(running, 'Three?', conversationId)
  ).finished
  expect(lastMessages(running)).toMatchObject([
    { content: 'One?' },
    { content: 'A' },
    { content: 'Three?' },
  ])
})

test('a new answer that fails leaves what a person went to meanwhile', async () => {
  const running = await startTestService({ models: { 'fake-model': { text: 'A' } } })
  const { conversations, conversationId, ask, b, shown } = await goBackToFirst(running)
  running.fake.setModel('fake-model', { fault: { kind: 'hang', afterEvents: 0 } })

  const started = await conversations.again(ask)
  await conversations.show(conversationId, b.id)
  started.stop()
  await started.finished

  expect(await shown()).toEqual([
    ['One?', 'B'],
    ['Two?', 'Later.'],
  ])
})
