/** Files that commands read for the user. */
import { createReadStream } from 'node:fs'
import { CommandFailed, UsageError, type Cli } from './cli.ts'

const mebibyte = 1024 * 1024

/**
 * Stops reading at the size limit, so that an endless device or pipe does no harm.
 * @param file  `-` is stdin
 * @param greatestBytes  whole mebibytes
 * @throws UsageError, CommandFailed
 */
export async function readTextFile(
  file: string,
  cli: Pick<Cli, 'stdin'>,
  greatestBytes = mebibyte,
): Promise<string> {
  return decode(await readBytes(file, cli, greatestBytes))
}

/** The same for files that need not be UTF-8. @throws UsageError, CommandFailed */
export async function readBytes(
  file: string,
  { stdin }: Pick<Cli, 'stdin'>,
  greatestBytes: number,
): Promise<Buffer> {
  const chunks: Buffer[] = []
  let bytes = 0
  try {
    const stream: AsyncIterable<Buffer | string> = file === '-' ? stdin : createReadStream(file)
    for await (const chunk of stream) {
      bytes += chunk.length
      if (bytes > greatestBytes) break
      chunks.push(Buffer.from(chunk))
    }
  } catch (error) {
    throw new CommandFailed(`${file} cannot be read.`, { cause: error })
  }
  if (bytes > greatestBytes) {
    throw new UsageError(`The file is larger than ${greatestBytes / mebibyte} MiB.`)
  }
  return Buffer.concat(chunks)
}

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (error) {
    throw new UsageError('The file is not UTF-8 text.', { cause: error })
  }
}
