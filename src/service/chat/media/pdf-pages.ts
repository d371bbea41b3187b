/**
 * The pages of a PDF, counted without reading it: the number that a linearised file states, else its page objects.
 * Newer files compress these; then the compressed objects are inflated, up to a limit.
 */
import { constants, inflateSync } from 'node:zlib'

/** How much may still be inflated, in bytes; shared by all documents of a request, because bytes can be bombs. */
export interface InflateBudget {
  left: number
}

const mostPerStream = 1_048_576
/** Most bytes between a stream's type and its data. */
const dictionaryBytes = 1_024

/** @returns null when no page is found: encrypted, cut off, or beyond the limit */
export function countPages(bytes: Buffer, budget: InflateBudget): number | null {
  const stated = /\/Linearized\b[^]{0,300}?\/N (\d{1,6})\b/.exec(bytes.toString('latin1', 0, 1_024))
  const pages = Number(stated?.[1] ?? 0) || pageObjects(bytes) || compressedPages(bytes, budget)
  return pages === 0 ? null : pages
}

/** Objects with `/Type /Page`, not `/Pages`. */
function pageObjects(bytes: Buffer): number {
  let count = 0
  for (let at = bytes.indexOf('/Page'); at !== -1; at = bytes.indexOf('/Page', at + 5)) {
    const next = String.fromCharCode(bytes[at + 5] ?? 0)
    if (/[a-z]/i.test(next)) continue
    const before = bytes.toString('latin1', Math.max(0, at - 12), at)
    if (/\/Type\s*$/.test(before)) count += 1
  }
  return count
}

function compressedPages(bytes: Buffer, budget: InflateBudget): number {
  let count = 0
  for (let at = bytes.indexOf('/ObjStm'); at !== -1; at = bytes.indexOf('/ObjStm', at + 7)) {
    const begin = bytes.indexOf('stream', at)
    if (begin === -1 || begin - at > dictionaryBytes || budget.left <= 0) break
    const isTwoBytes = bytes[begin + 6] === 0x0d
    const data = inflated(bytes.subarray(begin + (isTwoBytes ? 8 : 7)), budget)
    if (data !== null) count += pageObjects(data)
  }
  return count
}

/** @returns null for data that is encrypted or too long */
function inflated(data: Buffer, budget: InflateBudget): Buffer | null {
  const maxOutputLength = Math.min(mostPerStream, budget.left)
  budget.left -= maxOutputLength
  try {
    const text = inflateSync(data, { maxOutputLength, finishFlush: constants.Z_SYNC_FLUSH })
    budget.left += maxOutputLength - text.length
    return text
  } catch (error) {
    if (error instanceof Error && 'code' in error) return null
    throw error
  }
}
