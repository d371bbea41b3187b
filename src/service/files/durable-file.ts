/**
 * Writes small files that survive a crash and a power failure: to a temporary file, synced, then renamed. Only
 * the owner can read them, unless a mode says otherwise.
 */
import { randomBytes } from 'node:crypto'
import { link, open, readdir, readFile, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { asFileProblem } from './file-errors.ts'

const ownerOnly = 0o600

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
 * @param mode  the file's permissions
 * @throws FileProblem
 */
export async function replaceFile(
  file: string,
  content: string | Buffer,
  mode = ownerOnly,
): Promise<void> {
  try {
    await rename(await writeDraft(file, content, mode), file)
    await syncFolder(dirname(file))
  } catch (error) {
    throw asFileProblem(error, file)
  }
}

/** Creates the file unless it exists; resolves to its text. */
export async function createFile(file: string, text: string): Promise<string> {
  const draft = await writeDraft(file, text)
  try {
    // A link fails if the name exists; a rename would replace another process's file.
    await link(draft, file)
    await syncFolder(dirname(file))
    return text
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error
    return await readFile(file, 'utf8')
  } finally {
    await rm(draft)
  }
}

/** Deletes temporary files of writers that were killed. */
export async function removeDrafts(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const pid = /\.(\d+)-[0-9a-f]{8}\.draft$/.exec(name)?.[1]
    if (pid !== undefined && !isAlive(Number(pid))) await rm(join(folder, name), { force: true })
  }
}

async function writeDraft(
  file: string,
  content: string | Buffer,
  mode = ownerOnly,
): Promise<string> {
  const draft = `${file}.${process.pid}-${randomBytes(4).toString('hex')}.draft`
  const handle = await open(draft, 'wx', ownerOnly)
  try {
    await handle.writeFile(content)
    if (mode !== ownerOnly) await handle.chmod(mode)
    await handle.sync()
  } finally {
    await handle.close()
  }
  return draft
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

function isAlive(pid: number): boolean {
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
