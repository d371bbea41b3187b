import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { sampleQueued } from '../../../../test/sample-conversations.ts'
import { usedScene } from '../../../../test/renderer-harness/scenes.ts'
import { stubWindow } from '../../../../test/renderer-harness/stub-window.ts'
import { saveNow, saveSoon, withoutUnsaved } from './draft-saving.ts'

let conversation = ''
beforeEach(() => void (conversation = crypto.randomUUID()))
afterEach(() => vi.unstubAllGlobals())

/** The service, and what it was asked to store. */
function open() {
  const { bridge } = stubWindow(usedScene())
  const calls = vi.spyOn(bridge, 'call')
  return { calls, saved: () => calls.mock.calls.map(([, input]) => input) }
}

test('changes are stored together after a pause, and nothing else with them', async () => {
  const { saved } = open()
  saveSoon(conversation, { text: 'W' }, 20)
  saveSoon(conversation, { text: 'What' }, 20)
  saveSoon(conversation, { attachments: [] }, 0)
  await expect
    .poll(saved)
    .toEqual([{ conversationId: conversation, text: 'What', attachments: [] }])
  await saveNow(conversation, { queue: [] })
  expect(saved().slice(1)).toEqual([{ conversationId: conversation, queue: [] }])
})

test('what could not be stored is stored with the next change', async () => {
  const { calls, saved } = open()
  calls.mockRejectedValueOnce(new Error('The disk is full.'))
  await saveNow(conversation, { text: 'What' })
  await saveNow(conversation, { queue: [] })
  expect(saved().at(-1)).toEqual({ conversationId: conversation, text: 'What', queue: [] })
})

test('what another window stored does not replace what this one has yet to store', async () => {
  open()
  const queue = [sampleQueued()]
  const stored = { text: 'Theirs', queue }
  saveSoon(conversation, { text: 'Mine' }, 1000)
  expect(withoutUnsaved(conversation, stored)).toEqual({ queue })
  await saveNow(conversation, {})
  expect(withoutUnsaved(conversation, stored)).toEqual(stored)
})

test('a change while another is being stored is stored, too', async () => {
  const { saved } = open()
  const first = saveNow(conversation, { text: 'Wh' })
  saveSoon(conversation, { text: 'What' }, 0)
  await first
  await expect.poll(saved).toHaveLength(2)
  expect(saved().at(-1)).toEqual({ conversationId: conversation, text: 'What' })
})
