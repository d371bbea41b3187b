import type { ReactNode } from 'react'
import {
  formatClock,
  formatCount,
  formatDuration,
  formatGrams,
  formatUsd,
} from '../../../../shared/strings/format.ts'
import type { ListedRequest } from '../../../../shared/requests/search.ts'
import { clientName } from '../../usage/client-name.ts'
import {
  decisionWords,
  outcomeOf,
  sourceText,
  tokensOf,
  type Outcome,
} from '../../usage/request-words.ts'
import { t } from '../../../../shared/strings/strings.ts'

/** The names of what a row only knows by its id. */
export interface RowNames {
  router: (id: string) => string
  key: (id: string | null) => string | null
}

interface RequestColumn {
  title: string
  /** Title in a table header; `title` where absent. */
  shortTitle?: string
  /** Least width of the column in rem. */
  width: number
  /** The largest width of a column that takes room left over. */
  mostWidth?: string
  isFigure?: boolean
  /** True if it is not shown until chosen. */
  isExtra?: boolean
  cell: (request: ListedRequest, names: RowNames) => ReactNode
}

const unknown = <span className="text-muted">—</span>

/** All columns, in the order of the table. The time is always shown. */
export const requestColumns = {
  router: {
    title: t('Router'),
    width: 6,
    mostWidth: '9rem',
    cell: ({ routerId }, { router }) => router(routerId),
  },
  model: {
    title: t('Model'),
    width: 12.5,
    mostWidth: '1fr',
    cell: ({ modelUsed }) => modelUsed ?? unknown,
  },
  status: {
    title: t('Status'),
    width: 7,
    cell: (request) => <OutcomeDot outcome={outcomeOf(request)} />,
  },
  prompt: {
    title: t('Prompt tokens'),
    shortTitle: t('In'),
    width: 4.5,
    isFigure: true,
    cell: (request) => tokenText(request, 'prompt'),
  },
  completion: {
    title: t('Answer tokens'),
    shortTitle: t('Out'),
    width: 4.5,
    isFigure: true,
    cell: (request) => tokenText(request, 'completion'),
  },
  cost: {
    title: t('Cost'),
    width: 6.25,
    isFigure: true,
    cell: ({ costNanoUsd }) => formatUsd(costNanoUsd / 1e9),
  },
  latency: {
    title: t('Total time'),
    shortTitle: t('Duration'),
    width: 5,
    isFigure: true,
    cell: ({ latencyMs }) => formatDuration(latencyMs),
  },
  firstToken: {
    title: t('Time to first token'),
    shortTitle: t('First token'),
    width: 5.5,
    isFigure: true,
    cell: ({ firstTokenMs }) => (firstTokenMs === null ? unknown : formatDuration(firstTokenMs)),
  },
  carbon: {
    title: t('CO₂e, estimated'),
    shortTitle: 'CO₂e',
    width: 5.5,
    isFigure: true,
    isExtra: true,
    cell: ({ carbonGrams }) => formatGrams(carbonGrams),
  },
  decision: {
    title: t('Decision'),
    width: 8,
    cell: ({ routerDecision }) => decisionWords(routerDecision),
  },
  key: {
    title: t('Key'),
    width: 6,
    mostWidth: '9rem',
    cell: ({ apiKeyId }, { key }) => key(apiKeyId) ?? unknown,
  },
  source: { title: t('Source'), width: 6.5, cell: sourceText },
  client: {
    title: t('Client'),
    width: 6,
    mostWidth: '9rem',
    cell: ({ client }) => (client === null ? unknown : clientName(client)),
  },
  tag: { title: t('Tag'), width: 6, cell: ({ tag }) => tag ?? unknown },
} as const satisfies Record<string, RequestColumn>

export type ColumnName = keyof typeof requestColumns

// The keys of the table above, in its order; `Object.keys` loses their type.
export const columnNames = Object.keys(requestColumns) as ColumnName[]

export function columnOf(name: ColumnName): RequestColumn {
  return requestColumns[name]
}

export const usualColumns = columnNames.filter((name) => columnOf(name).isExtra !== true)

/** Columns that leave first where there is no room for all. The inspector shows them, too. */
const leastImportant: readonly ColumnName[] = [
  'tag',
  'client',
  'decision',
  'key',
  'firstToken',
  'source',
  'prompt',
  'completion',
  'router',
  'latency',
  'cost',
]

/** Width of the time in rem. */
const timeWidth = 8.5
const pixelsPerRem = 16

/** Least width of the table in rem. */
export function tableWidth(columns: readonly ColumnName[]): number {
  return columns.reduce((sum, name) => sum + columnOf(name).width, timeWidth)
}

/** The columns of the grid: the time, then the chosen ones. */
export function tracksOf(columns: readonly ColumnName[]): string {
  const tracks = columns.map((name) => {
    const { width, mostWidth } = columnOf(name)
    return mostWidth === undefined ? `${width}rem` : `minmax(${width}rem, ${mostWidth})`
  })
  return [`${timeWidth}rem`, ...tracks].join(' ')
}

/** The usual columns that fit without scrolling sideways. */
export function fittingColumns(widthPx: number): readonly ColumnName[] {
  let fitting: readonly ColumnName[] = usualColumns
  for (const name of leastImportant) {
    if (tableWidth(fitting) * pixelsPerRem <= widthPx) break
    fitting = fitting.filter((each) => each !== name)
  }
  return fitting
}

/** The time of day, and the day where it begins. */
export function TimeCell({ atMs, day }: { atMs: number; day: string | null }) {
  return (
    <span className="flex items-baseline justify-between gap-2">
      <time dateTime={new Date(atMs).toISOString()}>{formatClock(atMs)}</time>
      <span className="truncate font-semibold">{day}</span>
    </span>
  )
}

const dots = { ok: 'bg-ok', warn: 'bg-warn', bad: 'bg-bad', neutral: 'bg-edge' } as const

/** A coloured dot and how the request ended. */
export function OutcomeDot({ outcome: { text, tone, reason } }: { outcome: Outcome }) {
  return (
    <span className="flex min-w-0 items-center gap-2" title={reason ?? undefined}>
      <span
        aria-hidden
        className={`size-2 shrink-0 rounded-full forced-color-adjust-none ${dots[tone]}`}
      />
      <span className={`truncate ${tone === 'bad' ? 'text-bad' : ''}`}>{text}</span>
    </span>
  )
}

function tokenText(request: ListedRequest, side: 'prompt' | 'completion'): ReactNode {
  const tokens = tokensOf(request)
  const count = tokens[side]
  if (count === null) return unknown
  return tokens.isEstimate ? `≈ ${formatCount(count)}` : formatCount(count)
}
