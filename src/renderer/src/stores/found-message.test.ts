import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { sampleMessage } from '../../../../test/sample-conversations.ts'
import { usedScene } from '../../../../test/renderer-harness/scenes.ts'
import { stubWindow } from '../../../../test/renderer-harness/stub-window.ts'
import { shownAnswers, threadTurns } from './answers.ts'
import { askAgain } from './branches.ts'
import { connectChat, newConversation, sendMessage, useChat } from './chat.ts'
import { openAtMessage, useFoundMessage } from './found-message.ts'
import { useLiveAnswers } from './live-answers.ts'
import { useRouters } from './routers.ts'

beforeEach(() => useChat.setState(useChat.getInitialState(), true))
afterEach(() => vi.unstubAllGlobals())

const id = 'conversation-0'
const of = (name: string, parentId: string | null, isSetAside = false) =>
  sampleMessage({ id: name, parentId, isSetAside, role: /\d/.test(name) ? 'user' : 'assistant' })
/** Two forks on the way to q3: another question, and another answer. */
const messages = [
  of('q1', null),
  of('a', 'q1'),
  of('q2', 'a', true),
  of('p2', 'a'),
  of('b', 'q2', true),
  of('c', 'q2'),
  of('q3', 'b'),
  sampleMessage({ ...of('failed', 'q3'), state: 'failed' }),
  of('d', 'q3'),
]

async function openAt(messageId: string) {
  const stub = stubWindow(usedScene())
  stub.bridge.scene.messages[id] = structuredClone(messages)
  connectChat(stub)
  const calls = vi.spyOn(stub.bridge, 'call')
  await openAtMessage(id, messageId)
  const path = threadTurns(useChat.getState().threads[id]?.messages ?? [])
  return {
    shown: calls.mock.calls
      .filter(([name]) => name === 'chat:show')
      .map(([, input]) => Reflect.get(Object(input), 'messageId') as unknown),
    path: path.map(({ question }) => question.id),
  }
}

test('a message on another branch is shown with the branches that lead to it', async () => {
  const { shown, path } = await openAt('q3')
  expect(shown).toEqual(['q2', 'b'])
  expect(path).toEqual(['q1', 'q2', 'q3'])
  expect(useFoundMessage.getState().id).toBe('q3')
})

test('a failed answer that is drawn beside a usable one is not asked for', async () => {
  const { shown } = await openAt('failed')
  expect(shown).toEqual(['q2', 'b'])
})

test('answers side by side stay, and a hit in an earlier answer leaves the one that arrives', async () => {
  const stub = stubWindow(usedScene())
  connectChat(stub)
  stub.bridge.scene.messages[id] = [of('q1', null), of('a', 'q1'), of('b', 'q1')]
  await openAtMessage(id, 'a')
  expect(shownIds(id)).toEqual(['a', 'b'])

  await useRouters.getState().load()
  const routerId = useRouters.getState().items?.[0]?.id ?? ''
  const asked = await sendMessage({ conversation: newConversation, routerId, text: 'one' })
  if (asked === null) throw new Error('The message was not sent.')
  await expect.poll(() => useLiveAnswers.getState()).toEqual({})
  const [first = ''] = shownIds(asked)
  await askAgain({ conversation: asked, routerId, model: null, isBeside: false })
  expect(Object.keys(useLiveAnswers.getState())).toHaveLength(1)
  await openAtMessage(asked, first)
  expect(shownIds(asked)).toEqual([first])
  await expect.poll(() => useLiveAnswers.getState()).toEqual({})
  expect(shownIds(asked)).toEqual([first])
})

function shownIds(conversation: string): string[] {
  const turn = threadTurns(useChat.getState().threads[conversation]?.messages ?? []).at(-1)
  return turn ? shownAnswers(turn).map((answer) => answer.id) : []
}
