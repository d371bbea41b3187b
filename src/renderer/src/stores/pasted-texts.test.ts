import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { usedScene } from '../../../../test/renderer-harness/scenes.ts'
import { stubWindow } from '../../../../test/renderer-harness/stub-window.ts'
import { attachedTo } from './attachments.ts'
import { newConversation, setAttached, setDraft, useChat } from './chat.ts'
import { keepAsText, lastPastedFile, pasteAsFile, usePastedTexts } from './pasted-texts.ts'
import { sampleAttachment } from '../../../../test/sample-conversations.ts'

const long = 'word '.repeat(2000)
const atStart = { start: 0, end: 0 }

beforeEach(() => {
  useChat.setState(useChat.getInitialState(), true)
  usePastedTexts.setState({}, true)
  stubWindow(usedScene())
})
afterEach(() => vi.unstubAllGlobals())

test('a pasted text becomes a file, and goes back into the field in place of what is selected', async () => {
  setDraft(newConversation, 'Sum up: this.')
  await pasteAsFile(newConversation, long, atStart)
  expect(useChat.getState().drafts[newConversation]).toBe('Sum up: this.')
  const [file] = attachedTo(newConversation)
  if (!file) throw new Error('there is no file')
  keepAsText(newConversation, file, { start: 8, end: 12 })
  expect(useChat.getState().drafts[newConversation]).toBe(`Sum up: ${long}.`)
  expect(attachedTo(newConversation)).toEqual([])
})

test('a paste can be undone until something is written or attached after it', async () => {
  expect(lastPastedFile(newConversation)).toBeNull()
  await pasteAsFile(newConversation, long, atStart)
  const [file] = attachedTo(newConversation)
  expect(lastPastedFile(newConversation)).toBe(file)
  setDraft(newConversation, 'Sum up')
  expect(lastPastedFile(newConversation)).toBeNull()
  setDraft(newConversation, '')
  if (file) setAttached(newConversation, [file, sampleAttachment({ sha256: 'b'.repeat(64) })])
  expect(lastPastedFile(newConversation)).toBeNull()
})

test('a text that is refused as a file lands in the field', async () => {
  const files = Array.from({ length: 10 }, (_, at) =>
    sampleAttachment({ sha256: String(at).repeat(64) }),
  )
  setAttached(newConversation, files)
  await pasteAsFile(newConversation, long, atStart)
  expect(useChat.getState().drafts[newConversation]).toBe(long)
  expect(attachedTo(newConversation)).toEqual(files)
})
