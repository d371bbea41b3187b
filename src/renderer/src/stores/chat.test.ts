import {
  sampleAttachment,
  sampleConversation,
  sampleMessage,
} from '../../../../test/sample-conversations.ts'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { demoModel } from '../../../shared/models/provider-type.ts'
import { usedScene } from '../../../../test/renderer-harness/scenes.ts'
import { stubWindow } from '../../../../test/renderer-harness/stub-window.ts'
import {
  askAgain,
  correctMessage,
  editQuestion,
  keepAnswer,
  removeMessage,
  showBranch,
} from './branches.ts'
import {
  changeThread,
  connectChat,
  newConversation,
  openConversation,
  routerOf,
  sendMessage,
  setAttached,
  setDraft,
  stopAnswer,
  useChat,
  useConversations,
} from './chat.ts'
import { useLiveAnswers } from './live-answers.ts'
import { beginConversation } from './new-conversation.ts'
import { turnsOf } from '../../../shared/chat/conversation-turns.ts'
import { useToasts } from './toasts.ts'
import { loadDrafts } from './unsent-messages.ts'

const routerId = 'router_Fh3kQ9aZ1bC4dE7g'

function open(...args: [deliver?: (handOver: () => void) => void]) {
  const stub = stubWindow(usedScene(), ...args)
  connectChat(stub)
  return stub
}

function thread() {
  const { threads, current } = useChat.getState()
  return threads[current]
}

function answer() {
  return thread()?.messages?.at(-1)
}

async function send(text: string): Promise<void> {
  await sendMessage({ conversation: useChat.getState().current, routerId, text })
}

beforeEach(() => {
  useChat.setState(useChat.getInitialState(), true)
  useConversations.setState({ items: null, error: null })
  useLiveAnswers.setState({}, true)
})
afterEach(() => vi.unstubAllGlobals())

test.each([
  ['first', 'first and the next thought', ' and the next thought'],
  ['no', 'I know another way', 'I know another way'],
])('after %j is sent, what %j adds stays with its file', async (text, written, kept) => {
  open()
  const id = 'conversation-0'
  await openConversation(id)
  setDraft(id, text)
  const sent = sendMessage({ conversation: id, routerId, text })
  setDraft(id, written)
  const file = sampleAttachment()
  setAttached(id, [file])
  await sent
  expect(useChat.getState().drafts[id]).toBe(kept)
  expect(useChat.getState().attached[id]).toEqual([file])
})

describe('an answer', () => {
  test.each([
    ['before the call is answered', (handOver: () => void) => handOver()],
    ['after the call is answered', (handOver: () => void) => void setTimeout(handOver, 30)],
  ])('streams into the thread when its port arrives %s', async (_when, deliver) => {
    open(deliver)
    await send('hello')
    expect(answer()).toMatchObject({ role: 'assistant', state: 'streaming' })
    await expect.poll(() => answer()?.state).toBe('complete')
    expect(answer()?.text).toContain('You wrote: **hello**.')
    expect(answer()?.meta).toMatchObject({ modelUsed: 'local:SmolLM2-135M-Instruct' })
    expect(useLiveAnswers.getState()).toEqual({})
  })

  test('grows in the live store while it streams', async () => {
    open()
    await send('slow')
    const id = answer()?.id ?? ''
    await expect.poll(() => useLiveAnswers.getState()[id]).toContain('You wrote')
    stopAnswer(id)
    await expect.poll(() => answer()?.state).toBe('stopped')
  })

  test('that was stopped keeps the text so far', async () => {
    open()
    await send('slow')
    const id = answer()?.id ?? ''
    await expect.poll(() => useLiveAnswers.getState()[id]).toContain('You')
    stopAnswer(id)
    await expect.poll(() => answer()?.state).toBe('stopped')
    expect(answer()?.text).toContain('You')
  })

  test('that fails shows the service’s message', async () => {
    open()
    await send('fail')
    await expect.poll(() => answer()?.state).toBe('failed')
    expect(answer()?.error).toBe('The model process ended in the middle of the answer.')
  })

  test('counts as stopped when its stream breaks off', async () => {
    const stub = open()
    const { port1, port2 } = new MessageChannel()
    stub.bridge.call = async () => {
      const message = { id: 'a', role: 'assistant', text: '', createdAtMs: 0, error: null } as const
      const conversation = { id: 'c', title: 't', routerId, createdAtMs: 0, updatedAtMs: 0 }
      const sent = { ...message, state: 'streaming', meta: null, agentMeta: null } as const
      const value = { conversation, question: { ...sent, id: 'q' }, answer: sent, streamId: 's' }
      // Only `chat:send` is called here.
      return { ok: true, value } as never
    }
    const listeners: ((event: MessageEvent) => void)[] = []
    const source = {
      addEventListener: (_name: string, listener: (event: MessageEvent) => void) => {
        listeners.push(listener)
      },
    }
    connectChat(source)
    await send('hello')
    const message = { data: { kind: 'modelport:stream', streamId: 's' }, ports: [port2], source }
    // The fields of a MessageEvent that the code reads; a real one does not accept a fake source.
    listeners.forEach((listener) => listener(message as unknown as MessageEvent))
    port1.postMessage({ kind: 'delta', text: 'half an ' })
    await expect.poll(() => useLiveAnswers.getState()['a']).toBe('half an ')
    port1.close()
    await expect.poll(() => answer()).toMatchObject({ state: 'stopped', text: 'half an ' })
  })
})

describe('a message', () => {
  test('starts a conversation at the top of the list', async () => {
    open()
    await useConversations.getState().load()
    await send('hello')
    expect(useConversations.getState().items?.[0]).toMatchObject({ title: 'hello', routerId })
    expect(useChat.getState().current).toBe(useConversations.getState().items?.[0]?.id)
  })

  test('that is rejected stays in the composer, and the thread shows the reason', async () => {
    open()
    setDraft(newConversation, 'refuse')
    await send('refuse')
    expect(useChat.getState().drafts[newConversation]).toBe('refuse')
    expect(thread()?.error?.message).toBe('The daily limit is reached.')
  })

  test('that was sent clears its own draft and no other', async () => {
    open()
    setDraft(newConversation, 'hello')
    setDraft('conversation-1', 'later')
    await send('hello')
    expect(useChat.getState().drafts).toMatchObject({
      [newConversation]: '',
      'conversation-1': 'later',
    })
  })

  test('is sent once when Enter is pressed twice', async () => {
    open()
    await Promise.all([send('hello'), send('hello')])
    expect(thread()?.messages).toHaveLength(2)
  })
})

describe('the last question', () => {
  const shopId = 'router_Jk2mN8pR5sT7vW1x'

  /** A question that the shop's first model answered, sent again to its second model. */
  async function askTwice(isBeside: boolean) {
    const { bridge } = open()
    const calls = vi.spyOn(bridge, 'call')
    await sendMessage({ conversation: newConversation, routerId: shopId, text: 'hello' })
    await expect.poll(() => answer()?.state).toBe('complete')
    const conversation = useChat.getState().current
    await askAgain({ conversation, routerId: shopId, model: 'openai:gpt-5', isBeside })
    await expect.poll(() => answer()?.state).toBe('complete')
    const [, first, second] = thread()?.messages ?? []
    if (!first || !second) throw new Error('an answer is missing')
    return { calls, conversation, first, second }
  }

  test('is answered by the chosen model instead of the first, and this is recorded as feedback', async () => {
    const { calls, first, second } = await askTwice(false)
    expect(first.isSetAside).toBe(true)
    expect(second.meta).toMatchObject({ modelUsed: 'openai:gpt-5', routerDecision: 'pinned' })
    await expect
      .poll(() => calls)
      .toHaveBeenLastCalledWith('feedback:give', {
        requestId: first.meta?.requestId,
        kind: 'regenerated',
        otherRequestId: second.meta?.requestId,
      })
  })

  test('has two answers until the better one is picked, and this is recorded as feedback', async () => {
    const { calls, conversation, first, second } = await askTwice(true)
    expect([first.isSetAside, second.isSetAside]).toEqual([false, false])
    await keepAnswer(conversation, second)
    expect(thread()?.messages?.map(({ isSetAside }) => isSetAside)).toEqual([false, true, false])
    expect(calls).toHaveBeenLastCalledWith('feedback:give', {
      requestId: second.meta?.requestId,
      kind: 'preferred',
      otherRequestId: first.meta?.requestId,
    })
  })

  test('shows the first answer again when the new one fails, and why it failed', async () => {
    open()
    await sendMessage({ conversation: newConversation, routerId: shopId, text: 'hello' })
    await expect.poll(() => answer()?.state).toBe('complete')
    const conversation = useChat.getState().current
    const [question] = thread()?.messages ?? []
    if (!question) throw new Error('the question is missing')
    await correctMessage(conversation, question, 'fail')
    await askAgain({ conversation, routerId: shopId, model: null, isBeside: false })
    const states = () => thread()?.messages?.map(({ state, isSetAside }) => [state, isSetAside])
    await expect.poll(states).toEqual([
      ['complete', false],
      ['complete', false],
      ['failed', true],
    ])
    expect(thread()?.messages?.at(-1)?.error).toContain('ended in the middle')
  })

  test('withdraws its feedback when its first answer is kept after all', async () => {
    const { calls, conversation, first } = await askTwice(false)
    await keepAnswer(conversation, first)
    expect(calls).toHaveBeenCalledWith('feedback:withdraw', {
      requestId: first.meta?.requestId,
      kind: 'regenerated',
    })
    expect(thread()?.error).toBeNull()
  })
})

describe('a changed question', () => {
  const shown = () => turnsOf(thread()?.messages ?? []).map(({ question }) => question.text)

  async function editFirst() {
    open()
    await send('one')
    await expect.poll(() => answer()?.state).toBe('complete')
    const conversation = useChat.getState().current
    const [question] = thread()?.messages ?? []
    if (!question) throw new Error('the question is missing')
    await editQuestion({ conversation, question, routerId, text: 'two' })
    await expect.poll(() => answer()?.state).toBe('complete')
    return { conversation, question }
  }

  test('stands in place of the old one, which can be shown again', async () => {
    const { conversation, question } = await editFirst()
    expect(shown()).toEqual(['two'])
    expect(answer()?.text).toContain('You wrote: **two**.')
    await showBranch(conversation, question)
    expect(shown()).toEqual(['one'])
    expect(thread()?.messages).toHaveLength(4)
  })

  test('is deleted with its answer, and both come back', async () => {
    const { conversation } = await editFirst()
    const edited = turnsOf(thread()?.messages ?? [])[0]?.question
    if (!edited) throw new Error('the question is missing')
    await removeMessage(conversation, edited)
    expect(shown()).toEqual(['one'])
    useToasts.getState().toasts.at(-1)?.action?.run()
    await expect.poll(shown).toEqual(['two'])
    expect(useToasts.getState().toasts.at(-1)?.text).toBe('Deleted 2 messages')
  })
})

test('an unsent message is stored, and is there after a restart', async () => {
  open()
  setDraft(newConversation, 'Later')
  await expect
    .poll(async () => {
      useChat.setState({ drafts: {} })
      await loadDrafts()
      return useChat.getState().drafts
    })
    .toEqual({ [newConversation]: 'Later' })
})

test('the end of a long conversation is there before the rest, and what is sent meanwhile stays', async () => {
  const scene = usedScene()
  const id = scene.conversations[0]?.id ?? ''
  const long = Array.from({ length: 300 }, (_, index) => ({
    ...sampleMessage({ id: `m${index}`, role: index % 2 === 0 ? 'user' : 'assistant' }),
    parentId: index === 0 ? null : `m${index - 1}`,
  }))
  scene.messages[id] = long
  connectChat(stubWindow(scene))
  const shown: (number | undefined)[] = []
  const stop = useChat.subscribe(({ threads }) => {
    const length = threads[id]?.messages?.length
    shown.push(length)
    // Like a question that is sent before the rest was read.
    if (length !== 80 || scene.messages[id] !== long) return
    scene.messages[id] = [...long, sampleMessage({ id: 'sent', parentId: 'm299' })]
    changeThread(id, ({ messages, error }) => ({ error, messages: messages?.slice(1) ?? null }))
  })

  await openConversation(id)

  stop()
  expect(shown.filter((length) => length !== undefined)).toEqual([80, 79, 301])
  expect(thread()?.messages?.at(-1)).toMatchObject({ id: 'sent' })
})

test('an opened conversation loads its messages once', async () => {
  open()
  await openConversation('conversation-0')
  expect(thread()?.messages).toHaveLength(6)
})

describe('the router of a conversation', () => {
  const routers = [
    { id: 'demo', models: [demoModel.id] },
    { id: 'first', models: ['openai:gpt-5.4'] },
    { id: 'second', models: ['openai:gpt-5.4'] },
  ]
  const nothing = sampleConversation()
  const idOf = (conversation: string, routerChoices = {}) =>
    routerOf(conversation, routers, { routerChoices })?.id

  test('is the one picked for it', () => {
    expect(idOf('c', { c: 'second' })).toBe('second')
    expect(idOf('c', { c: 'demo' })).toBe('demo')
  })

  test('is the previous one', () => {
    useConversations.setState({ items: [{ ...nothing, id: 'c', routerId: 'second' }] })
    expect(idOf('c')).toBe('second')
  })

  test('is that of the last conversation when there is none yet', () => {
    useConversations.setState({ items: [{ ...nothing, id: 'c', routerId: 'second' }] })
    expect(idOf(newConversation)).toBe('second')
  })

  test('is never the demo while there is another, also when its own was deleted', () => {
    useConversations.setState({ items: [{ ...nothing, id: 'c', routerId: 'demo' }] })
    expect(idOf(newConversation)).toBe('first')
    expect(idOf('d', { d: 'gone' })).toBe('first')
  })
})

test('a new router opens a new conversation on it, beside the open one', () => {
  useChat.setState({ current: 'c', routerChoices: { c: 'first' } })
  beginConversation('second')
  expect(useChat.getState()).toMatchObject({
    current: newConversation,
    routerChoices: { c: 'first', [newConversation]: 'second' },
  })
})
