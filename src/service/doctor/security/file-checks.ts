/** What other users of this computer, and a thief of the data folder, could read. */
import { lstat, readdir, readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import type { SecurityCheck } from '../../../shared/security-check.ts'
import type { SecurityTarget } from './attack.ts'

const mostShown = 3
/** Larger files are the local models' weights. */
const mostBytes = 64 * 1024 * 1024

interface FoundFile {
  path: string
  isFolder: boolean
  mode: number
  bytes: number
}

export async function checkFileModes({ dataDir }: SecurityTarget): Promise<SecurityCheck> {
  const files = await listFiles(dataDir)
  const open = files.filter(({ mode }) => (mode & 0o077) !== 0)
  const shown = open.slice(0, mostShown).map(({ path }) => relative(dataDir, path) || 'the folder')
  const more = open.length > mostShown ? ` and ${open.length - mostShown} more` : ''
  const isWindows = process.platform === 'win32'
  return {
    check: 'File modes',
    tried: `${files.length} files and folders of the data folder`,
    seen: isWindows
      ? 'Windows has no such modes'
      : open.length === 0
        ? 'only you can read them'
        : `other users can read ${shown.join(', ')}${more}`,
    status: isWindows ? 'not_applicable' : open.length === 0 ? 'ok' : 'failed',
  }
}

/** Runs after the attacks that sent the key. */
export async function checkKeyInFiles(target: SecurityTarget): Promise<SecurityCheck> {
  const { dataDir, canaryKey } = target
  const files = (await listFiles(dataDir)).filter(
    ({ isFolder, bytes }) => !isFolder && bytes <= mostBytes,
  )
  const holders: string[] = []
  for (const { path } of files) {
    if (await holds(path, canaryKey)) holders.push(relative(dataDir, path))
  }
  return {
    check: 'Keys in files',
    tried: `the key of the requests above in ${files.length} files, among them the log and the database`,
    seen: holders.length === 0 ? 'not found' : `found in ${holders.slice(0, mostShown).join(', ')}`,
    status: holders.length === 0 ? 'ok' : 'failed',
  }
}

async function holds(path: string, key: string): Promise<boolean> {
  try {
    return (await readFile(path)).includes(key)
  } catch (error) {
    if (isGone(error)) return false
    throw error
  }
}

/** Without links, whose targets are elsewhere. */
async function listFiles(folder: string): Promise<FoundFile[]> {
  const own = await statOf(folder)
  if (own === null) return []
  if (!own.isFolder) return [own]
  const names = await readdir(folder)
  const inside = await Promise.all(names.map((name) => listFiles(join(folder, name))))
  return [own, ...inside.flat()]
}

/** Null for links, sockets and files that were deleted meanwhile. */
async function statOf(path: string): Promise<FoundFile | null> {
  try {
    const stats = await lstat(path)
    if (!stats.isFile() && !stats.isDirectory()) return null
    return { path, isFolder: stats.isDirectory(), mode: stats.mode, bytes: stats.size }
  } catch (error) {
    if (isGone(error)) return null
    throw error
  }
}

function isGone(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}
