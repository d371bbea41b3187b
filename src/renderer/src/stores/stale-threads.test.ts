/** Conversations that changed elsewhere after this window had read them: by an import, or in the other window. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { sampleMessage } from '../../../../test/sample-conversations.ts'
import { usedScene } from '../../../../test/renderer-harness/scenes.ts'
import { stubWindow } from '../../../../test/renderer-harness/stub-window.ts'
import {
  changeThread,
  connectChat,
  newConversation,
  openConversation,
  refreshChat,
  sendMessage,
  setDraft,
  stopAnswer,
  useChat,
} from './chat.ts'
import { useLiveAnswers } from './live-answers.ts'

const id = 'conversation-0'

/** A conversation that was opened and left. */
async function leave() {
  const stub = stubWindow(usedScene())
  connectChat(stub)
  await openConversation(id)
  await openConversation(newConversation)
  const reads = vi.spyOn(stub.bridge, 'call')
  const { messages } = stub.bridge.scene
  return {
    /** Adds a message as an import does. */
    add: (added: string) =>
      (messages[id] = [...(messages[id] ?? []), sampleMessage({ id: added })]),
    reads: () => reads.mock.calls.filter(([name]) => name === 'conversations:messages').length,
  }
}

function lastId(): string | undefined {
  return useChat.getState().threads[id]?.messages?.at(-1)?.id
}

beforeEach(() => {
  useChat.setState(useChat.getInitialState(), true)
  useLiveAnswers.setState({}, true)
})
afterEach(() => vi.unstubAllGlobals())

test('are read again when they are opened, and show what is known meanwhile', async () => {
  const { add } = await leave()
  setDraft(id, 'unsent')
  add('imported')
  await refreshChat()
  const known = useChat.getState().threads[id]
  const opened = openConversation(id)
  expect(useChat.getState().threads[id]).toBe(known)
  await opened
  expect(lastId()).toBe('imported')
  expect(useChat.getState().drafts[id]).toBe('unsent')
})

test('are read once for a change, and not without one', async () => {
  const { reads } = await leave()
  await openConversation(id)
  expect(reads()).toBe(0)
  await openConversation(newConversation)
  await refreshChat()
  await openConversation(id)
  await openConversation(newConversation)
  await openConversation(id)
  expect(reads()).toBe(1)
})

test('keep what is sent while they are read', async () => {
  const { add } = await leave()
  await refreshChat()
  const opened = openConversation(id)
  add('sent')
  const sent = sampleMessage({ id: 'sent' })
  changeThread(id, ({ messages, error }) => ({ error, messages: [...(messages ?? []), sent] }))
  await opened
  expect(lastId()).toBe('sent')
})

test('are not read while an answer arrives, whose stored text is older, but the next time', async () => {
  const { reads } = await leave()
  await sendMessage({ conversation: id, routerId: 'router_Fh3kQ9aZ1bC4dE7g', text: 'slow' })
  const [answer = ''] = Object.keys(useLiveAnswers.getState())
  await refreshChat()
  await openConversation(id)
  expect(reads()).toBe(0)
  stopAnswer(answer)
  await expect.poll(() => useLiveAnswers.getState()).toEqual({})
  await openConversation(id)
  expect(reads()).toBe(1)
})
