/** Reads the configuration files of tools, which may be anything: pipes, devices, links in a circle, huge files. */
import { constants, type Stats } from 'node:fs'
import { open, readlink, realpath, type FileHandle } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import type { FileAccess } from '../data-folder/durable-file.ts'
import { asFileProblem } from '../data-folder/file-errors.ts'
import { UnreadableFile } from './tool.ts'

/** A file's bytes, and who may use it. */
export interface FileContent extends FileAccess {
  bytes: Buffer
}

/** Settings have some kilobytes. The time of the libraries that edit them grows with the square of the size. */
const mostKibibytes = 128
const mostBytes = mostKibibytes * 1024
/** Most symbolic links to follow, as in Linux. */
const mostLinks = 40

/**
 * The file behind links. Configuration files are often links into a folder under version control, and stay links.
 * @throws UnreadableFile, FileProblem
 */
export async function followLinks(path: string, links = 0): Promise<string> {
  if (links > mostLinks) throw new UnreadableFile(circle)
  try {
    return await realpath(path)
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw readError(error, path)
  }
  try {
    // A link can name a file that does not exist yet.
    const target = await readlink(path)
    return await followLinks(resolve(await realpath(dirname(path)), target), links + 1)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return path
    throw readError(error, path)
  }
}

/** @returns null when there is no file @throws UnreadableFile for what is no regular file, or too large; FileProblem */
export async function readConfig(path: string): Promise<FileContent | null> {
  try {
    // A pipe is opened without a wait for its writer.
    const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY)
    try {
      const stats = await handle.stat()
      if (!stats.isFile()) throw new UnreadableFile(`It is ${kindOf(stats)}, not a regular file.`)
      const { mode, uid, gid } = stats
      return { bytes: await readBounded(handle), mode: mode & 0o7777, owner: { uid, gid } }
    } finally {
      await handle.close()
    }
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null
    throw readError(error, path)
  }
}

/** @throws UnreadableFile for bytes that a text could not give back */
export function asText({ bytes }: FileContent): string {
  const text = bytes.toString('utf8')
  if (Buffer.from(text).equals(bytes)) return text
  throw new UnreadableFile('It is not UTF-8 text.')
}

/** Reads up to a limit. A file's size is no promise: it can grow, and files of the system claim to be empty. */
async function readBounded(handle: FileHandle): Promise<Buffer> {
  const buffer = Buffer.alloc(mostBytes + 1)
  let length = 0
  while (length < buffer.length) {
    const { bytesRead } = await handle.read(buffer, length)
    if (bytesRead === 0) return Buffer.from(buffer.subarray(0, length))
    length += bytesRead
  }
  throw new UnreadableFile(`It is larger than ${mostKibibytes} KiB.`)
}

function kindOf(stats: Stats): string {
  if (stats.isDirectory()) return 'a folder'
  return stats.isFIFO() ? 'a pipe' : 'a device'
}

const circle = 'It is a link that leads back to itself.'

function readError(error: unknown, path: string): unknown {
  if (codeOf(error) === 'ELOOP') return new UnreadableFile(circle, { cause: error })
  // A socket cannot be opened.
  if (codeOf(error) === 'ENXIO') return new UnreadableFile('It is a socket, not a regular file.')
  return asFileProblem(error, path)
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : null
}
