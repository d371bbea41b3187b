import { beforeEach, expect, test } from 'vitest'
import { samplePreset } from '../../../../test/sample-conversations.ts'
import { usedScene } from '../../../../test/renderer-harness/scenes.ts'
import { stubWindow } from '../../../../test/renderer-harness/stub-window.ts'
import {
  chooseRouter,
  connectChat,
  newConversation,
  noInstructions,
  openConversation,
  sendMessage,
  useChat,
} from './chat.ts'
import { beginInFolder } from './folders.ts'
import { changeInstructions, savePreset, usePresets } from './instructions.ts'
import { beginConversation, beginNew } from './new-conversation.ts'
import { loadPreview, usePreviews } from './previews.ts'

const [ownRouter, routerOfPreset] = ['router_Fh3kQ9aZ1bC4dE7g', 'router_Jk2mN8pR5sT7vW1x']
const preset = samplePreset({ routerId: routerOfPreset })
const work = { id: 'work', name: 'Work', presetId: preset.id }
const plain = { id: 'plain', name: 'Plain', presetId: null }
const blank = { instructions: noInstructions, preset: null, folder: null, router: undefined }

function begun() {
  const { newInstructions, newPreset, newFolderId, routerChoices } = useChat.getState()
  const router = routerChoices[newConversation]
  return { instructions: newInstructions, preset: newPreset, folder: newFolderId, router }
}

const ofWork = {
  instructions: { systemPrompt: preset.systemPrompt, parameters: preset.parameters },
  preset: { id: preset.id },
  folder: 'work',
  router: routerOfPreset,
}

beforeEach(async () => {
  useChat.setState(useChat.getInitialState(), true)
  usePresets.setState({ items: null, error: null })
  connectChat(stubWindow(usedScene()))
  await savePreset(preset)
})

test('what a folder’s preset gave is gone in a new conversation outside it', () => {
  beginInFolder(work)
  expect(begun()).toMatchObject(ofWork)
  beginNew()
  expect(begun()).toEqual(blank)
})

test('the decision that was made with it is not shown any more', async () => {
  beginInFolder(work)
  await loadPreview({ conversation: newConversation, routerId: routerOfPreset, text: 'hello' })
  expect(usePreviews.getState()).toHaveProperty(newConversation)
  beginNew()
  expect(usePreviews.getState()).not.toHaveProperty(newConversation)
})

test('it is gone in a folder without a preset, which is the new conversation’s folder', () => {
  beginInFolder(work)
  beginInFolder(plain)
  expect(begun()).toEqual({ ...blank, folder: 'plain' })
})

test('looking at another conversation changes neither the folder nor what its preset gave', async () => {
  beginInFolder(work)
  await openConversation('conversation-0')
  await openConversation(newConversation)
  expect(begun()).toMatchObject(ofWork)
})

test('what was chosen before the folder comes back', async () => {
  chooseRouter(newConversation, ownRouter)
  await changeInstructions(newConversation, { systemPrompt: 'Be brief.', parameters: {} })
  const own = begun()
  beginInFolder(work)
  beginInFolder(work)
  beginNew()
  expect(begun()).toEqual(own)
})

test('what is typed or chosen in the folder stays', async () => {
  const typed = { systemPrompt: 'Be brief.', parameters: {} }
  beginInFolder(work)
  await changeInstructions(newConversation, typed)
  chooseRouter(newConversation, ownRouter)
  beginNew()
  expect(begun()).toEqual({ ...blank, instructions: typed, router: ownRouter })
})

test('after a message was sent in the folder, its router is not that of the next conversation', async () => {
  beginInFolder(work)
  await sendMessage({ conversation: newConversation, routerId: routerOfPreset, text: 'hello' })
  beginNew()
  expect(begun()).toEqual(blank)
})

test('a conversation on a router is in no folder, and keeps that router', () => {
  beginInFolder(work)
  beginConversation(routerOfPreset)
  expect(begun()).toEqual({ ...blank, router: routerOfPreset })
})
