import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { usedScene } from '../../../../test/renderer-harness/scenes.ts'
import { stubWindow } from '../../../../test/renderer-harness/stub-window.ts'
import { newConversation } from './chat.ts'
import {
  closePreview,
  leaveModel,
  loadPreview,
  mayBeSent,
  previewFor,
  takeModel,
  takenModelOf,
  usePreviews,
  useTakenModels,
  wasAsked,
} from './previews.ts'

const message = {
  conversation: newConversation,
  routerId: 'router_Fh3kQ9aZ1bC4dE7g',
  text: 'Hello',
}
const shown = (of = message) => previewFor(of, usePreviews.getState())

beforeEach(() => {
  usePreviews.setState({}, true)
  useTakenModels.setState({}, true)
})
afterEach(() => vi.unstubAllGlobals())

test('a message is previewed without a conversation, and the preview can be closed', async () => {
  const scene = usedScene()
  stubWindow(scene)
  const before = scene.conversations.length

  const loading = loadPreview(message)
  expect(shown()).toEqual({ kind: 'loading' })
  await loading

  expect(shown()).toMatchObject({ kind: 'known', preview: { object: 'modelport.preview' } })
  expect(scene.conversations).toHaveLength(before)
  closePreview(newConversation)
  expect(shown()).toBe(null)
})

test('a preview is of one text and router, and is not shown for another', async () => {
  stubWindow(usedScene())
  await loadPreview(message)

  expect(shown({ ...message, text: 'Hello!' })).toBe(null)
  expect(shown({ ...message, routerId: 'router_other' })).toBe(null)
  expect(shown({ ...message, conversation: 'other' })).toBe(null)
})

test('the preview that was asked for last is shown', async () => {
  stubWindow(usedScene())
  const later = { ...message, text: 'Hello again' }

  await Promise.all([loadPreview(message), loadPreview(later)])

  expect(shown()).toBe(null)
  expect(shown(later)).toMatchObject({ kind: 'known' })
})

test('a refusal is shown with its reason', async () => {
  stubWindow(usedScene())
  const refused = { ...message, text: 'refuse' }

  await loadPreview(refused)

  expect(shown(refused)).toMatchObject({
    kind: 'failed',
    error: { message: 'No model can take the request.' },
  })
})

test('a message above the limit is sent only after it was asked about, and once per text', async () => {
  stubWindow(usedScene())
  const asked = (of = message) => wasAsked(of, usePreviews.getState())

  expect(await mayBeSent(message, 1e-9)).toBe(false)
  expect(asked()).toBe(true)
  // The line decides again after the last key.
  await loadPreview(message)
  expect(asked()).toBe(true)
  expect(await mayBeSent(message, 1e-9)).toBe(true)

  const other = { ...message, text: 'Hello again' }
  expect(await mayBeSent(other, 1e-9)).toBe(false)
  expect(asked()).toBe(false)
  closePreview(newConversation)
  expect(await mayBeSent(other, 1e-9)).toBe(false)
})

test('a message above the limit is asked about, also when the routing line decides on it meanwhile', async () => {
  const { bridge } = stubWindow(usedScene())
  const { call } = bridge
  const line = Promise.withResolvers<void>()
  const sending = mayBeSent(message, 1e-9)
  vi.spyOn(bridge, 'call').mockImplementationOnce(async (name, input) => {
    await line.promise
    return call(name, input)
  })
  const loading = loadPreview({ ...message })

  expect(await sending).toBe(false)
  expect(wasAsked(message, usePreviews.getState())).toBe(true)
  line.resolve()
  await loading
  expect(wasAsked(message, usePreviews.getState())).toBe(true)
  expect(await mayBeSent(message, 1e-9)).toBe(true)
})

test('a message above the limit is not sent when another text is decided on meanwhile', async () => {
  stubWindow(usedScene())
  const later = { ...message, text: 'Hello again' }

  const sending = mayBeSent(message, 1e-9)
  const loading = loadPreview(later)

  expect(await sending).toBe(false)
  await loading
  expect(wasAsked(later, usePreviews.getState())).toBe(false)
  expect(shown(later)).toMatchObject({ kind: 'known' })
})

test('nothing is asked below the limit, without one, or without a forecast', async () => {
  stubWindow(usedScene())

  expect(await mayBeSent(message, 1_000)).toBe(true)
  expect(await mayBeSent(message, 0)).toBe(true)
  expect(await mayBeSent({ ...message, text: 'refuse' }, 1e-9)).toBe(true)
  expect(wasAsked(message, usePreviews.getState())).toBe(false)
})

test('a taken model is of one router, and ends when the decision no longer ranks it', async () => {
  stubWindow(usedScene())
  await loadPreview(message)
  const state = shown()
  if (state?.kind !== 'known') throw new Error('there is no preview')
  const [first] = state.preview.decision.ranked
  if (!first) throw new Error('no model is ranked')
  const [own, other] = [state.preview.model, 'openai:other']
  state.preview.decision.ranked.push({ ...first, model: other })

  takeModel(message, other)
  expect(takenModelOf(message)).toBe(other)
  // Its forecast follows later.
  expect(takenModelOf({ ...message, text: 'More' })).toBe(other)
  expect(takenModelOf({ ...message, routerId: 'router_other' })).toBeNull()
  takeModel(message, own)
  expect(takenModelOf(message)).toBeNull()
  takeModel(message, 'gone:model')
  expect(takenModelOf(message)).toBeNull()
  takeModel(message, other)
  leaveModel(message.conversation)
  expect(takenModelOf(message)).toBeNull()
})
