import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { usedScene } from '../../../../test/renderer-harness/scenes.ts'
import { stubWindow } from '../../../../test/renderer-harness/stub-window.ts'
import { connectChat, newConversation, useChat, useConversations } from './chat.ts'
import { useLiveAnswers } from './live-answers.ts'
import {
  otherRoutersOf,
  sendToRouters,
  toggleComparedRouter,
  useRouterComparison,
} from './router-comparison.ts'

beforeEach(() => {
  useChat.setState(useChat.getInitialState(), true)
  useConversations.setState({ items: null, error: null })
  useRouterComparison.setState(useRouterComparison.getInitialState(), true)
  useLiveAnswers.setState({}, true)
})
afterEach(() => vi.unstubAllGlobals())

test('a message goes to all compared routers at once, whose answers stand side by side', async () => {
  const scene = usedScene()
  connectChat(stubWindow(scene))
  const [own, other] = scene.routers.map(({ id }) => id)
  if (own === undefined || other === undefined) throw new Error('the scene has two routers')
  toggleComparedRouter(newConversation, other, [])

  const message = { conversation: newConversation, routerId: own, text: 'slow' }
  await sendToRouters({ ...message, otherRouterIds: [other] })

  const { current, threads } = useChat.getState()
  const answers = threads[current]?.messages?.filter(({ role }) => role === 'assistant')
  expect(answers).toMatchObject([
    { routerId: own, isSetAside: false, state: 'streaming' },
    { routerId: other, isSetAside: false, state: 'streaming' },
  ])
  // The comparison goes on in the conversation that the message began.
  expect(useRouterComparison.getState().others).toEqual({ [current]: [other], new: [] })
})

test('a message that is refused goes to no other router', async () => {
  const scene = usedScene()
  connectChat(stubWindow(scene))
  const [own = '', other = ''] = scene.routers.map(({ id }) => id)

  const message = { conversation: newConversation, routerId: own, text: 'refuse' }
  await sendToRouters({ ...message, otherRouterIds: [other] })

  expect(useChat.getState().threads[newConversation]).toMatchObject({
    messages: null,
    error: { code: 'daily_limit_exceeded' },
  })
})

test('at most three routers are compared, and a second choice takes one out', () => {
  const compared = () => useRouterComparison.getState().others['conversation'] ?? []
  for (const id of ['a', 'b', 'c', 'a']) {
    const others = compared().map((other) => ({ id: other }))
    toggleComparedRouter('conversation', id, others)
  }
  expect(compared()).toEqual(['b'])
})

test('a compared router that becomes the conversation’s own leaves room for another one', () => {
  const routers = [{ id: 'a' }, { id: 'b' }, { id: 'c' }]
  useRouterComparison.setState({ others: { conversation: ['a', 'b'] } })
  const visible = otherRoutersOf(['a', 'b'], 'a', routers)

  toggleComparedRouter('conversation', 'c', visible)

  expect(useRouterComparison.getState().others['conversation']).toEqual(['b', 'c'])
})

test('the error of one router stays when the next one answers', async () => {
  const scene = usedScene()
  connectChat(stubWindow(scene))
  const [own = '', other = ''] = scene.routers.map(({ id }) => id)

  const message = { conversation: newConversation, routerId: own, text: 'slow' }
  await sendToRouters({ ...message, otherRouterIds: ['router_deleted', other] })

  const { current, threads } = useChat.getState()
  expect(threads[current]?.error).toMatchObject({ code: 'not_found' })
  expect(threads[current]?.messages).toHaveLength(3)
})

test('deleted routers and the conversation’s own are not among the others', () => {
  const routers = [{ id: 'a' }, { id: 'b' }]
  expect(otherRoutersOf(['gone', 'b', 'a'], 'a', routers)).toEqual([{ id: 'b' }])
})
