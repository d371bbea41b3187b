/** The two ends of a time filter as texts of `datetime-local` fields. */
import { latestTimeMs } from '../../../../shared/requests/search.ts'
import type { Search } from '../../usage/search.ts'
import { readAddress } from './filter-words.ts'

/** The ends in the address; empty where there is none or it is not a time. */
export function timeFieldsOf(search: Search): { from: string; to: string } {
  const { fromMs, toMs } = readAddress(search).filter
  return { from: localText(fromMs), to: localText(toMs) }
}

/** `2026-11-22T14:05` in the local time zone, as the field wants it. */
function localText(atMs: number | undefined): string {
  if (atMs === undefined) return ''
  const offsetMs = new Date(atMs).getTimezoneOffset() * 60_000
  return new Date(Math.min(atMs - offsetMs, latestTimeMs)).toISOString().slice(0, 16)
}

/** The time of a field's text in the address. */
export function timeOf(text: string | undefined): string | undefined {
  return text && String(new Date(text).getTime())
}
