/** The chat window's conversations: search, edited questions, and answers that are continued. */
import { expect, test } from 'vitest'
import type { ChatAnswer } from '../../src/service/window/conversations.ts'
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

test('conversations are found by their messages and titles, whatever the case', async () => {
  const text = 'The Pharos of Alexandria was 100 % stone.'
  const running = await startTestService({ models: { 'fake-model': { text } } })
  const first = await say(running, 'What was the first lighthouse?')
  await first.finished
  const second = await say(running, 'And the tallest?')
  await second.finished
  await running.service.conversations.rename(second.conversation.id, 'Tall towers')
  const { conversations } = running.service

  const [found, other] = await conversations.search('FIRST LIGHT')
  expect(found).toEqual({
    conversationId: first.conversation.id,
    excerpt: 'What was the first lighthouse?',
  })
  expect(other).toBeUndefined()
  expect(await conversations.search('tall tow')).toEqual([
    { conversationId: second.conversation.id, excerpt: null },
  ])
  expect(await conversations.search('100 %')).toHaveLength(2)
  // A percent sign is no wildcard.
  expect(await conversations.search('100 % w')).toEqual([])
})

test('an edited question begins a conversation of its own with the turns before it', async () => {
  const running = await startTestService({ models: { 'fake-model': { text: 'Yes.' } } })
  const first = await say(running, 'One?')
  await first.finished
  const second = await say(running, 'Two?', first.conversation.id)
  await second.finished
  const { service, routerId } = running
  const conversationId = first.conversation.id
  const before = await service.conversations.messages(conversationId)

  const edited = { conversationId, questionId: second.question.id, routerId, text: 'Three?' }
  const branch = await service.conversations.branch(edited)
  await branch.finished

  expect(lastMessages(running)).toEqual([
    { role: 'user', content: 'One?' },
    { role: 'assistant', content: 'Yes.' },
    { role: 'user', content: 'Three?' },
  ])
  expect(branch.conversation).toMatchObject({ title: 'One?', routerId })
  const copies = await service.conversations.messages(branch.conversation.id)
  expect(copies.map((message) => message.text)).toEqual(['One?', 'Yes.', 'Three?', 'Yes.'])
  // The copied answer still names its request in the ledger.
  expect(copies[1]?.meta).toEqual(before[1]?.meta)
  expect(await service.conversations.messages(conversationId)).toEqual(before)
})
