/** The filter of the address in words. */
import { formatDateTime } from '../../../../shared/strings/format.ts'
import type { RequestFilter } from '../../../../shared/requests/search.ts'
import { rangeNames, type RangeName } from '../../usage/range.ts'
import { filterOfSearch } from '../../usage/request-links.ts'
import { decisionWords, endWords, sourceWords } from '../../usage/request-words.ts'
import type { Search } from '../../usage/search.ts'
import { t } from '../../../../shared/strings/strings.ts'

/** What requests can be filtered by, in the order of the menu. The time is either a range or two ends. */
export const filterTitles = {
  time: t('Time'),
  routerId: t('Router'),
  model: t('Model'),
  providerId: t('Provider'),
  end: t('Status'),
  apiKeyId: t('Key'),
  client: t('Client'),
  decision: t('Decision'),
  source: 'Source',
  tag: t('Tag'),
  executionId: t('Agent run'),
} as const

export type FilterName = keyof typeof filterTitles

export const rangeWords: Readonly<Record<RangeName, string>> = {
  '1h': t('Last hour'),
  '24h': t('Last 24 hours'),
  '7d': t('Last 7 days'),
  '30d': t('Last 30 days'),
  all: t('All time'),
}

/** The filter of an address, and its range, if it has one. */
export interface AddressFilter {
  filter: RequestFilter
  /** Null without a range, and beside `fromMs` or `toMs`, which are more exact. */
  range: Exclude<RangeName, 'all'> | null
}

export function readAddress(search: Search): AddressFilter {
  const filter = filterOfSearch(search)
  const range = rangeNames.find((name) => name === search['range']) ?? 'all'
  const isExact = filter.fromMs !== undefined || filter.toMs !== undefined
  return { filter, range: isExact || range === 'all' ? null : range }
}

/** The names of what the filter only knows by its id. */
export interface FilterNames {
  router: (id: string) => string
  key: (id: string) => string
}

export interface FilterChip {
  name: FilterName
  /** `Router: Web shop` */
  text: string
}

/** One chip for each part of the filter. */
export function chipsOf({ filter, range }: AddressFilter, names: FilterNames): FilterChip[] {
  const texts: Record<FilterName, string | undefined> = {
    time: range === null ? timeText(filter) : rangeWords[range],
    routerId: filter.routerId && names.router(filter.routerId),
    model: filter.model,
    providerId: filter.providerId,
    end: filter.end && endWords[filter.end],
    apiKeyId: filter.apiKeyId === '' ? t('None') : filter.apiKeyId && names.key(filter.apiKeyId),
    client: filter.client,
    decision: filter.decision && decisionWords(filter.decision),
    source: filter.source && sourceWords[filter.source],
    tag: filter.tag,
    executionId: filter.executionId,
  }
  return filterNames.flatMap((name) => {
    const text = texts[name]
    if (text === undefined) return []
    return [{ name, text: name === 'time' ? text : `${filterTitles[name]}: ${text}` }]
  })
}

// The keys of the table above, in its order; `Object.keys` loses their type.
export const filterNames = Object.keys(filterTitles) as FilterName[]

function timeText({ fromMs, toMs }: RequestFilter): string | undefined {
  if (fromMs !== undefined && toMs !== undefined) {
    return t('{fromMs} to {toMs}', { fromMs: formatDateTime(fromMs), toMs: formatDateTime(toMs) })
  }
  if (fromMs !== undefined) return t('Since {fromMs}', { fromMs: formatDateTime(fromMs) })
  return toMs === undefined ? undefined : t('Before {toMs}', { toMs: formatDateTime(toMs) })
}

/** The change of the address that sets a part of the filter; undefined removes it. */
export function changeOf(name: FilterName, value: string | undefined): Search {
  if (name !== 'time') return { [name]: value }
  const all: Search = { range: value, fromMs: undefined, toMs: undefined }
  return all
}

/** The change that removes these parts of the filter. */
export function removalOf(names: readonly FilterName[]): Search {
  return Object.fromEntries(names.flatMap((name) => Object.entries(changeOf(name, undefined))))
}

/** The change that removes the whole filter. */
export const noFilter = removalOf(filterNames)
