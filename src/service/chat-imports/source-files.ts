/** The files of an export, all read as streams. */
import { ImportRefused } from './imported.ts'

export interface SourceFile {
  /** Inside the folder or archive, with `/`. */
  name: string
  bytes: number
  stream(): Promise<AsyncIterable<Uint8Array>>
}

export interface SourceFiles {
  files: readonly SourceFile[]
  close(): void
}

export const sourceLimits = {
  entries: 20_000,
  /** All files together, unpacked. */
  bytes: 4_294_967_296,
  /** One JSON value of a list, such as a conversation. */
  valueBytes: 268_435_456,
  /** Of lists and objects inside each other; parsing a million of them takes 50 MB. */
  levels: 1_000,
} as const

/** @throws ImportRefused above `limit` */
export async function readWhole(file: SourceFile, limit: number): Promise<Buffer> {
  const pieces: Uint8Array[] = []
  let bytes = 0
  for await (const piece of await file.stream()) {
    bytes += piece.byteLength
    if (bytes > limit) throw new ImportRefused(`${file.name} is larger than it may be.`)
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}

/** @throws ImportRefused */
export function refuseSize(entries: number, bytes: number): void {
  const { entries: mostEntries, bytes: mostBytes } = sourceLimits
  if (entries > mostEntries) {
    throw new ImportRefused(`It has more than ${mostEntries} files. Choose the export alone.`)
  }
  if (bytes > mostBytes) throw new ImportRefused('It unpacks to more than 4 GiB.')
}
