/** The filter of the address in words. */
import { formatDateTime } from '../../../../shared/strings/format.ts'
import type { RequestFilter } from '../../../../shared/requests/search.ts'
import { rangeNames, type RangeName } from '../../usage/range.ts'
import { filterOfSearch } from '../../usage/request-links.ts'
import { decisionWords, endWords, sourceWords } from '../../usage/request-words.ts'
import type { Search } from '../../usage/search.ts'
import { nameWith } from '../../../../shared/strings/join.ts'
import { t } from '../../../../shared/strings/strings.ts'

/** What requests can be filtered by, in the order of the menu. */
export const filterTitles = {
  time: t('Time'),
  routerId: t('Router'),
  model: t('Model'),
  providerId: t('Provider'),
  end: t('Status'),
  apiKeyId: t('Key'),
  client: t('Client'),
  decision: t('Decision'),
  source: t('Source'),
  tag: t('Tag'),
  conversationId: t('Conversation'),
  executionId: t('Agent run'),
  findingId: t('Finding'),
  text: t('Text'),
} as const

export type FilterName = keyof typeof filterTitles

/** The range of the page without one in the address. */
export const usualRange: RangeName = '30d'

/** Whether a person chose a part of the time: the usual range is no filter. */
export function isChosenRange(range: RangeName | null): boolean {
  return range !== null && range !== 'all' && range !== usualRange
}

/** The filter of an address, and its range. */
interface AddressFilter {
  filter: RequestFilter
  /** Null for all time, and beside `fromMs` or `toMs`, which are more exact. */
  range: Exclude<RangeName, 'all'> | null
}

export function readAddress(search: Search): AddressFilter {
  const filter = filterOfSearch(search)
  const range = rangeNames.find((name) => name === search['range']) ?? usualRange
  const isExact = filter.fromMs !== undefined || filter.toMs !== undefined
  return { filter, range: isExact || range === 'all' ? null : range }
}

/** The names of what the filter only knows by its id. */
export interface FilterNames {
  router: (id: string) => string
  key: (id: string) => string
  conversation: (id: string) => string
}

export interface FilterChip {
  name: FilterName
  /** `Router: Web shop` */
  text: string
}

/** One chip for each part of the filter. The range is no part: it has a choice of its own. */
export function chipsOf(filter: RequestFilter, names: FilterNames): FilterChip[] {
  const texts: Record<FilterName, string | undefined> = {
    time: timeText(filter),
    routerId: filter.routerId && names.router(filter.routerId),
    model: filter.model,
    providerId: filter.providerId,
    end: filter.end && endWords[filter.end],
    apiKeyId: filter.apiKeyId === '' ? t('None') : filter.apiKeyId && names.key(filter.apiKeyId),
    client: filter.client,
    decision: filter.decision && decisionWords(filter.decision),
    source: filter.source && sourceWords[filter.source],
    tag: filter.tag,
    conversationId: filter.conversationId && names.conversation(filter.conversationId),
    executionId: filter.executionId,
    findingId: filter.findingId && t('the newest 20 requests'),
    // It has a field of its own.
    text: undefined,
  }
  return filterNames.flatMap((name) => {
    const text = texts[name]
    if (text === undefined) return []
    return [{ name, text: name === 'time' ? text : nameWith(filterTitles[name], text) }]
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
  const times: Search = { fromMs: undefined, toMs: undefined }
  return times
}

/** The change that removes every part of the filter. */
export const noFilter: Search = Object.fromEntries(
  filterNames.flatMap((name) => Object.entries(changeOf(name, undefined))),
)
