/** What other users of this computer, and a thief of the data folder, could read. */
import { lstat, open, readdir } from 'node:fs/promises'
import { basename, dirname, join, relative } from 'node:path'
import type { SecurityCheck } from '../../../shared/app/security-check.ts'
import type { SecurityTarget } from './attack.ts'

const mostShown = 3
const pieceBytes = 4 * 1024 * 1024

interface FoundFile {
  path: string
  isFolder: boolean
  mode: number
}

export async function checkFileModes({ dataDir }: SecurityTarget): Promise<SecurityCheck> {
  const files = await listFiles(dataDir)
  const exposed = files.filter(({ mode }) => (mode & 0o077) !== 0)
  const shown = exposed
    .slice(0, mostShown)
    .map(({ path }) => relative(dataDir, path) || 'the folder')
  const more = exposed.length > mostShown ? ` and ${exposed.length - mostShown} more` : ''
  const isWindows = process.platform === 'win32'
  return {
    check: 'File modes',
    tried: `${files.length} files and folders of the data folder`,
    seen: isWindows
      ? 'Windows has no such modes'
      : exposed.length === 0
        ? 'only you can read them'
        : `other users can read ${shown.join(', ')}${more}`,
    status: isWindows ? 'not_applicable' : exposed.length === 0 ? 'ok' : 'failed',
  }
}

/** Runs after the attacks that sent the key. */
export async function checkKeyInFiles(target: SecurityTarget): Promise<SecurityCheck> {
  const { dataDir, canaryKey } = target
  const files = (await listFiles(dataDir)).filter(({ isFolder }) => !isFolder)
  const searched = files.filter(({ path }) => !isWeights(path))
  const skipped = files.length - searched.length
  const holders: string[] = []
  for (const { path } of searched) {
    if (await holds(path, Buffer.from(canaryKey))) holders.push(relative(dataDir, path))
  }
  const without = skipped === 0 ? '' : `, without ${skipped} in the folder of local models`
  return {
    check: 'Keys in files',
    tried: `the key of the requests above in ${searched.length} files, among them the log and the database${without}`,
    seen: holders.length === 0 ? 'not found' : `found in ${holders.slice(0, mostShown).join(', ')}`,
    status: holders.length === 0 ? 'ok' : 'failed',
  }
}

/** Whether a file is a model's weights: several gigabytes that are only ever downloaded. */
function isWeights(path: string): boolean {
  return basename(dirname(path)) === 'models' && path.endsWith('.gguf')
}

/** Reads pieces that overlap, so that the key is whole in one of them. */
async function holds(path: string, key: Buffer): Promise<boolean> {
  const piece = Buffer.alloc(pieceBytes + key.length)
  try {
    await using file = await open(path)
    for (let position = 0; ; position += pieceBytes) {
      const { bytesRead } = await file.read(piece, 0, piece.length, position)
      if (piece.subarray(0, bytesRead).includes(key)) return true
      if (bytesRead < piece.length) return false
    }
  } catch (error) {
    if (isGone(error)) return false
    throw error
  }
}

/** Lists the folder's files, but not links: their targets are elsewhere. */
async function listFiles(folder: string): Promise<FoundFile[]> {
  const own = await statOf(folder)
  if (own === null) return []
  if (!own.isFolder) return [own]
  const names = await readdir(folder)
  const inside = await Promise.all(names.map((name) => listFiles(join(folder, name))))
  return [own, ...inside.flat()]
}

/** @returns null for links, sockets and files that were deleted meanwhile */
async function statOf(path: string): Promise<FoundFile | null> {
  try {
    const stats = await lstat(path)
    if (!stats.isFile() && !stats.isDirectory()) return null
    return { path, isFolder: stats.isDirectory(), mode: stats.mode }
  } catch (error) {
    if (isGone(error)) return null
    throw error
  }
}

function isGone(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}
