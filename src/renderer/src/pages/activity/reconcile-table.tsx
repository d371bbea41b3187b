import { useState } from 'react'
import { causeWords, hasNoPrice, noPriceNote } from '../../../../shared/requests/reconcile-words.ts'
import type {
  ReconciledLine,
  ReconciledFigures,
  Reconciliation,
} from '../../../../shared/requests/reconciliation.ts'
import { formatCount, formatTokens, formatUsd } from '../../../../shared/strings/format.ts'
import { t } from '../../../../shared/strings/strings.ts'
import { Checkbox } from '../../components/checkbox.tsx'
import { DataTable, type Row } from '../../components/data-table.tsx'
import { Note } from '../../components/error-note.tsx'

/** Differences below a hundredth of a cent are not worth a row. */
const leastUsd = 0.0001
const mostRows = 500

export function ReconcileTotals({ result }: { result: Reconciliation }) {
  const { theirsUsd, oursUsd, differenceUsd, unexplainedUsd } = result.total
  const figures = [
    { name: t('Bill'), value: formatUsd(theirsUsd), isAlarm: false },
    { name: t('Modelport'), value: formatUsd(oursUsd), isAlarm: false },
    { name: t('Difference'), value: signed(differenceUsd), isAlarm: false },
    {
      name: t('Unexplained'),
      value: formatUsd(unexplainedUsd),
      isAlarm: unexplainedUsd > 0.005 * theirsUsd,
    },
  ]
  const unpriced = noPriceNote(result.lines)
  return (
    <>
      <dl className="grid grid-cols-2 gap-3 min-[60rem]:grid-cols-4">
        {figures.map(({ name, value, isAlarm }) => (
          <div key={name} className="rounded-xl border border-line bg-surface px-4 py-3">
            <dt className="text-xs text-muted">{name}</dt>
            <dd className={`text-lg font-semibold tabular-nums ${isAlarm ? 'text-bad' : ''}`}>
              {value}
            </dd>
          </div>
        ))}
      </dl>
      {unpriced !== null && <Note kind="warn">{unpriced}</Note>}
    </>
  )
}

function signed(usd: number): string {
  return usd < 0 ? `−${formatUsd(-usd)}` : formatUsd(usd)
}

export function ReconcileTable({ result }: { result: Reconciliation }) {
  const [showsAll, setShowsAll] = useState(false)
  const differing = result.lines.filter((line) => {
    const { differenceUsd, unexplainedUsd } = line
    const most = Math.max(Math.abs(differenceUsd), Math.abs(unexplainedUsd))
    return most >= leastUsd || hasNoPrice(line)
  })
  const lines = showsAll ? result.lines : differing
  const { from, to, timeZone } = result
  return (
    <section aria-labelledby="reconciled-days" className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 id="reconciled-days" className="text-sm font-semibold">
          {t('{from} to {to} in {timeZone}', { from, to, timeZone })}
        </h2>
        <Checkbox
          label={t('Also days without a difference')}
          checked={showsAll}
          onChange={setShowsAll}
        />
      </div>
      <DataTable
        label={t('Bill and Modelport by day and model')}
        look="page"
        columns={[
          { name: t('Day') },
          { name: t('Model') },
          { name: t('Bill'), isFigure: true },
          { name: t('Modelport'), isFigure: true },
          { name: t('Difference'), isFigure: true },
          { name: t('Unexplained'), isFigure: true },
          { name: t('Causes'), className: 'min-w-72' },
        ]}
        rows={lines.slice(0, mostRows).map(rowOf)}
        note={noteOf(lines)}
        empty={
          <p role="status" className="py-6 text-sm text-muted">
            {t('The bill and Modelport agree on every day.')}
          </p>
        }
      />
    </section>
  )
}

function noteOf(lines: readonly ReconciledLine[]): string | undefined {
  if (lines.length > mostRows) {
    return t('The first {count}. All: modelport reconcile', { count: mostRows })
  }
  if (lines.some((line) => line.isPriced && !hasNoPrice(line))) {
    return t('In brackets: the bill has tokens only, here at the price that Modelport uses.')
  }
  return undefined
}

function rowOf(line: ReconciledLine): Row {
  const { day, model, theirs, ours, differenceUsd, unexplainedUsd } = line
  return {
    key: `${day} ${model}`,
    values: [day, model, theirs.usd, ours.usd, differenceUsd, Math.abs(unexplainedUsd), null],
    cells: [
      <span key="day" className="whitespace-nowrap">
        {day}
      </span>,
      model === '' ? t('(no model)') : model,
      <span key="theirs" title={tokenWords(theirs)}>
        {billedWords(line)}
      </span>,
      <span key="ours" title={tokenWords(ours)}>
        {formatUsd(ours.usd)}
      </span>,
      hasNoPrice(line) ? '–' : signed(differenceUsd),
      unexplainedUsd === 0 ? (
        '–'
      ) : (
        <span key="unexplained" className="font-medium text-bad">
          {signed(unexplainedUsd)}
        </span>
      ),
      <Causes key="causes" line={line} />,
    ],
  }
}

function billedWords(line: ReconciledLine): string {
  if (hasNoPrice(line)) return '–'
  const billed = formatUsd(line.theirs.usd)
  return line.isPriced ? `(${billed})` : billed
}

function tokenWords({ tokens, requests }: ReconciledFigures): string {
  const words = [
    ...(requests === null
      ? []
      : [t('{count, plural, one {# request} other {# requests}}', { count: requests })]),
    ...(tokens === null
      ? []
      : [
          t('{input} input', { input: formatTokens(tokens.input) }),
          t('{tokens} from cache', { tokens: formatTokens(tokens.cacheRead) }),
          t('{tokens} written to cache', { tokens: formatTokens(tokens.cacheWrite) }),
          t('{tokens} output', { tokens: formatTokens(tokens.output) }),
        ]),
  ]
  return words.join(', ')
}

function Causes({ line }: { line: ReconciledLine }) {
  const { causes } = line
  if (causes.length === 0) return '–'
  return (
    <ul className="flex flex-col gap-0.5">
      {causes.map((cause) => (
        <li key={JSON.stringify(cause)} className="flex justify-between gap-3">
          <span>{causeWords(cause)}</span>
          {cause.kind !== 'noPrice' && <span className="text-muted">{signed(cause.usd)}</span>}
        </li>
      ))}
    </ul>
  )
}

export function BillProblems({ result }: { result: Reconciliation }) {
  const { problems, problemCount } = result
  if (problemCount === 0) return null
  return (
    <section aria-labelledby="bill-problems" className="flex flex-col gap-2">
      <h2 id="bill-problems" className="text-sm font-semibold">
        {t('{count, plural, one {# row was} other {# rows were}} not read', {
          count: problemCount,
        })}
      </h2>
      <DataTable
        label={t('Rows that were not read')}
        isLimited
        columns={[{ name: t('File') }, { name: t('Line'), isFigure: true }, { name: t('Reason') }]}
        rows={problems.map(({ file, line, reason }, index) => ({
          key: `${index}`,
          cells: [file, formatCount(line), reason],
        }))}
      />
    </section>
  )
}
