import { Link } from '@tanstack/react-router'
import { useEffect } from 'react'
import { formatQuality } from '../../../../shared/models/quality-words.ts'
import { formatDateTime, formatDuration, formatUsd } from '../../../../shared/strings/format.ts'
import { t } from '../../../../shared/strings/strings.ts'
import type {
  Interval,
  TuningModelResult,
  TuningResult,
  TuningRun,
} from '../../../../shared/tuning/tuning-run.ts'
import { Badge, type Tone } from '../../components/badge.tsx'
import { DataTable, type Row } from '../../components/data-table.tsx'
import { Disclosure } from '../../components/disclosure.tsx'
import { ErrorNote, Note } from '../../components/error-note.tsx'
import { Card, Loaded, Page, Skeleton } from '../../components/page.tsx'
import { useUrlPart } from '../../components/use-url-part.ts'
import { useTuningRuns } from '../../stores/tuning.ts'
import {
  caveatOf,
  compareModels,
  meanChange,
  qualityChange,
  summaryOf,
  type ComparedModel,
} from './compared-models.ts'
import { QualityCell } from './quality-cell.tsx'
import { BackToRuns } from './run-page.tsx'
import { domainLabels } from '../../decision/domain-labels.ts'
import { appliesText, promptsText, rangeText, sourceText } from './run-words.ts'
import { useTuningResult } from './use-tuning-result.ts'

/** Two runs of a router side by side; the later one is B. */
export function ComparePage() {
  const ids = [useUrlPart('runId'), useUrlPart('otherId')]
  const runs = useTuningRuns()
  useEffect(() => {
    void useTuningRuns.getState().load()
  }, [])
  const [earlier, later] = (runs.items ?? [])
    .filter(({ id }) => ids.includes(id))
    .toSorted((a, b) => a.createdAtMs - b.createdAtMs)
  if (earlier && later) return <TwoRuns earlier={earlier} later={later} />
  return (
    <Page title={t('Compare runs')}>
      <Loaded list={runs} what={t('runs')}>
        {() => <p className="text-sm text-muted">{t('One of these runs no longer exists.')}</p>}
      </Loaded>
    </Page>
  )
}

interface Pair {
  earlier: TuningRun
  later: TuningRun
}

function TwoRuns({ earlier, later }: Pair) {
  const opened = [useTuningResult(earlier), useTuningResult(later)] as const
  const caveat = caveatOf(earlier, later)
  const error = opened[0]?.error ?? opened[1]?.error
  const results = opened.flatMap((one) => one?.result ?? [])
  const [before, after] = results
  return (
    <Page
      title={t('Compare runs of {routerName}', { routerName: later.routerName })}
      actions={<BackToRuns routerId={later.routerId} />}
    >
      <div className="grid grid-cols-2 gap-3">
        <RunCard letter="A" run={earlier} />
        <RunCard letter="B" run={later} />
      </div>
      {caveat !== '' && (
        <Note kind="warn">
          <span className="min-w-0 flex-1">{caveat}</span>
        </Note>
      )}
      {error && <ErrorNote error={error} />}
      {!error && opened.includes(undefined) && <Skeleton>{t('Loading result…')}</Skeleton>}
      {before && after && <Comparison before={before} after={after} />}
    </Page>
  )
}

function RunCard({ letter, run }: { letter: string; run: TuningRun }) {
  return (
    <Card className="flex min-w-0 flex-col gap-1 text-sm">
      <p className="flex min-w-0 items-center gap-2">
        <Badge>{letter}</Badge>
        <Link
          to="/tune/$runId"
          params={{ runId: run.id }}
          className="truncate font-semibold hover:underline"
        >
          {sourceText(run)}
        </Link>
      </p>
      <p className="text-muted">
        {[
          promptsText(run),
          run.judge === null ? t('no judge') : t('judged by {judge}', { judge: run.judge }),
          ...appliesText(run),
        ].join(' · ')}
      </p>
      <p className="text-muted">
        {t('{spentUsd} spent', { spentUsd: formatUsd(run.spentUsd) })} ·{' '}
        {formatDateTime(run.createdAtMs)}
      </p>
    </Card>
  )
}

function Comparison({ before, after }: { before: TuningResult; after: TuningResult }) {
  const models = compareModels(before.models, after.models)
  return (
    <>
      <Card>
        <p className="text-lg font-medium text-pretty">{summaryOf(models)}</p>
      </Card>
      <DataTable
        label={t('Models in both runs')}
        look="page"
        columns={[
          { name: t('Model'), className: 'w-full' },
          { name: t('Run'), className: 'whitespace-nowrap' },
          { name: t('Quality') },
          { name: t('Cost'), isFigure: true },
          { name: t('Duration'), isFigure: true },
        ]}
        rows={models.flatMap(rowsOf)}
        note={t(
          'A difference of quality is shown where the 90 % intervals do not overlap; the ring marks what was expected before the run. Cost and time are means of an answer.',
        )}
      />
      <DomainChanges models={models} />
    </>
  )
}

/** Each model by kind of prompt; nothing where all prompts are of one kind, which would repeat the table above. */
function DomainChanges({ models }: { models: readonly ComparedModel[] }) {
  const rows = models.flatMap(({ model, domains }) => domains.map((one) => ({ model, ...one })))
  if (new Set(rows.map(({ domain }) => domain)).size < 2) return null
  return (
    <Disclosure title={t('By kind of prompt')} isOpenAtFirst hasError={false}>
      <DataTable
        label={t('Change by kind of prompt')}
        columns={[
          { name: t('Model') },
          { name: t('Kind of prompt') },
          { name: 'A' },
          { name: 'B' },
          { name: 'B − A' },
        ]}
        rows={rows.map(({ model, domain, earlier, later, change }) => ({
          key: `${model} ${domain}`,
          cells: [
            model,
            domainLabels[domain],
            <Range key="A" interval={earlier} />,
            <Range key="B" interval={later} />,
            <Badge key="change" tone={toneOf(change)}>
              {qualityChange(change)}
            </Badge>,
          ],
        }))}
      />
    </Disclosure>
  )
}

function Range({ interval }: { interval: Interval }) {
  return (
    <>
      <span className="font-medium">{formatQuality(interval.mean)}</span>{' '}
      <span className="whitespace-nowrap text-muted">{rangeText({ quality: interval })}</span>
    </>
  )
}

/** A row for each run, and one with the differences. */
function rowsOf(compared: ComparedModel): Row[] {
  const { model, earlier, later, change } = compared
  const again = <span className="sr-only">{model}</span>
  return [
    runRow({ model, letter: 'A', name: model, result: earlier }),
    runRow({ model, letter: 'B', name: again, result: later }),
    {
      key: `${model} B-A`,
      className: 'bg-sunken',
      cells: [
        again,
        'B − A',
        <Badge key="quality" tone={toneOf(change)}>
          {qualityChange(change)}
        </Badge>,
        meanChange('usd', compared),
        meanChange('ms', compared),
      ],
    },
  ]
}

interface RunRow {
  model: string
  letter: string
  name: Row['cells'][number]
  result: TuningModelResult | null
}

function runRow({ model, letter, name, result }: RunRow): Row {
  return {
    key: `${model} ${letter}`,
    className: 'border-b-0!',
    cells:
      result === null
        ? [name, letter, t('not asked'), '—', '—']
        : [
            name,
            letter,
            <QualityCell key="quality" quality={result.all.quality} expected={result.expected} />,
            formatUsd(result.costUsd),
            formatDuration(result.latencyMs),
          ],
  }
}

function toneOf(change: number | null): Tone {
  if (change === null || change === 0) return 'neutral'
  return change > 0 ? 'ok' : 'bad'
}
