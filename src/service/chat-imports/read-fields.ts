/** Values that all exports have: times, titles, texts with private marks, files inside texts. */
import type { MessageDetail } from '../../shared/chat/imports.ts'
import { stringOf } from '../json-fields.ts'
import type { Ending, ImportedFile, ImportedNode } from './imported.ts'

/** Below it, a number is seconds: as milliseconds it would be before March 1973. */
const leastMs = 1e11
const latestMs = 8.64e15

/** Milliseconds of a number of seconds or milliseconds, or of a date; null for anything else. */
export function timeOf(value: unknown): number | null {
  const number = typeof value === 'string' ? Date.parse(value) : value
  if (typeof number !== 'number' || !Number.isFinite(number) || number <= 0) return null
  const ms = Math.round(typeof value === 'number' && number < leastMs ? number * 1_000 : number)
  return ms <= latestMs ? ms : null
}

/** A title without invisible characters, which could hide or turn round what it says; null when nothing is left. */
export function titleOf(value: unknown): string | null {
  const title = stringOf(value)
    ?.replaceAll(
      /[\u200b\u200c\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff\p{Cc}]/gu,
      '',
    )
    .replaceAll(/(?<![\p{Extended_Pictographic}\ufe0f])\u200d/gu, '')
    .trim()
  return title ? title.slice(0, 200) : null
}

export function detail(kind: MessageDetail['kind'], title: string, text: unknown): MessageDetail {
  return { kind, title, text: typeof text === 'string' ? text : JSON.stringify(text ?? '') }
}

/** A detail in a list; no detail for a text that is missing or empty. */
export function detailIf(
  kind: MessageDetail['kind'],
  title: string,
  text: unknown,
): MessageDetail[] {
  return stringOf(text) === null ? [] : [detail(kind, title, text)]
}

export function missingFile(name: unknown, text: unknown = null): ImportedFile {
  return { name: stringOf(name) ?? 'file', mediaType: null, read: null, text: stringOf(text) }
}

/** A file whose text is in the export. */
export function textFile(name: unknown, text: string): ImportedFile {
  const read = async () => new TextEncoder().encode(text)
  return { name: stringOf(name) ?? 'text.txt', mediaType: 'text/plain', read, text }
}

/** The file in a `data:` address; null for other addresses, which are never opened. */
export function dataFile(url: unknown, name: unknown = null): ImportedFile | null {
  const [, mediaType, data] = /^data:([\w.+/-]+);base64,(.*)$/s.exec(stringOf(url) ?? '') ?? []
  if (mediaType === undefined || data === undefined) return null
  const ending = mediaType.split('/')[1]?.split('+')[0] ?? 'bin'
  return {
    name: stringOf(name) ?? `file.${ending}`,
    mediaType,
    read: async () => Buffer.from(data, 'base64'),
    text: null,
  }
}

export const complete: Ending = { state: 'complete', error: null, errorDetail: null }

/** A node with what most nodes do not have. */
export function nodeOf(
  given: Pick<ImportedNode, 'id' | 'parentId' | 'role'> & Partial<ImportedNode>,
): ImportedNode {
  const empty = { text: '', model: null, createdAtMs: null, details: [], files: [] }
  return { ...empty, ending: complete, isSetAside: null, ...given }
}
