/** Imports into a store of their own, and the files that they read. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { turnsOf } from '../../src/shared/chat/conversation-turns.ts'
import { importChats } from '../../src/service/chat-imports/import-chats.ts'
import { openStorage } from '../../src/service/storage/sqlite/open-storage.ts'
import { temporaryFolder } from '../storage/temporary-folder.ts'
import { writeZip, type ZipEntry } from '../zip-archive.ts'

export async function startImports() {
  const storage = await openStorage({ dataDir: temporaryFolder() })
  const store = storage.conversations
  const run = (path: string, isDryRun = false) =>
    importChats(path, { store, now: () => 5, isDryRun })
  const shown = async (title: string) => {
    const found = (await store.list()).find((one) => one.title === title)
    return found ? store.messages(found.id) : []
  }
  return { storage, store, run, shown }
}

export function zip(
  entries: readonly (Omit<ZipEntry, 'bytes'> & { json?: unknown; bytes?: Uint8Array })[],
) {
  const path = join(temporaryFolder(), 'export.zip')
  writeZip(
    path,
    entries.map(({ json, bytes = Buffer.from(JSON.stringify(json)), ...entry }) => ({
      ...entry,
      bytes,
    })),
  )
  return path
}

/** The shown branch, with the text of each message that has one. */
export function pathOf(messages: Parameters<typeof turnsOf>[0]): string[] {
  const shown = turnsOf(messages).flatMap(({ question, answers }) => [
    question.text,
    ...answers.filter(({ isSetAside }) => !isSetAside).map(({ text }) => text),
  ])
  return shown.filter((text) => text !== '')
}

export function file(name: string, text: string): string {
  const path = join(temporaryFolder(), name)
  writeFileSync(path, text)
  return path
}
