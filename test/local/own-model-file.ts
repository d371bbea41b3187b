/** A model file of a user's own: the built-in weights with another title and a shorter trained context. */
import { copyFile, mkdir, open } from 'node:fs/promises'
import { dirname } from 'node:path'

/** A title as long as that in the built-in model's file, so that it can replace it in place. */
export const ownTitle = 'Otter 135M, a model for testing'
export const ownTrainedTokens = 2048

const headerBytes = 4096
/** Bytes before a text in the file's header: its type and its length. */
const textPrefixBytes = 12
const numberPrefixBytes = 4

/** @param builtIn  the built-in model's file */
export async function writeOwnModelFile(builtIn: string, file: string): Promise<string> {
  await mkdir(dirname(file), { recursive: true })
  await copyFile(builtIn, file)
  const copy = await open(file, 'r+')
  try {
    const { buffer: header } = await copy.read(Buffer.alloc(headerBytes), 0, headerBytes, 0)
    header.write(ownTitle, endOf('general.name', header) + textPrefixBytes, 'latin1')
    header.writeUInt32LE(
      ownTrainedTokens,
      endOf('llama.context_length', header) + numberPrefixBytes,
    )
    await copy.write(header, 0, headerBytes, 0)
  } finally {
    await copy.close()
  }
  return file
}

function endOf(key: string, header: Buffer): number {
  const start = header.indexOf(key)
  if (start === -1) throw new Error(`the built-in model's file has no ${key}`)
  return start + key.length
}
