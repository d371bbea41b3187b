import { useEffect, useMemo, useState } from 'react'
import { strategyProfiles, type StrategyName } from '../../../../shared/strategies.ts'
import type { Router } from '../../../../shared/entities.ts'
import { formatCount, formatDuration, formatGrams, formatUsd } from '../../../../shared/format.ts'
import type { ReplayReport } from '../../../../shared/replay.ts'
import { Button } from '../../components/button.tsx'
import { DataTable } from '../../components/data-table.tsx'
import { ErrorNote } from '../../components/error-note.tsx'
import { Card } from '../../components/page.tsx'
import { Select } from '../../components/select.tsx'
import { ShareBar } from '../../components/share-bar.tsx'
import { formatAbout, formatAboutBand } from '../../decision/estimates.ts'
import { loadReplay, useReplays, type Replay } from '../../stores/replay.ts'
import { changeText, qualityChangeText, skippedText } from './replay-words.ts'
import { strategyChoices } from './strategies.ts'

const periods = [
  { value: '7', label: 'Last 7 days' },
  { value: '30', label: 'Last 30 days' },
] as const

interface RouterReplayProps {
  router: Router
  /** Selects the strategy in the form without saving. */
  onUse: (strategy: StrategyName) => void
}

/** Estimates the past requests of a router under another strategy. */
export function RouterReplay({ router, onUse }: RouterReplayProps) {
  const [strategy, setStrategy] = useState(otherThan(router.strategy))
  const [days, setDays] = useState<'7' | '30'>('7')
  const replay = useReplays((state) => state[router.id])
  const { models, routing } = router
  const question = useMemo(
    () => ({ draft: { strategy, models, routing }, period: { days: Number(days) } }),
    [strategy, models, routing, days],
  )
  useEffect(() => {
    void loadReplay(router.id, question)
  }, [router.id, question])
  const isOwn = strategy === router.strategy
  return (
    <Card className="flex flex-col gap-5">
      <p className="text-sm text-muted">
        Replays past requests under another strategy. No models are called.
      </p>
      <div className="flex flex-wrap items-end gap-3">
        <div className="w-60">
          <Select
            label="Strategy"
            choices={strategyChoices}
            value={strategy}
            onChange={setStrategy}
          />
        </div>
        <div className="w-44">
          <Select label="Period" choices={periods} value={days} onChange={setDays} />
        </div>
        <Button look="primary" disabled={isOwn} onClick={() => onUse(strategy)}>
          Use this strategy
        </Button>
        {isOwn && <span className="pb-1.5 text-sm text-muted">This is the current strategy.</span>}
      </div>
      <div aria-live="polite" aria-busy={replay?.isLoading}>
        <Outcome
          replay={replay?.question === question ? replay : undefined}
          days={Number(days)}
          onRetry={() => void loadReplay(router.id, question)}
        />
      </div>
    </Card>
  )
}

/** The default comparison: Cost optimized, or Balanced for routers that already use it. */
function otherThan(strategy: StrategyName): StrategyName {
  return suggested.find((name) => name !== strategy) ?? strategy
}

const suggested: readonly StrategyName[] = ['cost_optimized', 'balanced']

interface OutcomeProps {
  replay: Replay | undefined
  days: number
  onRetry: () => void
}

function Outcome({ replay, days, onRetry }: OutcomeProps) {
  if (replay?.report) return <Report report={replay.report} days={days} />
  if (replay?.error) {
    return (
      <ErrorNote error={replay.error}>
        <Button size="small" onClick={onRetry}>
          Try again
        </Button>
      </ErrorNote>
    )
  }
  return <p className="text-sm text-muted">Replaying requests…</p>
}

function Report({ report, days }: { report: ReplayReport; days: number }) {
  const { requests, replayed, changed } = report
  const skipped = skippedText(report)
  if (replayed === 0) {
    return (
      <p className="text-sm">
        {requests === 0
          ? `No requests in the last ${days} days.`
          : `None of the ${formatCount(requests)} requests can be compared.`}{' '}
        {skipped}
      </p>
    )
  }
  const share = Math.round((changed / replayed) * 100)
  return (
    <div className="flex flex-col gap-5">
      <p className="text-sm">
        <strong className="font-semibold">
          {formatCount(changed)} of {formatCount(replayed)} requests ({share} %)
        </strong>{' '}
        would have gone to another model.
      </p>
      <FigureTable report={report} />
      <ModelTable report={report} />
      <p className="text-xs text-muted">
        {skipped} {report.isCut && 'Only the latest requests of the period are included.'}
      </p>
    </div>
  )
}

function FigureTable({ report: { strategy, actual, expected } }: { report: ReplayReport }) {
  const { costUsd, latencyMs, carbonGrams, quality } = actual
  const name = strategyProfiles[strategy].label
  const rows = [
    {
      key: 'Total cost',
      was: formatUsd(costUsd),
      would: formatAboutBand('usd', expected.costUsd),
      change: changeText(costUsd, expected.costUsd.mid),
    },
    {
      key: 'Average latency',
      was: formatDuration(latencyMs),
      would: formatAboutBand('ms', expected.latencyMs),
      change: changeText(latencyMs, expected.latencyMs.mid),
    },
    {
      key: 'Total CO₂e',
      was: formatGrams(carbonGrams),
      would: formatAboutBand('grams', expected.carbonGrams),
      change: changeText(carbonGrams, expected.carbonGrams.mid),
    },
    {
      key: 'Average expected quality',
      was: formatAbout('quality', quality),
      would: formatAboutBand('quality', expected.quality),
      change: qualityChangeText(quality, expected.quality.mid),
    },
  ]
  return (
    <DataTable
      label="Actual and estimated figures"
      columns={[
        { name: 'Compared requests' },
        { name: 'Actual', isFigure: true },
        { name, isFigure: true },
        { name: 'Change', isFigure: true },
      ]}
      rows={rows.map(({ key, was, would, change }) => ({
        key,
        cells: [key, was, would, change ?? '—'],
      }))}
      note="In brackets: 80 % range, from random variation between requests."
    />
  )
}

function ModelTable({ report: { strategy, models, replayed } }: { report: ReplayReport }) {
  const most = models.toSorted((a, b) => b.actual + b.expected - a.actual - a.expected)
  return (
    <DataTable
      label="Requests per model"
      columns={[{ name: 'Model' }, { name: 'Actual' }, { name: strategyProfiles[strategy].label }]}
      rows={most.map(({ model, actual, expected }) => ({
        key: model,
        cells: [
          model,
          <ShareBar key="was" count={actual} all={replayed} look="before" />,
          <ShareBar key="would" count={expected} all={replayed} look="after" />,
        ],
      }))}
    />
  )
}
