import { beforeEach, expect, test } from 'vitest'
import { samplePreset } from '../../../../test/sample-conversations.ts'
import { usedScene } from '../../../../test/renderer-harness/scenes.ts'
import { stubWindow } from '../../../../test/renderer-harness/stub-window.ts'
import type { Conversation, ListedPreset } from '../../../shared/chat/conversations.ts'
import { connectChat, newConversation, sendMessage, useChat, useConversations } from './chat.ts'
import { changeInstructions, savePreset, startFrom, usePresets } from './instructions.ts'
import { changeOf, leavePreset, takePreset } from './preset-changes.ts'
import { useToasts } from './toasts.ts'

const routerId = 'router_Fh3kQ9aZ1bC4dE7g'
const otherRouter = 'router_Jk2mN8pR5sT7vW1x'
const translator = samplePreset({ routerId })

/** A conversation that began from the preset. */
async function begun(): Promise<string> {
  connectChat(stubWindow(usedScene()))
  startFrom(await savePreset(translator))
  const id = await sendMessage({ conversation: newConversation, routerId, text: 'Good day' })
  if (id === null) throw new Error('the message was not sent')
  return id
}

function known(id: string): Conversation {
  const conversation = useConversations.getState().items?.find((one) => one.id === id)
  if (!conversation) throw new Error('there is no such conversation')
  return conversation
}

function instructed(id: string) {
  const { systemPrompt, parameters } = known(id)
  return { conversation: id, routerId, instructions: { systemPrompt, parameters } }
}

function changed(id: string): ListedPreset | null {
  return changeOf(known(id).preset, usePresets.getState().items ?? [], instructed(id))
}

beforeEach(() => {
  useChat.setState(useChat.getInitialState(), true)
  useConversations.setState({ items: null, error: null })
  usePresets.setState({ items: null, error: null })
  useToasts.setState({ toasts: [] })
})

test('a conversation knows that its preset has changed, until that is changed back', async () => {
  const id = await begun()
  expect(changed(id)).toBeNull()
  await savePreset({ ...translator, name: 'Interpreter' })
  expect(changed(id)).toBeNull()
  await savePreset({ ...translator, systemPrompt: 'Translate into German.' })
  expect(changed(id)?.systemPrompt).toBe('Translate into German.')
  await savePreset(translator)
  expect(changed(id)).toBeNull()
})

test('another router is a change, and own values of the conversation are none', async () => {
  const id = await begun()
  await changeInstructions(id, { systemPrompt: 'Be brief.', parameters: {} })
  expect(changed(id)).toBeNull()
  await savePreset({ ...translator, routerId: otherRouter })
  expect(changed(id)?.routerId).toBe(otherRouter)
})

test('a preset that is deleted, or that has the values of the conversation, says nothing', async () => {
  const id = await begun()
  const newer = await savePreset({ ...translator, systemPrompt: 'Translate into German.' })
  expect(changeOf(known(id).preset, [], instructed(id))).toBeNull()
  await changeInstructions(id, newer)
  expect(changed(id)).toBeNull()
})

test('its new values are taken with their router, and Undo brings the old ones back', async () => {
  const id = await begun()
  const parameters = { temperature: 0.9 }
  await savePreset({ ...translator, parameters, routerId: otherRouter })
  const preset = changed(id)
  if (preset) await takePreset(instructed(id), preset)
  expect(known(id)).toMatchObject({ systemPrompt: 'Translate into French.', parameters })
  expect(useChat.getState().routerChoices[id]).toBe(otherRouter)
  expect(changed(id)).toBeNull()

  useToasts.getState().toasts[0]?.action?.run()
  await expect.poll(() => known(id).parameters).toEqual(translator.parameters)
  expect(useChat.getState().routerChoices[id]).toBe(routerId)
  expect(changed(id)).toEqual(preset)
})

test('values that were left are left until the next change, also after the old ones were back', async () => {
  const id = await begun()
  const newer = await savePreset({ ...translator, systemPrompt: 'Translate into German.' })
  await leavePreset(instructed(id), newer)
  expect(known(id).systemPrompt).toBe('Translate into French.')
  expect(changed(id)).toBeNull()
  await savePreset(translator)
  expect(changed(id)).toBeNull()
  await savePreset({ ...translator, systemPrompt: 'Translate into Danish.' })
  expect(changed(id)?.systemPrompt).toBe('Translate into Danish.')
})

test('a conversation that is not begun knows it as well', async () => {
  connectChat(stubWindow(usedScene()))
  startFrom(await savePreset(translator))
  const newer = await savePreset({ ...translator, systemPrompt: 'Translate into German.' })
  const { newInstructions, newPreset } = useChat.getState()
  const of = { conversation: newConversation, routerId, instructions: newInstructions }
  expect(changeOf(newPreset, [newer], of)).toEqual(newer)
  await takePreset(of, newer)
  expect(useChat.getState()).toMatchObject({
    newInstructions: { systemPrompt: 'Translate into German.' },
    newPreset: { id: newer.id, version: newer.version },
  })
})
