/** Conversations of LM Studio, whose messages have no ids. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../storage/temporary-folder.ts'
import { pathOf, startImports } from './start-imports.ts'

test('a folder of LM Studio keeps versions, and the shown one', async () => {
  const { store, storage, run, shown } = await startImports()
  const folder = join(temporaryFolder(), 'lm-studio')
  mkdirSync(join(folder, 'conversations', 'Work'), { recursive: true })
  const text = (said: string) => [{ type: 'text', text: said }]
  const conversation = {
    name: 'Note',
    messages: [
      {
        versions: [{ type: 'singleStep', role: 'user', content: text('Colour?') }],
        currentlySelected: 0,
      },
      {
        versions: ['Teal', 'Blue'].map((said) => ({
          type: 'multiStep',
          role: 'assistant',
          steps: [
            { style: { type: 'thinking' }, content: text('hm') },
            { content: text(said), genInfo: { identifier: `model-${said}` } },
          ],
        })),
        currentlySelected: 1,
      },
    ],
  }
  writeFileSync(
    join(folder, 'conversations', 'Work', '1700000000000.conversation.json'),
    JSON.stringify(conversation),
  )
  const report = await run(folder)
  expect(report.losses).toEqual([])
  const [work] = await store.folders()
  expect(work?.name).toBe('Work')
  expect((await store.list())[0]?.folderId).toBe(work?.id)
  await store.removeFolder(work?.id ?? '')
  await run(folder)
  expect(await store.folders()).toEqual([])
  const messages = await shown('Note')
  expect(pathOf(messages)).toEqual(['Colour?', 'Blue'])
  expect(messages.map(({ imported }) => imported?.model)).toEqual([
    null,
    'model-Teal',
    'model-Blue',
  ])
  await storage.close()
})

const words = (said: string) => [{ type: 'text', text: said }]

function asked(text: string) {
  const version = { type: 'singleStep', role: 'user', content: words(text) }
  return { versions: [version], currentlySelected: 0 }
}

function answered(texts: readonly string[], currentlySelected = 0) {
  const versions = texts.map((text) => ({
    type: 'multiStep',
    role: 'assistant',
    steps: [{ content: words(text) }],
  }))
  return { versions, currentlySelected }
}

const conversationId = '1700000000000'

/** Imports a folder as the program writes it at different times. */
async function startFolder() {
  const imports = await startImports()
  const folder = join(temporaryFolder(), 'lm-studio')
  mkdirSync(join(folder, 'conversations'), { recursive: true })
  const file = join(folder, 'conversations', `${conversationId}.conversation.json`)
  const importNow = async (messages: readonly object[]) => {
    writeFileSync(file, JSON.stringify({ name: 'Note', messages }))
    const { messages: added } = await imports.run(folder)
    return added
  }
  return { ...imports, importNow }
}

const beginning = [asked('One?'), answered(['1.'])]

test('a question in place of a deleted one is a branch with its own answers', async () => {
  const { storage, store, importNow, shown } = await startFolder()
  await importNow([...beginning, asked('Two?'), answered(['Yes.'])])
  const newer = [...beginning, asked('Other?'), answered(['Yes.']), asked('Why?')]
  expect(await importNow(newer)).toBe(3)
  expect(pathOf(await shown('Note'))).toEqual(['One?', '1.', 'Two?', 'Yes.'])

  const messages = await shown('Note')
  const idOf = (text: string) => messages.find((message) => message.text === text)?.id ?? ''
  await store.setAside([idOf('Two?')], true)
  await store.setAside([idOf('Other?')], false)
  expect(pathOf(await shown('Note'))).toEqual(['One?', '1.', 'Other?', 'Yes.', 'Why?'])
  expect(await importNow(newer)).toBe(0)
  await storage.close()
})

test('what follows a message is not doubled when another of its versions is selected', async () => {
  const { storage, importNow } = await startFolder()
  await importNow([asked('One?'), answered(['1.']), asked('Two?')])
  expect(await importNow([asked('One?'), answered(['1.', 'I.', 'I.'], 2), asked('Two?')])).toBe(2)
  await storage.close()
})

test('a message without versions does not cut the thread', async () => {
  const { storage, importNow, shown } = await startFolder()
  await importNow([...beginning, { versions: [], currentlySelected: 0 }, asked('Two?')])
  expect(pathOf(await shown('Note'))).toEqual(['One?', '1.', 'Two?'])
  await storage.close()
})
