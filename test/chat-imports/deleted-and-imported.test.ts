import { join } from 'node:path'
import { expect, test } from 'vitest'
import { importChats } from '../../src/service/chat-imports/import-chats.ts'
import { openStorage } from '../../src/service/storage/sqlite/open-storage.ts'
import { samplePng } from '../sample-files.ts'
import { temporaryFolder } from '../storage/temporary-folder.ts'
import { writeZip } from '../zip-archive.ts'

const asset = 'file-AbC123'
const message = (role: string, parts: unknown[]) => ({
  author: { role },
  content: { content_type: parts.length > 1 ? 'multimodal_text' : 'text', parts },
})
const picture = { content_type: 'image_asset_pointer', asset_pointer: `file-service://${asset}` }
const conversation = {
  id: 'c1',
  title: 'One',
  create_time: 1_700_000_000,
  mapping: {
    a: { parent: null, message: message('user', ['Hi?', picture]) },
    b: { parent: 'a', message: message('assistant', ['Yes.']) },
  },
  current_node: 'b',
}

/** An export with a file whose name is only its id. */
function exported(): string {
  const path = join(temporaryFolder(), 'export.zip')
  writeZip(path, [
    { name: 'conversations.json', bytes: Buffer.from(JSON.stringify([conversation])) },
    { name: asset, bytes: samplePng(2, 2) },
  ])
  return path
}

async function startImports() {
  const { conversations: store } = await openStorage({ dataDir: temporaryFolder() })
  const path = exported()
  const run = (isDryRun = false) => importChats(path, { store, now: () => 5, isDryRun })
  return { store, run }
}

test('a conversation that was deleted comes back with the next import', async () => {
  const { store, run } = await startImports()
  await run()
  const [imported] = await store.list()
  await store.remove(imported?.id ?? '', 10)

  const foreseen = await run(true)
  const again = await run()
  await store.purge(10)

  expect(foreseen).toMatchObject({ conversations: { added: 1 }, messages: 2 })
  expect(again).toMatchObject({ conversations: { added: 1 }, messages: 2 })
  expect(await store.messages(imported?.id ?? '')).toHaveLength(2)
  expect(await run()).toMatchObject({ conversations: { added: 0 }, messages: 0 })
})

test('messages that were deleted stay deleted, and are not counted', async () => {
  const { store, run } = await startImports()
  await run()
  const [imported] = await store.list()
  const [question, answer] = await store.messages(imported?.id ?? '')
  await store.removeMessages([answer?.id ?? ''], 10)

  expect(await run()).toMatchObject({ conversations: { added: 0 }, messages: 0 })
  expect(await store.messages(imported?.id ?? '')).toEqual([question])
})

test('a file without a name gets one, so that its message can be read', async () => {
  const { store, run } = await startImports()

  expect(await run()).toMatchObject({ files: 1, warnings: [] })

  const [imported] = await store.list()
  const [question] = await store.messages(imported?.id ?? '')
  expect(question?.attachments).toMatchObject([{ name: 'file', kind: 'image' }])
})
