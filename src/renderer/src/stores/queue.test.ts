import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { sampleAttachment } from '../../../../test/sample-conversations.ts'
import { usedScene } from '../../../../test/renderer-harness/scenes.ts'
import { stubWindow } from '../../../../test/renderer-harness/stub-window.ts'
import {
  connectChat,
  newConversation,
  openConversation,
  sendMessage,
  setDraft,
  stopAnswer,
  useChat,
  useConversations,
} from './chat.ts'
import { useLiveAnswers } from './live-answers.ts'
import { useTakenModels } from './previews.ts'
import { editQueued, queueMessage, removeQueued, sendQueued } from './queue.ts'
import { useRouters } from './routers.ts'
import { useSettings } from './settings.ts'
import { loadDrafts } from './unsent-messages.ts'

const routerId = 'router_Fh3kQ9aZ1bC4dE7g'

/** A conversation whose answer arrives, with the bridge behind it. @returns the conversation's id */
async function ask(text: string) {
  const stub = stubWindow(usedScene())
  connectChat(stub)
  await useRouters.getState().load()
  const id = await sendMessage({ conversation: newConversation, routerId, text })
  if (id === null) throw new Error('the message was not sent')
  return { id, bridge: stub.bridge }
}

function queue(conversation: string, text: string): void {
  queueMessage(conversation, { text, attachments: [], taken: null })
}

function queued(conversation: string) {
  const { messages, state } = useChat.getState().queues[conversation] ?? { messages: [] }
  return { texts: messages.map(({ text }) => text), state }
}

function questions(conversation: string): string[] {
  const messages = useChat.getState().threads[conversation]?.messages ?? []
  return messages.filter(({ role }) => role === 'user').map(({ text }) => text)
}

function firstOf(conversation: string) {
  const [first] = useChat.getState().queues[conversation]?.messages ?? []
  if (!first) throw new Error('the queue is empty')
  return first
}

function stopAll(): void {
  Object.keys(useLiveAnswers.getState()).forEach(stopAnswer)
}

beforeEach(() => {
  useChat.setState(useChat.getInitialState(), true)
  useConversations.setState({ items: null, error: null })
  useLiveAnswers.setState({}, true)
  useTakenModels.setState({}, true)
  useSettings.setState({ settings: null })
})
afterEach(() => vi.unstubAllGlobals())

test('messages are sent one after the other, each when the answer before it has ended', async () => {
  const { id } = await ask('one')
  queue(id, 'two')
  queue(id, 'three')
  expect(questions(id)).toEqual(['one'])
  await expect.poll(() => questions(id)).toEqual(['one', 'two'])
  expect(queued(id).texts).toEqual(['three'])
  await expect.poll(() => questions(id)).toEqual(['one', 'two', 'three'])
  expect(queued(id)).toEqual({ texts: [], state: 'waiting' })
})

test('the queue of a conversation goes on while another one is open, and keeps what is typed', async () => {
  const { id } = await ask('one')
  queue(id, 'two')
  setDraft(id, 'typed meanwhile')
  await openConversation(newConversation)
  await expect.poll(() => questions(id)).toEqual(['one', 'two'])
  expect(useChat.getState()).toMatchObject({
    current: newConversation,
    drafts: { [id]: 'typed meanwhile' },
  })
})

test('after a failed answer, the queue waits for the person', async () => {
  const { id } = await ask('fail')
  queue(id, 'two')
  await expect.poll(() => queued(id).state).toBe('failed')
  expect(questions(id)).toEqual(['fail'])
  await sendQueued(id, firstOf(id))
  expect(questions(id)).toEqual(['fail', 'two'])
})

test('after a stopped answer, the queue waits for the person', async () => {
  const { id } = await ask('slow')
  queue(id, 'two')
  stopAll()
  await expect.poll(() => queued(id).state).toBe('stopped')
  expect(questions(id)).toEqual(['slow'])
})

test('a message that is sent now stops the answer and goes first', async () => {
  const { id } = await ask('slow')
  queue(id, 'two')
  queue(id, 'slow three')
  const [, last] = useChat.getState().queues[id]?.messages ?? []
  if (last) await sendQueued(id, last)
  await expect.poll(() => questions(id)).toEqual(['slow', 'slow three'])
  expect(queued(id)).toEqual({ texts: ['two'], state: 'waiting' })
  const states = useChat.getState().threads[id]?.messages?.map(({ state }) => state)
  expect(states).toContain('stopped')
})

test('a message whose forecast is above the limit waits until the person sends it', async () => {
  const { id, bridge } = await ask('one')
  const settings = await bridge.call('settings:get', undefined)
  if (!settings.ok) throw new Error('the settings are missing')
  useSettings.setState({ settings: { ...settings.value, askAboveUsd: 1e-9 } })
  queue(id, 'two')
  await expect.poll(() => queued(id).state).toBe('costly')
  expect(questions(id)).toEqual(['one'])
  await sendQueued(id, firstOf(id))
  expect(questions(id)).toEqual(['one', 'two'])
})

test('a message that is refused stays in the queue', async () => {
  const { id } = await ask('one')
  queue(id, 'refuse')
  await expect.poll(() => queued(id)).toEqual({ texts: ['refuse'], state: 'failed' })
  expect(useChat.getState().threads[id]?.error?.message).toBe('The daily limit is reached.')
})

test('a message goes back into the field with its files and its model, before what is typed', async () => {
  const { id } = await ask('slow')
  const taken = { routerId, model: 'openai:gpt-5' }
  queueMessage(id, { text: 'two', attachments: [sampleAttachment()], taken })
  setDraft(id, 'three')
  editQueued(id, firstOf(id))
  expect(useChat.getState()).toMatchObject({
    drafts: { [id]: 'two\n\nthree' },
    attached: { [id]: [sampleAttachment()] },
  })
  expect(useTakenModels.getState()).toEqual({ [id]: taken })
  expect(queued(id).texts).toEqual([])
  stopAll()
})

test('a deleted message is never sent', async () => {
  const { id } = await ask('one')
  queue(id, 'two')
  removeQueued(id, firstOf(id).id)
  await expect.poll(() => Object.keys(useLiveAnswers.getState())).toEqual([])
  expect(questions(id)).toEqual(['one'])
})

test('after a restart the queue is there and waits for the person', async () => {
  const { id, bridge } = await ask('slow')
  queue(id, 'two')
  stopAll()
  const storedQueue = async () => {
    const stored = await bridge.call('chat:drafts', undefined)
    return stored.ok ? stored.value[id]?.queue.map(({ text }) => text) : null
  }
  await expect.poll(storedQueue).toEqual(['two'])
  useChat.setState(useChat.getInitialState(), true)
  await loadDrafts()
  expect(queued(id)).toEqual({ texts: ['two'], state: 'stored' })
})
