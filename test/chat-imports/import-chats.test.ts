import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { importChats } from '../../src/service/chat-imports/import-chats.ts'
import { openStorage } from '../../src/service/storage/sqlite/open-storage.ts'
import { sampleConversation, sampleMessage } from '../sample-conversations.ts'
import { seeded } from '../agents/random.ts'
import { samplePng } from '../sample-files.ts'
import { temporaryFolder } from '../storage/temporary-folder.ts'
import { randomSeeds, tortureTimeoutMs } from '../torture/amounts.ts'
import { oddExport, type ExpectedConversation } from './odd-exports.ts'
import { file, pathOf, startImports, zip } from './start-imports.ts'

const chatgptQuestion = {
  id: 'c1',
  title: 'One',
  create_time: 1_700_000_000,
  mapping: {
    a: {
      parent: null,
      message: { author: { role: 'user' }, content: { content_type: 'text', parts: ['Hi?'] } },
    },
  },
  current_node: 'a',
}

test(
  'random exports lose, double and move nothing, and a second import adds nothing',
  async () => {
    const { storage, store, run } = await startImports()
    for (const seed of randomSeeds({ quick: 4, full: 200 })) {
      const { shards, expected } = oddExport(seeded(seed), 12, 500)
      const path = zip(shards.map(({ name, conversations }) => ({ name, json: conversations })))
      const first = await run(path)
      const { messages } = await run(path)
      const kept = await keptIn(store)
      expect({
        seed,
        kept: inOrder(kept),
        refused: first.refused,
        warnings: first.warnings,
      }).toEqual({
        seed,
        kept: inOrder(expected),
        refused: null,
        warnings: [],
      })
      expect({ seed, messages }).toEqual({ seed, messages: 0 })
      // The next export has the same ids.
      for (const { id } of await store.list()) await store.remove(id, 1)
      await store.purge(1)
    }
    await storage.close()
  },
  tortureTimeoutMs,
)

type Kept = Pick<ExpectedConversation, 'path' | 'texts'>

async function keptIn(store: Awaited<ReturnType<typeof startImports>>['store']): Promise<Kept[]> {
  const threads = await Promise.all((await store.list()).map(({ id }) => store.messages(id)))
  return threads.map((messages) => ({
    path: pathOf(messages),
    // A question that stands for a missing one has no text.
    texts: messages.map(({ text }) => text).filter((text) => text !== ''),
  }))
}

/** Texts are different in each conversation, so their order is that of the conversations. */
function inOrder(conversations: readonly Kept[]): Kept[] {
  return conversations
    .map(({ path, texts }) => ({ path, texts: texts.toSorted() }))
    .toSorted((a, b) => (String(a.texts) < String(b.texts) ? -1 : 1))
}

test('a newer export adds its new messages, and leaves what a person changed', async () => {
  const { storage, store, run, shown } = await startImports()
  await run(zip([{ name: 'conversations.json', json: [chatgptQuestion] }]))
  const [question] = await shown('One')
  const [conversation] = await store.list()
  if (!question || !conversation) throw new Error('nothing was imported')
  await store.saveMessage(conversation.id, { ...question, text: 'Hi, corrected?' })
  await store.save({ ...conversation, title: 'Renamed' })

  const answer = {
    parent: 'a',
    message: {
      author: { role: 'assistant' },
      content: { content_type: 'text', parts: ['Hello.'] },
      metadata: { model_slug: 'gpt-5' },
    },
  }
  const newer = {
    ...chatgptQuestion,
    mapping: { ...chatgptQuestion.mapping, b: answer },
    current_node: 'b',
  }
  const report = await run(zip([{ name: 'conversations.json', json: [newer] }]))

  expect(report).toMatchObject({ conversations: { added: 0, extended: 1, known: 0 }, messages: 1 })
  const messages = await shown('Renamed')
  expect(pathOf(messages)).toEqual(['Hi, corrected?', 'Hello.'])
  expect(messages[1]).toMatchObject({ imported: { model: 'gpt-5', details: [] }, meta: null })
  await storage.close()
})

test('a dry run says the same and writes nothing', async () => {
  const { storage, store, run } = await startImports()
  const path = zip([{ name: 'conversations.json', json: [chatgptQuestion] }])
  const foreseen = await run(path, true)
  expect(await store.list()).toEqual([])
  expect(await run(path)).toEqual(foreseen)
  await storage.close()
})

test('an answer with steps has its reasoning, calls, files and sources beside the text', async () => {
  const { storage, store, run, shown } = await startImports()
  const node = (parent: string, author: object, rest: object) => ({
    parent,
    message: { author, weight: 1, recipient: 'all', metadata: {}, ...rest },
  })
  const assistant = { role: 'assistant' }
  const conversation = {
    ...chatgptQuestion,
    current_node: 'e',
    mapping: {
      ...chatgptQuestion.mapping,
      b: node('a', assistant, {
        content: {
          content_type: 'thoughts',
          thoughts: [{ summary: 'Plan', content: 'Add them.' }],
        },
      }),
      c: node('b', assistant, {
        recipient: 'python',
        content: { content_type: 'code', text: 'print(3 + 4)' },
      }),
      d: node(
        'c',
        { role: 'tool', name: 'python' },
        {
          content: {
            content_type: 'multimodal_text',
            parts: [
              '7',
              { asset_pointer: 'sediment://file_1' },
              { asset_pointer: 'sediment://file_2' },
            ],
          },
        },
      ),
      e: node('d', assistant, {
        content: { content_type: 'text', parts: ['It is 7. \ue200cite\ue202x\ue201'] },
        metadata: {
          content_references: [{ items: [{ title: 'Sums', url: 'https://example.org' }] }],
        },
      }),
    },
  }
  await run(
    zip([
      { name: 'conversations.json', json: [conversation] },
      { name: 'file_1.dat', bytes: samplePng(4, 4) },
      { name: 'conversation_asset_file_names.json', json: { 'file_1.dat': 'bars.png' } },
    ]),
  )
  const [, answer] = await shown('One')
  expect(answer?.text).toBe('It is 7.')
  expect(answer?.attachments).toMatchObject([{ name: 'bars.png', kind: 'image' }])
  expect(answer?.imported?.details).toEqual([
    { kind: 'reasoning', title: '', text: 'Plan\nAdd them.' },
    { kind: 'tool_call', title: 'python', text: 'print(3 + 4)' },
    { kind: 'tool_result', title: 'python', text: '7' },
    { kind: 'source', title: 'Sums', text: 'https://example.org' },
    { kind: 'missing_file', title: 'file_2', text: '' },
  ])
  expect(await store.blob(answer?.attachments[0]?.sha256 ?? '')).not.toBeNull()
  await storage.close()
})

test('a mark inside a sentence keeps the word that it shows', async () => {
  const { storage, run, shown } = await startImports()
  const text =
    'Visit \ue200entity\ue202["city","Paris","capital"]\ue201 with \ue200url\ue202the guide\ue202https://example.org\ue201' +
    '\ue200cite\ue202turn0search1\ue201, not \ue200entity\ue202["city"\ue201.'
  const answer = {
    parent: 'a',
    message: { author: { role: 'assistant' }, content: { content_type: 'text', parts: [text] } },
  }
  const mapping = { ...chatgptQuestion.mapping, b: answer }
  await run(
    zip([
      {
        name: 'conversations.json',
        json: [{ ...chatgptQuestion, mapping, current_node: 'b' }],
      },
    ]),
  )
  expect(pathOf(await shown('One'))).toEqual(['Hi?', 'Visit Paris with the guide, not .'])
  await storage.close()
})

test('each end of a forked answer begins with the shared steps', async () => {
  const { storage, run, shown } = await startImports()
  const said = (parent: string, text: string) => ({
    parent,
    message: { author: { role: 'assistant' }, content: { content_type: 'text', parts: [text] } },
  })
  const conversation = {
    ...chatgptQuestion,
    current_node: 'c',
    mapping: {
      ...chatgptQuestion.mapping,
      b: said('a', 'First'),
      c: said('b', 'left'),
      d: said('b', 'right'),
    },
  }
  await run(zip([{ name: 'conversations.json', json: [conversation] }]))
  const answers = (await shown('One')).slice(1)
  expect(answers.map(({ text, isSetAside }) => [text, isSetAside])).toEqual([
    ['First\n\nleft', false],
    ['First\n\nright', true],
  ])
  await storage.close()
})

test('a broken conversation costs itself and a warning, and parents that go in a circle lose nothing', async () => {
  const { storage, run, shown } = await startImports()
  const said = (parent: string, role: string, text: string) => ({
    parent,
    message: { author: { role }, content: { content_type: 'text', parts: [text] } },
  })
  const circle = {
    ...chatgptQuestion,
    id: 'c2',
    title: 'Circle',
    mapping: {
      x: said('z', 'user', 'one'),
      y: said('x', 'assistant', 'two'),
      z: said('y', 'user', 'three'),
    },
    current_node: 'z',
  }
  const text = `[${JSON.stringify(chatgptQuestion)}, {"mapping": nonsense}, {"mapping": {}}, ${JSON.stringify(circle)}]`
  const report = await run(zip([{ name: 'conversations.json', bytes: Buffer.from(text) }]))
  expect(report.warnings).toEqual([
    'Conversation 2 of conversations.json is not valid JSON.',
    'Conversation 3 of conversations.json has no messages.',
  ])
  expect((await shown('One')).length).toBe(1)
  expect((await shown('Circle')).map((message) => message.text)).toEqual(['one', 'two', 'three'])
  await storage.close()
})

const list = { name: 'conversations.json', json: [chatgptQuestion] }
const spaces = Buffer.alloc(9_000_000, ' ')

const refusals: readonly (readonly [string, () => string, string])[] = [
  [
    'an entry that leaves the folder',
    () => zip([list, { name: '../../out.json', json: [] }]),
    'unsafe names',
  ],
  [
    'an entry that unpacks to more than it says',
    () => zip([{ ...list, claimedBytes: 10 }]),
    'more than the archive says',
  ],
  [
    'an entry that is packed 200 times',
    () => zip([{ name: 'conversations.json', bytes: spaces }]),
    '200 times',
  ],
  ['a cut archive', () => cut(zip([list])), 'damaged ZIP archive'],
  ['a text', () => file('notes.json', '{"notes": []}'), 'no conversations that Modelport can read'],
  ['an empty folder', () => temporaryFolder(), 'no conversations that Modelport can read'],
  ['a path that does not exist', () => '/nowhere/chats.zip', 'does not exist'],
  [
    'the list of Claude’s archives',
    () =>
      file(
        'manifest.json',
        '{"data_files": [{"filename": "conversations-000.zip", "export_url": "https://x"}]}',
      ),
    'archives: conversations-000.zip. Download them',
  ],
]

test.for(refusals)('%s is refused, and nothing is stored', async ([, path, words]) => {
  const { storage, store, run } = await startImports()
  const { refused, warnings } = await run(path())
  expect(refused ?? warnings[0]).toContain(words)
  expect(await store.list()).toEqual([])
  await storage.close()
})

function cut(path: string): string {
  writeFileSync(path, Buffer.from('PK\x03\x04 and nothing that follows'))
  return path
}

test('a system prompt of a project becomes a preset once, and a changed preset stays', async () => {
  const { storage, store, run } = await startImports()
  const messages = [
    { uuid: 'm', sender: 'human', text: 'Hi', created_at: '2026-01-01T00:00:00.123456Z' },
  ]
  const path = zip([
    { name: 'conversations.json', json: [{ uuid: 'c', name: 'C', chat_messages: messages }] },
    {
      name: 'projects/p.json',
      json: { uuid: 'p', name: 'House', prompt_template: 'Answer in German.' },
    },
  ])
  expect((await run(path)).presets).toBe(1)
  const [preset] = await store.presets()
  expect(preset).toMatchObject({ name: 'House', systemPrompt: 'Answer in German.' })
  if (preset) await store.savePreset({ ...preset, systemPrompt: 'Answer in French.' })
  expect((await run(path)).presets).toBe(0)
  expect((await store.presets())[0]?.systemPrompt).toBe('Answer in French.')
  await storage.close()
})

test('keys and servers of a Cherry Studio backup are nowhere in the data folder', async () => {
  const dataDir = temporaryFolder()
  const storage = await openStorage({ dataDir })
  const state = {
    assistants: JSON.stringify({
      assistants: [{ id: 'a', name: 'A', topics: [{ id: 't', name: 'T' }] }],
    }),
    llm: JSON.stringify({ providers: [{ apiKey: 'sk-CANARY' }] }),
    mcp: JSON.stringify({ servers: [{ command: 'CANARY-COMMAND' }] }),
  }
  const backup = {
    version: 5,
    localStorage: { 'persist:cherry-studio': JSON.stringify(state) },
    indexedDB: {
      topics: [{ id: 't', messages: [{ id: 'm', role: 'user', blocks: ['b'] }] }],
      message_blocks: [{ id: 'b', type: 'main_text', content: 'Hello' }],
    },
  }
  const now = () => 5
  const path = zip([{ name: 'data.json', json: backup }])
  const report = await importChats(path, { store: storage.conversations, now, isDryRun: false })
  expect(report).toMatchObject({ source: 'cherry', messages: 1 })
  const [conversation] = await storage.conversations.list()
  const messages = await storage.conversations.messages(conversation?.id ?? '')
  expect(JSON.stringify([conversation, messages])).not.toContain('CANARY')
  await storage.close()
})

test('an export of Modelport keeps every branch, the shown one, and what answers brought', async () => {
  const { store, run, shown } = await startImports()
  const question = sampleMessage({ text: 'Why?' })
  const page = { kind: 'source' as const, title: 'A page', text: 'https://example.com/a' }
  const step = { tool: 'search', arguments: '{"q":"late"}', result: 'Late.' }
  const answers = ['Because.', 'It is late.'].map((text, index) => ({
    ...sampleMessage({ id: `answer-${index}`, role: 'assistant', text }),
    parentId: question.id,
    isSetAside: index === 1,
    sources: [page],
    toolSteps: [step],
  }))
  const conversation = { ...sampleConversation(), title: 'Own', systemPrompt: 'Be brief.' }
  const path = join(temporaryFolder(), 'own.json')
  const messages = [question, ...answers]
  writeFileSync(path, JSON.stringify({ modelport: 1, ...conversation, messages }))

  expect(await run(path)).toMatchObject({
    source: 'modelport',
    refused: null,
    messages: 3,
    warnings: [],
  })
  const found = await shown('Own')
  expect(found.map(({ text, isSetAside }) => [text, isSetAside])).toEqual([
    ['Why?', false],
    ['Because.', false],
    ['It is late.', true],
  ])
  expect(found[1]?.imported?.details).toEqual([
    { kind: 'tool_call', title: 'search', text: '{"q":"late"}' },
    { kind: 'tool_result', title: 'search', text: 'Late.' },
    page,
  ])
  expect((await store.list())[0]).toMatchObject({ systemPrompt: 'Be brief.', source: 'modelport' })
  expect(await run(path)).toMatchObject({ conversations: { known: 1 }, messages: 0 })
})
