// Conversations of other programs: chosen in the dialog, seen before anything is written, imported, read, imported again.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ElectronApplication } from '@playwright/test'
import { longConversation } from '../test/chat-imports/large-export.ts'
import { samplePng } from '../test/sample-files.ts'
import { writeZip } from '../test/zip-archive.ts'
import { startFakeProvider } from '../test/fake-provider.ts'
import { examineThemes } from './examine.ts'
import { expect, test } from './fixtures.ts'
import { addOnlyRouter } from './only-router.ts'

function said(id: string, parent: string | null, message: object) {
  return { id, parent, message: { weight: 1, recipient: 'all', metadata: {}, ...message } }
}

const assistant = { role: 'assistant' }
const text = (words: string) => ({ content_type: 'text', parts: [words] })
const lisbon = {
  id: 'c-lisbon',
  title: 'Trip to Lisbon',
  create_time: 1_793_000_000,
  is_archived: true,
  current_node: 'e',
  mapping: {
    a: said('a', null, {
      author: { role: 'user' },
      content: {
        content_type: 'multimodal_text',
        parts: [{ asset_pointer: 'sediment://file_1' }, 'Which quarter is this?'],
      },
    }),
    b: said('b', 'a', {
      author: assistant,
      content: text('Belém.'),
      metadata: { model_slug: 'gpt-5-mini' },
    }),
    c: said('c', 'a', {
      author: assistant,
      content: { content_type: 'thoughts', thoughts: [{ content: 'Yellow trams climb there.' }] },
    }),
    e: said('e', 'c', {
      author: assistant,
      content: text('Alfama.'),
      metadata: { model_slug: 'gpt-5' },
    }),
  },
}

async function choosing(app: ElectronApplication, path: string): Promise<void> {
  await app.evaluate(({ dialog }, chosen) => {
    dialog.showOpenDialog = () => Promise.resolve({ canceled: false, filePaths: [chosen] })
  }, path)
}

test('an export of ChatGPT is seen before it is imported, and a second import adds nothing', async ({
  openApp,
  dataDir,
}) => {
  const path = join(dataDir, 'chatgpt.zip')
  writeZip(path, [
    { name: 'conversations.json', bytes: Buffer.from(JSON.stringify([lisbon])) },
    { name: 'file_1.dat', bytes: samplePng(60, 40) },
    {
      name: 'conversation_asset_file_names.json',
      bytes: Buffer.from('{"file_1.dat": "hill.png"}'),
    },
  ])
  const { app, window } = await openApp()
  await choosing(app, path)
  await window.getByRole('link', { name: 'Chat' }).click()
  const list = window.getByRole('navigation', { name: 'Conversations' })
  await list.getByRole('button', { name: 'Import conversations' }).click()
  const dialog = window.getByRole('dialog', { name: 'Import conversations' })
  await dialog.getByRole('button', { name: 'Choose files…' }).click()
  await expect(dialog.getByText('1 new conversation, 3 messages, 1 file')).toBeVisible()
  await expect(dialog.getByText('1 archived conversation is in the list')).toBeVisible()
  await expect(list.getByRole('button', { name: /Trip to Lisbon/ })).toHaveCount(0)
  await examineThemes(window, 'import-preview')

  await dialog.getByRole('button', { name: 'Import', exact: true }).click()
  await expect(dialog.getByText('Imported: 1 new conversation')).toBeVisible()
  await dialog.getByRole('button', { name: 'Done' }).click()
  await list.getByRole('button', { name: /^Trip to Lisbon/ }).click()
  const answer = window.getByRole('article', { name: 'Answer' })
  await expect(answer).toContainText('Alfama.')
  await expect(answer).toContainText('gpt-5')
  await answer.getByText('1 imported detail').click()
  await expect(answer).toContainText('Yellow trams climb there.')
  await expect(window.getByRole('article', { name: 'Question' })).toContainText('hill.png')
  await examineThemes(window, 'imported-thread')

  // By keys alone, from the palette.
  await window.keyboard.press('Control+K')
  await expect(window.getByRole('combobox', { name: 'Search' })).toBeFocused()
  await window.keyboard.type('import conv')
  await window.keyboard.press('Enter')
  await expect(dialog).toBeVisible()
  await dialog.getByRole('button', { name: 'Choose files…' }).press('Enter')
  await expect(dialog.getByText('Everything in it is already here.')).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Import', exact: true })).toHaveCount(0)
})

test('a conversation is exported in each form, and its JSON can be imported again', async ({
  openApp,
  dataDir,
}) => {
  const upstream = await startFakeProvider({ tls: false, models: { one: { text: 'In 1755.' } } })
  const { app, window } = await openApp()
  await addOnlyRouter(window, upstream)
  await window.getByRole('textbox', { name: 'Message' }).fill('When was the earthquake?')
  await window.keyboard.press('Enter')
  await expect(window.getByRole('article', { name: 'Answer' })).toContainText('In 1755.')
  const list = window.getByRole('navigation', { name: 'Conversations' })

  const saved = async (form: string, ending: string) => {
    const path = join(dataDir, `exported.${ending}`)
    await app.evaluate(({ session }, to) => {
      session.defaultSession.once('will-download', (_event, item) => item.setSavePath(to))
    }, path)
    await list.getByRole('button', { name: /^Actions for When/ }).press('Enter')
    await window.getByRole('menuitem', { name: form, exact: true }).press('Enter')
    await expect.poll(() => readText(path)).not.toBe('')
    return path
  }
  const path = await saved('Export as JSON', 'json')
  expect(readText(await saved('Export as Markdown', 'md'))).toContain('## Answer\n\nIn 1755.')
  expect(JSON.parse(readText(await saved('Export as JSON lines', 'jsonl')))).toMatchObject({
    messages: [{ content: 'When was the earthquake?' }, { content: 'In 1755.' }],
  })
  await choosing(app, path)
  await list.getByRole('button', { name: 'Import conversations' }).press('Enter')
  const dialog = window.getByRole('dialog', { name: 'Import conversations' })
  await dialog.getByRole('button', { name: 'Choose files…' }).press('Enter')
  await expect(dialog).toContainText('Modelport')
  await dialog.getByRole('button', { name: 'Import', exact: true }).press('Enter')
  await expect(dialog.getByText('Imported: 1 new conversation')).toBeVisible()
  await dialog.getByRole('button', { name: 'Done' }).press('Enter')
  await expect(list.getByRole('button', { name: /^When was/ })).toHaveCount(2)
  await upstream.close()
})

/** Empty until the file is there. */
function readText(path: string): string {
  return existsSync(path) ? readFileSync(path, 'utf8') : ''
}

test('a hit of the search opens in view, also in a conversation that was not opened before', async ({
  openApp,
  dataDir,
}) => {
  const path = join(dataDir, 'conversations.json')
  // Of these, one message has the word.
  const long = longConversation('Long', { messages: 40, wordsOfMessage: 80 })
  writeFileSync(path, JSON.stringify([long]))
  const { app, window } = await openApp()
  await choosing(app, path)
  await window.getByRole('button', { name: 'Import conversations' }).click()
  const dialog = window.getByRole('dialog', { name: 'Import conversations' })
  await dialog.getByRole('button', { name: 'Choose files…' }).click()
  await dialog.getByRole('button', { name: 'Import', exact: true }).click()
  await expect(dialog.getByText(/^Imported: /)).toBeVisible()
  await dialog.getByRole('button', { name: 'Close' }).first().click()
  // The index of the words is written in the background.
  const isIndexed = () =>
    window.evaluate(async () => {
      const found = await modelport.call('conversations:search', { text: '图书馆' })
      return found.ok && !found.value.isIndexing
    })
  await expect.poll(isIndexed, { timeout: 60_000 }).toBe(true)
  const list = window.getByRole('navigation', { name: 'Conversations' })
  for (const time of ['first', 'second']) {
    await list.getByRole('searchbox').fill('图书馆')
    const hit = list.getByRole('listitem').getByRole('button', { name: /^Long/ }).first()
    await hit.click()
    const found = window.getByRole('article').filter({ hasText: '图书馆' })
    await expect(found, time).toBeInViewport()
    await expect(found, time).toBeFocused()
    // It stays there while the rest is laid out.
    await expect(window.getByRole('button', { name: 'Scroll to end' }), time).toBeVisible()
    await expect(found, time).toBeInViewport()
    await list.getByRole('button', { name: 'New conversation' }).click()
  }
})
