import { ImportRefused } from '../imported.ts'
import { sourceLimits, type SourceFile } from '../source-files.ts'

/** Lines that are not empty, without a byte order mark, numbered from 1. @throws ImportRefused for a line above `valueBytes` */
export async function* linesOf(file: SourceFile): AsyncIterable<{ line: string; number: number }> {
  const decoder = new TextDecoder()
  let rest = ''
  let number = 0
  for await (const piece of await file.stream()) {
    const lines = (rest + decoder.decode(piece, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    if (rest.length > sourceLimits.valueBytes) {
      throw new ImportRefused(`A line of ${file.name} has more than 256 MiB.`)
    }
    for (const line of lines) {
      number += 1
      if (line.trim() !== '') yield { line, number }
    }
  }
  const last = rest + decoder.decode()
  if (last.trim() !== '') yield { line: last, number: number + 1 }
}
