import { basename } from 'node:path'
import { finished } from 'node:stream/promises'
import { createInflateRaw } from 'node:zlib'
import { openPromise, type Entry, type ZipFile } from 'yauzl'
import { ImportRefused } from './imported.ts'
import { refuseSize, type SourceFile, type SourceFiles } from './source-files.ts'

/** A text of an export is 5 to 30 times smaller when it is packed. What is smaller by far more is made to fill a disk. */
const greatestRatio = 200
const smallBytes = 1_048_576
const stored = 0
const deflated = 8

/** @throws ImportRefused for a broken archive, one with unsafe names, and one that is larger than the limits */
export async function zipFiles(path: string): Promise<SourceFiles> {
  const zip = await openPromise(path, { autoClose: false }).catch(() => {
    throw new ImportRefused(`${basename(path)} is a damaged ZIP archive.`)
  })
  try {
    return { files: await listed(zip, basename(path)), close: () => zip.close() }
  } catch (error) {
    zip.close()
    throw error
  }
}

async function listed(zip: ZipFile, archive: string): Promise<SourceFile[]> {
  refuseSize(zip.entryCount, 0)
  const files: SourceFile[] = []
  let bytes = 0
  try {
    for await (const entry of zip.eachEntry()) {
      if (entry.fileName.endsWith('/')) continue
      bytes += entry.uncompressedSize
      refuseSize(files.length, bytes)
      refuseRatio(entry)
      files.push(fileOf(zip, entry))
    }
  } catch (error) {
    if (error instanceof ImportRefused) throw error
    // The library also refuses names that lead out of the archive.
    throw new ImportRefused(`${archive} is a damaged ZIP archive, or has unsafe names of files.`)
  }
  return files
}

function refuseRatio({ fileName, compressedSize, uncompressedSize }: Entry): void {
  const isSmall = uncompressedSize <= smallBytes
  if (!isSmall && uncompressedSize > compressedSize * greatestRatio) {
    throw new ImportRefused(`${fileName} unpacks to more than ${greatestRatio} times its size.`)
  }
}

function fileOf(zip: ZipFile, entry: Entry): SourceFile {
  const { fileName: name, uncompressedSize: bytes } = entry
  return { name, bytes, stream: async () => unpacked(zip, entry) }
}

/** @throws ImportRefused for what is encrypted, damaged, or unpacks to more than it says */
async function* unpacked(zip: ZipFile, entry: Entry): AsyncIterable<Uint8Array> {
  const { fileName, compressionMethod, uncompressedSize } = entry
  const isKnown = compressionMethod === stored || compressionMethod === deflated
  if (!isKnown || entry.isEncrypted()) {
    throw new ImportRefused(`${fileName} is encrypted or packed in an unknown way.`)
  }
  const packed = await zip.openReadStreamPromise(entry, { decodeFileData: false })
  const inflate = compressionMethod === deflated ? createInflateRaw() : null
  const source = inflate ? packed.pipe(inflate) : packed
  // A failure of the archive's own stream ends the unpacking, too.
  if (inflate) finished(packed).catch((error: Error) => inflate.destroy(error))
  let bytes = 0
  try {
    for await (const piece of source) {
      // Checked boundary: both streams are of bytes.
      const part = piece as Uint8Array
      bytes += part.byteLength
      if (bytes > uncompressedSize) {
        throw new ImportRefused(`${fileName} unpacks to more than the archive says.`)
      }
      yield part
    }
  } catch (error) {
    if (error instanceof ImportRefused) throw error
    throw new ImportRefused(`${fileName} is damaged.`)
  } finally {
    packed.destroy()
    inflate?.destroy()
  }
}
