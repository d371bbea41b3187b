/** Reads a program's export: which program it is from, and what is in it. It runs in a worker, because the bytes are foreign. */
import { basename } from 'node:path'
import type { WireFields } from '../../shared/chat/chat.ts'
import type { ChatSource } from '../../shared/chat/imports.ts'
import { fieldsOf, listOf, parseJsonOrNull, stringOf } from '../json-fields.ts'
import { ImportRefused, type Found } from './imported.ts'
import { jsonValues } from './json-values.ts'
import { chatReaders } from './readers/index.ts'
import { linesOf } from './readers/lines.ts'
import { listFile, type ChatReader, type Export } from './readers/reader.ts'
import { openSource } from './open-source.ts'
import type { SourceFile } from './source-files.ts'

/** Broken values at the beginning of a list that are skipped to find out which program it is from. */
const mostBroken = 20

/** @throws ImportRefused for what no reader knows */
export async function* readExport(path: string): AsyncIterable<Found & { source: ChatSource }> {
  const opened = await openSource(path)
  try {
    const found = { files: opened.files, first: await firstValue(opened.files) }
    const reader = readerOf(found, path)
    for await (const one of reader.read(found)) yield { ...one, source: reader.source }
  } finally {
    opened.close()
  }
}

function readerOf(found: Export, path: string): ChatReader {
  const reader = chatReaders.find((one) => one.claims(found))
  if (reader) return reader
  refuseIndex(found.first)
  throw new ImportRefused(
    `${basename(path)} has no conversations that Modelport can read. docs/chat.md lists the programs and their files.`,
  )
}

/** Large accounts of Claude get a list of addresses in place of the conversations. */
function refuseIndex(first: WireFields): void {
  const archives = listOf(first['data_files'])
    .map((file) => stringOf(fieldsOf(file)['filename']) ?? stringOf(fieldsOf(file)['name']))
    .filter((name) => name !== null)
  if (!('data_files' in first)) return
  const names = archives.length > 0 ? `: ${archives.join(', ')}` : ''
  throw new ImportRefused(
    `This is only the list of Claude’s archives${names}. Download them with its links, and import each.`,
  )
}

async function firstValue(files: readonly SourceFile[]): Promise<WireFields> {
  const json = files.filter(({ name }) => name.endsWith('.json'))
  const file =
    json.find(({ name }) => listFile.test(name)) ??
    json.find(({ name }) => /(?:^|\/)data\.json$/.test(name)) ??
    json[0]
  if (file) return firstOf(file)
  const lines = files.find(({ name }) => name.endsWith('.jsonl'))
  for await (const { line } of lines ? linesOf(lines) : []) return fieldsOf(parseJsonOrNull(line))
  return {}
}

async function firstOf(file: SourceFile): Promise<WireFields> {
  let broken = 0
  for await (const bytes of jsonValues(await file.stream())) {
    const value = fieldsOf(parseJsonOrNull(bytes.toString('utf8')))
    if (Object.keys(value).length > 0 || (broken += 1) > mostBroken) return value
  }
  return {}
}
