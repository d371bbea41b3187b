/** Opens an export: one file, a folder, or a ZIP archive. */
import { createReadStream } from 'node:fs'
import { open, readdir, stat } from 'node:fs/promises'
import { basename, join, relative, sep } from 'node:path'
import { ImportRefused } from './imported.ts'
import { refuseSize, type SourceFile, type SourceFiles } from './source-files.ts'
import { zipFiles } from './zip-files.ts'

/** @throws ImportRefused for a path that cannot be read, a broken archive, and what is larger than the limits */
export async function openSource(path: string): Promise<SourceFiles> {
  const found = await stat(path).catch(() => null)
  if (found === null) throw new ImportRefused(`${path} does not exist or cannot be read.`)
  if (found.isDirectory()) return { files: await folderFiles(path), close: () => undefined }
  if (!found.isFile()) throw new ImportRefused(`${basename(path)} is neither a file nor a folder.`)
  if (await isZip(path)) return zipFiles(path)
  return { files: [fileAt(path, basename(path), found.size)], close: () => undefined }
}

async function folderFiles(folder: string): Promise<SourceFile[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  refuseSize(files.length, 0)
  const found = await Promise.all(
    files.map(async (entry) => {
      const path = join(entry.parentPath, entry.name)
      const name = relative(folder, path).split(sep).join('/')
      return fileAt(path, name, (await stat(path)).size)
    }),
  )
  refuseSize(
    found.length,
    found.reduce((sum, { bytes }) => sum + bytes, 0),
  )
  return found.toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

function fileAt(path: string, name: string, bytes: number): SourceFile {
  return { name, bytes, stream: async () => createReadStream(path) }
}

async function isZip(path: string): Promise<boolean> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(4), 0, 4, 0)
    return bytesRead === 4 && buffer.readUInt32LE() === 0x04034b50
  } finally {
    await file.close()
  }
}
