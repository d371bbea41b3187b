/** Exports of Modelport that are imported elsewhere. */
import { expect, test } from 'vitest'
import type { Conversation, ConversationMessage } from '../../src/shared/chat/conversations.ts'
import {
  sampleAttachment,
  sampleConversation,
  sampleMessage,
  sampleToolStep,
} from '../sample-conversations.ts'
import { file, startImports } from './start-imports.ts'

interface Exported {
  conversation: Conversation
  messages: readonly ConversationMessage[]
}

/** Imports the export into a store of its own. */
async function importedElsewhere({ conversation, messages }: Exported) {
  const { storage, store, run } = await startImports()
  const report = await run(
    file('own.json', JSON.stringify({ modelport: 1, ...conversation, messages })),
  )
  const [kept] = await store.list()
  if (!kept) throw new Error('nothing was imported')
  const exported = { conversation: kept, messages: await store.messages(kept.id) }
  await storage.close()
  return { report, exported }
}

/** What a person sees of it. Messages are named by their text and error, which are different in each. */
function contentOf({ conversation, messages }: Exported) {
  const names = new Map(messages.map(({ id, text, error }) => [id, `${text} ${error}`]))
  const { title, systemPrompt, parameters, createdAtMs } = conversation
  return {
    title,
    systemPrompt,
    parameters,
    createdAtMs,
    messages: messages.map((message) => ({
      ...message,
      id: names.get(message.id),
      parentId: names.get(message.parentId ?? '') ?? null,
      imported: message.imported ?? { model: null, details: [] },
    })),
  }
}

const details = [
  { kind: 'missing_file', title: 'plan.pdf', text: 'The text of the plan.' },
  { kind: 'missing_file', title: 'photo.png', text: '' },
  { kind: 'tool_call', title: 'search', text: '' },
] as const

const answer = (id: string, parentId: string, over: Partial<ConversationMessage> = {}) =>
  sampleMessage({ id, parentId, role: 'assistant', text: `Answer ${id}`, ...over })

const parameters = { temperature: 0.2, maxTokens: 500, preference: 'best', limitUsd: 1 } as const

const whole: Exported = {
  conversation: sampleConversation({
    id: 'own',
    title: 'Own',
    systemPrompt: 'Be brief.',
    parameters,
    createdAtMs: 1_700_000_000_000,
  }),
  // An import writes what follows an answer before its siblings.
  messages: [
    sampleMessage({ id: 'q', text: '    indented()\n  code\n' }),
    answer('a', 'q', { isSetAside: true }),
    sampleMessage({
      id: 'q2',
      parentId: 'a',
      text: 'Why?',
      imported: { model: null, details: [...details] },
    }),
    answer('d', 'q2', { text: '', state: 'failed', error: 'No model.' }),
    answer('e', 'q2', { isSetAside: true, imported: { model: 'gpt-5', details: [] } }),
    sampleMessage({ id: 'q3', parentId: 'a', text: 'Why not?', isSetAside: true }),
    answer('b', 'q', { state: 'failed', error: 'It broke off.', errorDetail: 'ECONNRESET' }),
    answer('c', 'q', { state: 'stopped', error: 'It is long.', isSetAside: true }),
  ].map((message) => ({ ...message, createdAtMs: 1_700_000_000_000 })),
}

test('an export is the same after an import elsewhere, and so is the next one', async () => {
  const { report, exported } = await importedElsewhere(whole)
  expect(report).toMatchObject({ messages: whole.messages.length, losses: [], warnings: [] })
  expect(contentOf(exported)).toEqual(contentOf(whole))
  const again = await importedElsewhere(exported)
  expect(again.report.losses).toEqual([])
  expect(contentOf(again.exported)).toEqual(contentOf(whole))
})

test('what an import of an export does not keep is said, and tools stay off', async () => {
  const source = { kind: 'source', title: 'A page', text: 'https://example.com/a' } as const
  const meta = {
    requestId: 'r',
    modelUsed: 'openai:gpt-5',
    costUsd: 0.01,
    latencyMs: 1,
    carbonGrams: 0,
    routerDecision: 'balanced',
    fallback: null,
  } as const
  const citations = [{ source: 0, at: 3 }]
  const { report, exported } = await importedElsewhere({
    conversation: sampleConversation({
      routerId: 'router_a',
      parameters: { topP: 1, tools: true },
    }),
    messages: [
      sampleMessage({ id: 'q', attachments: [sampleAttachment()] }),
      answer('a', 'q', { meta, toolSteps: [sampleToolStep()], sources: [source], citations }),
    ],
  })
  expect(report.losses).toEqual([
    '1 file is not in the export, or of a kind that the chat cannot keep. Its name is kept.',
    '1 answer loses its cost and its other figures.',
    '1 answer called tools. The calls are listed below it, and models do not read them again.',
    '1 answer loses the places at which it cites its sources. The sources are kept.',
    '1 conversation loses its router, agent, preset or folder.',
    '1 conversation had its tools on. They are off until you switch them on.',
  ])
  expect(exported.conversation.parameters).toEqual({ topP: 1 })
  expect(exported.messages.map(({ imported }) => imported)).toMatchObject([
    { details: [{ kind: 'missing_file', title: 'notes.txt' }] },
    { model: 'openai:gpt-5', details: [{ kind: 'tool_call' }, { kind: 'tool_result' }, source] },
  ])
})

test('parameters of a later version cost themselves, and this is said', async () => {
  const { conversation, messages } = whole
  const unknown = { ...conversation, parameters: { temperature: 9 } }
  const { report, exported } = await importedElsewhere({ conversation: unknown, messages })
  expect(report.losses).toEqual(['1 conversation has parameters that this version cannot read.'])
  expect(exported.conversation.parameters).toEqual({})
})
