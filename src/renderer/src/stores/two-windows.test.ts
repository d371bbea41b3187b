/** A conversation in two windows of the app, each with its own stores: what is unsent is in both, and sent by one. */
import { afterEach, expect, test, vi } from 'vitest'
import {
  sampleAttachment,
  sampleConversation,
  sampleMessage,
} from '../../../../test/sample-conversations.ts'
import { usedScene } from '../../../../test/renderer-harness/scenes.ts'
import type { Draft } from '../../../shared/chat/conversations.ts'
import type { IpcEvents } from '../../../shared/ipc.ts'

const id = 'conversation-0'
const routerId = 'router_Fh3kQ9aZ1bC4dE7g'
const question = sampleMessage({ id: 'question', role: 'user' })
const running = sampleMessage({
  id: 'running',
  role: 'assistant',
  parentId: 'question',
  state: 'streaming',
})

afterEach(() => {
  vi.doUnmock('./client.ts')
  vi.resetModules()
})

interface Listening {
  unsent: { noteDraft(stored: IpcEvents['draft']): void }
}

/** The main process: it stores drafts, tells the other window, and sends each queued message once. */
function startService() {
  const windows: Listening[] = []
  const sent: string[] = []
  const sentIds = new Set<unknown>()
  const stored: Record<string, Partial<Draft>> = {}
  async function call(caller: number, name: string, input: Record<string, unknown>) {
    await new Promise((resolve) => setTimeout(resolve, 1))
    if (name === 'chat:save-draft') {
      const { sendsQueue = false, ...saved } = structuredClone(input) as IpcEvents['draft']
      const { conversationId, ...changed } = saved
      Object.assign((stored[conversationId] ??= {}), changed)
      const others = windows.filter((_window, index) => index !== caller)
      for (const { unsent } of others) unsent.noteDraft({ ...saved, sendsQueue })
    }
    if (name === 'chat:send') {
      if (sentIds.has(input['queuedId'])) return { code: 'already_sent' }
      sentIds.add(input['queuedId'])
      sent.push(`${caller}: ${String(input['text'])}`)
      await new Promise((resolve) => setTimeout(resolve, 20))
      const [asked, answer] = ['question', 'answer'].map((kind) => `${kind}-${sent.length}`)
      return {
        conversation: sampleConversation({ id, routerId }),
        question: sampleMessage({ id: asked ?? '', role: 'user', parentId: 'running' }),
        answer: { ...running, id: answer ?? '', parentId: asked ?? null },
        streamId: answer,
      }
    }
    return null
  }
  return { windows, sent, stored, call }
}

/** A window that shows the conversation while its answer arrives. */
async function openWindow({ windows, call }: ReturnType<typeof startService>) {
  const index = windows.length
  vi.resetModules()
  const actual = await vi.importActual<typeof import('./client.ts')>('./client.ts')
  vi.doMock('./client.ts', () => ({
    ...actual,
    call: async (name: string, input: Record<string, unknown> = {}) => {
      const result = await call(index, name, input)
      if (result === null || !('code' in result)) return result
      throw new actual.CallError({ code: result.code, message: 'refused', field: null })
    },
  }))
  const chat = await import('./chat.ts')
  const queue = await import('./queue.ts')
  const unsent = await import('./unsent-messages.ts')
  const { useLiveAnswers } = await import('./live-answers.ts')
  const { useRouters } = await import('./routers.ts')
  chat.connectChat({ addEventListener: () => {} })
  useRouters.setState({ items: usedScene().routers })
  chat.changeThread(id, () => ({ messages: [question, running], error: null }))
  useLiveAnswers.setState({ [running.id]: '' })
  const opened = {
    chat,
    queue,
    unsent,
    /** Queues a message while the answer arrives. */
    add: (text: string) => queue.queueMessage(id, { text, attachments: [], taken: null }),
    /** The answer ends. */
    end(state: 'complete' | 'failed' = 'complete') {
      chat.replaceMessage(id, { ...running, state })
      useLiveAnswers.setState(({ [running.id]: _ended, ...others }) => others, true)
    },
    shown() {
      const { messages = [], state } = chat.useChat.getState().queues[id] ?? {}
      return { texts: messages.map(({ text }) => text), state }
    },
    sendFirst: async () => {
      const [first] = chat.useChat.getState().queues[id]?.messages ?? []
      if (first) await queue.sendQueued(id, first)
    },
  }
  windows.push(opened)
  return opened
}

async function openTwo() {
  const service = startService()
  const first = await openWindow(service)
  const second = await openWindow(service)
  return { ...service, first, second }
}

/** Until everything that was begun has ended. */
const settle = () => new Promise((resolve) => setTimeout(resolve, 80))

test('a message that is queued in one window is shown by the other, and sent by the first', async () => {
  const { first, second, sent } = await openTwo()
  first.add('two')
  await expect.poll(second.shown).toEqual({ texts: ['two'], state: 'stored' })
  second.end()
  first.end()
  await settle()
  expect(sent).toEqual(['0: two'])
  expect(first.shown().texts).toEqual([])
  expect(second.shown().texts).toEqual([])
})

test('typing and attaching in the other window leaves the queue with the first', async () => {
  const { first, second, sent, stored } = await openTwo()
  first.add('two')
  second.chat.setDraft(id, 'typed at the same time')
  second.chat.setAttached(id, [sampleAttachment()])
  await settle()
  expect(stored[id]).toMatchObject({
    text: 'typed at the same time',
    attachments: [sampleAttachment()],
    queue: [{ text: 'two' }],
  })
  expect(first.shown()).toEqual({ texts: ['two'], state: 'waiting' })
  first.end()
  second.end()
  await settle()
  expect(sent).toEqual(['0: two'])
  expect(second.chat.useChat.getState().drafts[id]).toBe('typed at the same time')
})

test('what the other window adds to the queue is sent by the first, too', async () => {
  const { first, second, sent } = await openTwo()
  first.add('two')
  await settle()
  second.add('three')
  await expect.poll(first.shown).toEqual({ texts: ['two', 'three'], state: 'waiting' })
  second.end()
  first.end()
  await settle()
  expect(sent).toEqual(['0: two'])
  expect(first.shown()).toEqual({ texts: ['three'], state: 'waiting' })
  expect(second.shown()).toEqual({ texts: ['three'], state: 'stored' })
})

test('after a failed answer, the queue of a hidden window can be sent from the other', async () => {
  const { first, second, sent } = await openTwo()
  first.add('two')
  await settle()
  first.end('failed')
  second.end('failed')
  await settle()
  expect(sent).toEqual([])
  expect(first.unsent.hasUnsent(id)).toBe(true)
  await second.sendFirst()
  await settle()
  expect(sent).toEqual(['1: two'])
  expect(first.shown().texts).toEqual([])
  expect(first.unsent.hasUnsent(id)).toBe(false)
})

test('a window that sends a message takes the queue, and the other one no longer sends it', async () => {
  const { first, second, sent } = await openTwo()
  first.add('two')
  first.add('three')
  await settle()
  const taken = second.sendFirst()
  await expect.poll(first.shown).toEqual({ texts: ['two', 'three'], state: 'stored' })
  await taken
  first.end()
  second.end()
  await settle()
  expect(sent).toEqual(['1: two'])
  expect(second.shown()).toEqual({ texts: ['three'], state: 'waiting' })
})

test('a queue that was taken while its window waits for another message is not sent by it', async () => {
  const { first, second, sent } = await openTwo()
  first.add('two')
  await settle()
  first.chat.useChat.setState({ sending: 'another' })
  first.end()
  await settle()
  await second.sendFirst()
  first.chat.useChat.setState({ sending: null })
  await settle()
  expect(sent).toEqual([])
  second.end()
  await settle()
  expect(sent).toEqual(['1: two'])
})

test.each([0, 2, 5, 15])('of two windows that send it %s ms apart, one does', async (ms) => {
  const { first, second, sent } = await openTwo()
  first.add('two')
  await settle()
  first.end()
  second.end()
  await new Promise((resolve) => setTimeout(resolve, ms))
  await second.sendFirst()
  await settle()
  expect(sent.map((one) => one.slice(3))).toEqual(['two'])
  for (const { shown, chat } of [first, second]) {
    expect(shown().texts).toEqual([])
    expect(chat.useChat.getState().threads[id]?.error).toBeNull()
  }
})
