/**
 * Writes small files that survive a crash and a power failure: to a temporary file, synced, then renamed. Only
 * the owner can read them, unless a mode says otherwise.
 */
import { randomBytes } from 'node:crypto'
import { link, open, readdir, readFile, rename, rm, type FileHandle } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { asFileProblem } from './file-errors.ts'
import { giveToFolderOwner } from './folder-owner.ts'
import type { Owner } from '../storage/sqlite/new-file.ts'

/** Permissions of a file. */
export interface FileAccess {
  /** The permissions. */
  mode: number
  /** Null for the user that runs Modelport; a file that root makes belongs to the owner of its folder. */
  owner: Owner | null
}

export const ownerOnly: FileAccess = { mode: 0o600, owner: null }

/** The file's text; null when there is none. @throws FileProblem */
export async function readIfThere(file: string): Promise<string | null> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return null
    throw asFileProblem(error, file)
  }
}

/**
 * Replaces the file's content; readers see either the old or the new content.
 * @throws FileProblem
 */
export async function replaceFile(
  file: string,
  content: string | Buffer,
  access = ownerOnly,
): Promise<void> {
  const draft = draftOf(file)
  try {
    await writeDraft(draft, content, access)
    await rename(draft, file)
    await syncFolder(dirname(file))
  } catch (error) {
    await rm(draft, { force: true })
    throw asFileProblem(error, file)
  }
}

/** Creates the file unless it exists; resolves to its text. */
export async function createFile(file: string, text: string): Promise<string> {
  const draft = draftOf(file)
  try {
    await writeDraft(draft, text, ownerOnly)
    // A link fails if the name exists; a rename would replace another process's file.
    await link(draft, file)
    await syncFolder(dirname(file))
    return text
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error
    return await readFile(file, 'utf8')
  } finally {
    await rm(draft, { force: true })
  }
}

/** Deletes temporary files of writers that were killed. */
export async function removeDrafts(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const pid = /\.(\d+)-[0-9a-f]{8}\.draft$/.exec(name)?.[1]
    if (pid !== undefined && !isAlive(Number(pid))) await rm(join(folder, name), { force: true })
  }
}

function draftOf(file: string): string {
  return `${file}.${process.pid}-${randomBytes(4).toString('hex')}.draft`
}

async function writeDraft(
  draft: string,
  content: string | Buffer,
  { mode, owner }: FileAccess,
): Promise<void> {
  const handle = await open(draft, 'wx', ownerOnly.mode)
  try {
    await handle.writeFile(content)
    await (owner === null ? giveToFolderOwner(handle, draft) : giveTo(handle, owner))
    // A change of the owner clears special permissions, so they are set after it.
    if (mode !== ownerOnly.mode) await handle.chmod(mode)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

async function giveTo(handle: FileHandle, owner: Owner): Promise<void> {
  const { uid, gid } = await handle.stat()
  if (uid !== owner.uid || gid !== owner.gid) await handle.chown(owner.uid, owner.gid)
}

/** Makes a new name durable. Windows cannot open a folder, and needs no such call. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Whether the process of a note or a lock still runs. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return hasCode(error, 'EPERM')
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
