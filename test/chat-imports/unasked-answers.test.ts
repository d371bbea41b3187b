/** Imported answers that follow no question: greetings, and answers to hidden questions. */
import { expect, test } from 'vitest'
import { turnsOf } from '../../src/shared/chat/conversation-turns.ts'
import { bodyOf } from '../../src/service/window/conversation-turns.ts'
import { file, pathOf, startImports, zip } from './start-imports.ts'

const greeted = [
  { role: 'system', content: 'Be brief.' },
  { role: 'assistant', content: 'Welcome.' },
  { role: 'user', content: 'Who are you?' },
  { role: 'assistant', content: 'A guide.' },
]

test('a conversation that begins with an answer shows it, and models read it', async () => {
  const { storage, store, run } = await startImports()
  const path = file('lines.jsonl', JSON.stringify({ title: 'Greeted', messages: greeted }))
  expect(await run(path)).toMatchObject({ messages: 3 })
  const [conversation] = await store.list()
  if (!conversation) throw new Error('nothing was imported')
  const messages = await store.messages(conversation.id)

  expect(pathOf(messages)).toEqual(['Welcome.', 'Who are you?', 'A guide.'])
  expect((await bodyOf(conversation, turnsOf(messages), store)).messages).toEqual(greeted)
  expect(await run(path)).toMatchObject({ conversations: { known: 1 }, messages: 0 })
  expect(await store.messages(conversation.id)).toEqual(messages)
  await storage.close()
})

function said(parent: string | null, role: string, text: string, metadata = {}) {
  return {
    parent,
    message: { author: { role }, metadata, content: { content_type: 'text', parts: [text] } },
  }
}

const isHidden = { is_visually_hidden_from_conversation: true }

test('an answer to a hidden question beside a shown one has a branch of its own', async () => {
  const { storage, store, run, shown } = await startImports()
  const mapping = {
    h0: said(null, 'user', 'hidden', isHidden),
    a1: said('h0', 'assistant', 'First answer'),
    q2: said('a1', 'user', 'Question beside'),
    h: said('a1', 'user', 'hidden', isHidden),
    a2: said('h', 'assistant', 'Second answer'),
    b2: said('h', 'assistant', 'Another second answer'),
    q3: said('a2', 'user', 'Last question'),
  }
  await run(
    zip([
      {
        name: 'conversations.json',
        json: [{ id: 'c', title: 'Hidden', mapping, current_node: 'q3' }],
      },
    ]),
  )
  const messages = await shown('Hidden')
  expect(pathOf(messages)).toEqual(['First answer', 'Second answer', 'Last question'])
  const [, second] = turnsOf(messages)
  expect(second?.questions.map(({ text }) => text)).toEqual(['Question beside', ''])
  expect(second?.answers.map(({ text }) => text)).toEqual([
    'Second answer',
    'Another second answer',
  ])

  const beside = second?.questions[0]
  await store.setAside([second?.question.id ?? ''], true)
  await store.setAside([beside?.id ?? ''], false)
  expect(pathOf(await shown('Hidden'))).toEqual(['First answer', 'Question beside'])
  await storage.close()
})
