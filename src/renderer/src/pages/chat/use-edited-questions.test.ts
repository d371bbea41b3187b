import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { sampleMessage } from '../../../../../test/sample-conversations.ts'
import { usedScene } from '../../../../../test/renderer-harness/scenes.ts'
import { stubWindow } from '../../../../../test/renderer-harness/stub-window.ts'
import { correctMessage, editQuestion } from '../../stores/branches.ts'
import { connectChat, openConversation, useChat } from '../../stores/chat.ts'
import { useLiveAnswers } from '../../stores/live-answers.ts'
import { beginEdit, finishEdit, setEdited, useEditedQuestions } from './use-edited-questions.ts'

const routerId = 'router_Fh3kQ9aZ1bC4dE7g'
const conversation = 'conversation-0'

/** The first question of a conversation, whose text was changed in its editor. */
async function edit(text: string) {
  const stub = stubWindow(usedScene())
  connectChat(stub)
  await openConversation(conversation)
  const question = useChat.getState().threads[conversation]?.messages?.[0] ?? sampleMessage()
  beginEdit(question)
  setEdited(question.id, text)
  const ask = (changed: string) => editQuestion({ conversation, question, routerId, text: changed })
  return { question, ask, calls: vi.spyOn(stub.bridge, 'call'), scene: stub.bridge.scene }
}

beforeEach(() => {
  useChat.setState(useChat.getInitialState(), true)
  useEditedQuestions.setState({}, true)
  useLiveAnswers.setState({}, true)
})
afterEach(() => vi.unstubAllGlobals())

test('an edited question that is asked closes its editor', async () => {
  const { question, ask } = await edit(' changed ')
  expect(await finishEdit(question.id, ask)).toBe(true)
  expect(useEditedQuestions.getState()[question.id]).toBeNull()
  expect(useChat.getState().threads[conversation]?.messages?.at(-2)?.text).toBe('changed')
})

test('one that is refused keeps its text, and says why', async () => {
  const { question, ask, scene } = await edit('changed')
  scene.conversations = []
  expect(await finishEdit(question.id, ask)).toBe(false)
  expect(useEditedQuestions.getState()[question.id]).toBe('changed')
  expect(useChat.getState().threads[conversation]?.error).not.toBeNull()
})

test('one that is asked while another message is being sent keeps its text', async () => {
  const { question, ask } = await edit('changed')
  useChat.setState({ sending: 'another' })
  expect(await finishEdit(question.id, ask)).toBe(false)
  expect(useEditedQuestions.getState()[question.id]).toBe('changed')
})

test('one that is sent twice at once is asked once', async () => {
  const { question, ask, calls } = await edit('changed')
  await Promise.all([finishEdit(question.id, ask), finishEdit(question.id, ask)])
  expect(calls.mock.calls.filter(([name]) => name === 'chat:edit')).toHaveLength(1)
  expect(useEditedQuestions.getState()[question.id]).toBeNull()
})

test('a correction closes its editor once it is stored', async () => {
  const { question, scene } = await edit('corrected')
  const correct = (text: string) => correctMessage(conversation, question, text)
  const { [conversation]: stored } = scene.messages
  scene.messages[conversation] = []
  expect(await finishEdit(question.id, correct)).toBe(false)
  expect(useEditedQuestions.getState()[question.id]).toBe('corrected')
  scene.messages[conversation] = stored ?? []
  expect(await finishEdit(question.id, correct)).toBe(true)
  expect(useEditedQuestions.getState()[question.id]).toBeNull()
})

test('an open editor keeps its text when it is asked for again', async () => {
  const { question } = await edit('changed')
  beginEdit(question)
  expect(useEditedQuestions.getState()[question.id]).toBe('changed')
})
