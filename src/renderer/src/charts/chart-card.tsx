import { Table2 } from 'lucide-react'
import { useId, useState, type ReactNode } from 'react'
import { IconButton } from '../components/button.tsx'
import { DataTable } from '../components/data-table.tsx'
import { RequestsLink } from '../components/requests-link.tsx'
import type { ChartSize } from './chart-props.ts'
import type { ChartText } from './chart-text.ts'
import { t } from '../../../shared/strings/strings.ts'

interface ChartCardProps {
  title: string
  /** What the chart answers. */
  question: string
  text: ChartText
  size?: ChartSize | undefined
  /** Choices that change what is shown. */
  controls?: ReactNode
  /** Legend under the chart, above the sentence. */
  legend?: ReactNode
  /** A note under the sentence: how a figure came about. */
  note?: ReactNode
  children: ReactNode
}

/** Fewer points show nothing that the sentence does not say. */
const leastPoints = 3

/** A chart with its question, a sentence, and the same figures as a table. All three come from one function. */
export function ChartCard(props: ChartCardProps) {
  const { title, question, text, size = 'normal', controls, legend, note, children } = props
  const id = useId()
  const [isTable, setIsTable] = useState(false)
  const points = text.table.rows.length
  const isEmpty = points === 0
  const isSentence = points < leastPoints && !isTable
  return (
    <figure
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-sentence`}
      data-points={points}
      className={
        size === 'small'
          ? 'flex min-w-0 flex-col gap-2 border-b border-line px-4 py-3 last:border-b-0'
          : 'flex min-w-0 flex-col gap-3 rounded-xl border border-line bg-surface p-4'
      }
    >
      <div className="flex flex-wrap items-start gap-x-3 gap-y-1">
        <div className="min-w-0 flex-1 basis-40">
          <h2 id={`${id}-title`} className="text-sm font-semibold">
            {title}
          </h2>
          <p className="text-xs text-muted">{question}</p>
        </div>
        {!isEmpty && (
          <div className="flex items-center gap-1.5">
            {controls}
            <IconButton
              label={isTable ? t('Show as chart') : t('Show as table')}
              aria-pressed={isTable}
              className="text-muted aria-pressed:bg-accent-soft aria-pressed:text-accent"
              onClick={() => setIsTable(!isTable)}
            >
              <Table2 size={16} aria-hidden />
            </IconButton>
          </div>
        )}
      </div>
      {isTable && !isEmpty ? (
        <PointTable title={title} table={text.table} />
      ) : isSentence ? (
        <p
          id={`${id}-sentence`}
          className={`rounded-lg bg-sunken p-3 text-center text-sm text-pretty text-muted ${isEmpty ? 'py-8' : ''}`}
        >
          {text.sentence}
        </p>
      ) : (
        <>
          {children}
          {legend}
        </>
      )}
      {!isSentence && (
        <figcaption id={`${id}-sentence`} className="text-xs text-pretty text-muted">
          {text.sentence}
          {note && <span className="mt-1 block">{note}</span>}
        </figcaption>
      )}
    </figure>
  )
}

function PointTable({ title, table }: { title: string; table: ChartText['table'] }) {
  return (
    <DataTable
      label={t('{title}, all figures', { title })}
      isLimited
      columns={table.columns.map((name, index) => ({
        name,
        isFigure: index > 0,
        className: 'whitespace-nowrap',
      }))}
      rows={table.rows.map(({ key, cells: [first = '', ...cells], filter }) => ({
        key,
        cells: [
          filter ? (
            <RequestsLink
              key="first"
              filter={filter}
              className="underline decoration-line underline-offset-3 hover:decoration-current"
            >
              {first}
            </RequestsLink>
          ) : (
            first
          ),
          ...cells,
        ],
      }))}
    />
  )
}
