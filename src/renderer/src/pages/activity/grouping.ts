/** What the page Usage groups by, and the names of the groups. */
import { formatDay } from '../../../../shared/strings/format.ts'
import type { RequestFilter } from '../../../../shared/requests/search.ts'
import type { UsageFigures, UsageGroup, UsageReport } from '../../../../shared/requests/usage.ts'
import { dayMs, timesOf, withinDay, type UsageRange } from '../../usage/range.ts'
import { t } from '../../../../shared/strings/strings.ts'

export const groupings = [
  'model',
  'router',
  'provider',
  'key',
  'tag',
  'agent',
  'conversation',
  'day',
] as const
export type Grouping = (typeof groupings)[number]

export const groupingWords: Readonly<Record<Grouping, string>> = {
  model: t('Model'),
  router: t('Router'),
  provider: t('Provider'),
  key: t('Key'),
  tag: t('Tag'),
  agent: t('Agent'),
  conversation: t('Conversation'),
  day: t('Day'),
}

/** The grouping within a title. */
export const byWords: Readonly<Record<Grouping, string>> = {
  model: t('by model'),
  router: t('by router'),
  provider: t('by provider'),
  key: t('by key'),
  tag: t('by tag'),
  agent: t('by agent'),
  conversation: t('by conversation'),
  day: t('by day'),
}

/** Days are the points of a report. */
export function groupOf(grouping: Grouping): UsageGroup {
  return grouping === 'day' ? 'none' : grouping
}

export interface Names {
  router: (id: string) => string
  key: (id: string) => string
  conversation: (id: string) => string
}

/** A row of the table. */
export interface GroupRow {
  /** Id in reports. */
  id: string
  name: string
  figures: UsageFigures
  /** Filter of its requests; null where no filter selects exactly these. */
  filter: RequestFilter | null
}

/** @param report  by `groupOf(grouping)`; for days with buckets of a day */
export function groupRows(
  report: UsageReport,
  grouping: Grouping,
  { names, range }: { names: Names; range: UsageRange },
): GroupRow[] {
  if (grouping !== 'day') {
    return report.groups.map(({ name, figures }) => ({
      id: name,
      name: nameOfGroup(grouping, name, names),
      figures,
      filter: filterOfGroup(grouping, name, range),
    }))
  }
  const counted = timesOf(range)
  return report.points.map(({ startMs, total }) => ({
    id: String(startMs),
    name: formatDay(withinDay(startMs)),
    figures: total,
    filter: {
      fromMs: Math.max(startMs, counted.fromMs),
      toMs: Math.min(startMs + dayMs, counted.toMs),
    },
  }))
}

/** Requests that belong to no group have the name ''. */
export const without: Readonly<Record<Exclude<Grouping, 'day'>, string>> = {
  model: t('No model answered'),
  router: t('No router'),
  provider: t('No model answered'),
  key: t('No key'),
  tag: t('No tag'),
  agent: t('No agent'),
  conversation: t('No conversation'),
}

export function nameOfGroup(grouping: Exclude<Grouping, 'day'>, id: string, names: Names): string {
  if (id === '') return without[grouping]
  if (grouping === 'router') return names.router(id)
  if (grouping === 'conversation') return names.conversation(id)
  return grouping === 'key' ? names.key(id) : id
}

const filterNames = {
  model: 'model',
  router: 'routerId',
  provider: 'providerId',
  key: 'apiKeyId',
  tag: 'tag',
  conversation: 'conversationId',
} as const

export function filterOfGroup(
  grouping: Exclude<Grouping, 'day'>,
  id: string,
  range: UsageRange,
): RequestFilter | null {
  if (grouping === 'agent' || (id === '' && grouping !== 'key')) return null
  return { [filterNames[grouping]]: id, ...timesOf(range) }
}
