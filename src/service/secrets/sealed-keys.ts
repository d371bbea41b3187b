/**
 * Stores records of provider keys in the data folder, or in a table of the database when several nodes share them. A
 * record names the keychain entry of a key or contains the encrypted key; none contains a key in plain text.
 */
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createFile, readIfThere, removeDrafts, replaceFile } from '../data-folder/durable-file.ts'
import { makeFolder } from '../data-folder/folder-owner.ts'

/** Small texts by id: `key-openai.work`, `variable-openai`, and `vault` for the vault's header. */
export interface SealedKeys {
  ids(): Promise<string[]>
  read(id: string): Promise<string | null>
  /** Replaces the record; readers see either the old or the new text. */
  save(id: string, text: string): Promise<void>
  /** Saves the record unless the id exists. Resolves to the stored text, which may be another process's. */
  create(id: string, text: string): Promise<string>
  remove(id: string): Promise<void>
}

/** Each record a file: `vault.json`, and the others in the folder `secrets`. */
export async function openSealedFiles(dataDir: string): Promise<SealedKeys> {
  const folder = join(dataDir, 'secrets')
  await makeFolder(folder)
  await removeDrafts(folder)
  const fileOf = (id: string) => join(id === vaultId ? dataDir : folder, `${id}.json`)
  return {
    async ids() {
      return (await readdir(folder)).flatMap((name) => /^(.+)\.json$/.exec(name)?.[1] ?? [])
    },
    read: (id) => readIfThere(fileOf(id)),
    save: (id, text) => replaceFile(fileOf(id), text),
    create: (id, text) => createFile(fileOf(id), text),
    remove: (id) => rm(fileOf(id), { force: true }),
  }
}

/** The id of the vault's header. */
export const vaultId = 'vault'
