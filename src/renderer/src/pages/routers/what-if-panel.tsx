import { formatQuality } from '../../../../shared/models/quality-words.ts'
import { useState } from 'react'
import {
  formatCount,
  formatDuration,
  formatGrams,
  formatUsd,
} from '../../../../shared/strings/format.ts'
import type { ReplayReport } from '../../../../shared/routers/replay.ts'
import { DataTable, type Column } from '../../components/data-table.tsx'
import { ErrorNote } from '../../components/error-note.tsx'
import { Card } from '../../components/page.tsx'
import { Select } from '../../components/select.tsx'
import { formatAbout } from '../../decision/estimates.ts'
import type { Replay, ReplayPeriod } from '../../stores/replay.ts'
import { colourOfModel } from '../../usage/model-colours.ts'
import { skippedText } from './replay-words.ts'
import type { RouterEditor } from './use-router-editor.ts'
import { useWhatIf } from './use-what-if.ts'
import { changesOf, type Tone } from './what-if-words.ts'
import { t } from '../../../../shared/strings/strings.ts'
import { rich } from '../../components/rich.tsx'

const periods = [
  { value: 'newest', label: t('Last 200 requests') },
  { value: '7', label: t('Last 7 days') },
  { value: '30', label: t('Last 30 days') },
] as const

const periodOf: Record<(typeof periods)[number]['value'], ReplayPeriod> = {
  newest: { newest: 200 },
  '7': { days: 7 },
  '30': { days: 30 },
}

/** What past requests would have cost, taken and emitted under the draft. */
export function WhatIfPanel({ editor }: { editor: RouterEditor }) {
  const [period, setPeriod] = useState<keyof typeof periodOf>('newest')
  const { routerId, texts, changed } = editor
  const isChanged = changed.length > 0
  const compared = { texts, saved: isChanged ? editor.saved : null }
  const replay = useWhatIf(routerId, compared, periodOf[period])
  return (
    <Card className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <h2 className="font-semibold">{t('What if?')}</h2>
        <div className="w-44">
          <Select
            label={t('Requests to replay')}
            isLabelHidden
            choices={periods}
            value={period}
            onChange={setPeriod}
          />
        </div>
      </div>
      <div
        role="region"
        aria-label={t('What if?')}
        aria-live="polite"
        aria-busy={replay?.isLoading ?? true}
        className="flex flex-col gap-4"
      >
        <Outcome replay={replay} isChanged={isChanged} />
      </div>
      <p className="text-xs text-muted">
        {t('Replays past requests under these settings. No models are called.')}
      </p>
    </Card>
  )
}

function Outcome({ replay, isChanged }: { replay: Replay | undefined; isChanged: boolean }) {
  if (replay?.error) {
    // A field of the form shows the error when it is saved.
    if (replay.error.code !== 'invalid') return <ErrorNote error={replay.error} />
    return <p className="text-sm text-muted">{t('Complete the settings to see their effect.')}</p>
  }
  if (!replay?.report) return <p className="text-sm text-muted">{t('Replaying requests…')}</p>
  return <Report report={replay.report} base={replay.base} isChanged={isChanged} />
}

interface ReportProps {
  report: ReplayReport
  /** The replay of the saved settings; null while nothing is changed. */
  base: ReplayReport | null
  isChanged: boolean
}

function Report({ report, base, isChanged }: ReportProps) {
  const { requests, replayed, changed, skipped } = report
  const left = skippedText(report)
  if (replayed === 0) {
    return (
      <p className="text-sm">
        {requests === 0
          ? t('No requests yet.')
          : t('None of the {count} requests can be compared.', {
              count: formatCount(requests),
            })}{' '}
        {left}
      </p>
    )
  }
  return (
    <>
      <p className="text-sm">
        {isChanged ? (
          <>
            {rich('{share} would go to another model.', {
              share: (
                <strong className="font-semibold tabular-nums">
                  {t('{changed} of {replayed} requests ({percent} %)', {
                    changed: formatCount(changed),
                    replayed: formatCount(replayed),
                    percent: Math.round((changed / replayed) * 100),
                  })}
                </strong>
              ),
            })}
          </>
        ) : (
          t('These are the saved settings. Change them to see the effect on past requests.')
        )}
      </p>
      {skipped.no_model > 0 && (
        <p className="text-sm text-warn">
          {t(
            '{count, plural, one {# request would be refused: no model could take it.} other {# requests would be refused: no model could take them.}}',
            { count: skipped.no_model },
          )}
        </p>
      )}
      <Figures report={report} base={base} />
      <Models report={report} />
      <p className="text-xs text-muted">{left}</p>
    </>
  )
}

const tones: Record<Tone, string> = { better: 'text-ok', worse: 'text-warn', same: 'text-muted' }

/** The draft against the saved settings, both estimated; without a draft, the estimate beside the ledger. */
function Figures({ report, base }: { report: ReplayReport; base: ReplayReport | null }) {
  const compared = base ? estimatesOf(base) : actualFiguresOf(report)
  const estimates = estimatesOf(report)
  const changes = base && changesOf(report, base)
  const names = {
    cost: t('Cost'),
    latency: t('p95 latency'),
    carbon: t('CO₂e per request'),
    quality: t('Expected quality'),
  }
  const columns: readonly Column[] = [
    { name: t('Figure'), className: 'font-normal text-muted' },
    { name: base ? t('Saved') : t('Actual'), isFigure: true },
    { name: base ? t('Unsaved') : t('Estimate'), isFigure: true },
    ...(base ? [{ name: t('Change'), isFigure: true }] : []),
  ]
  return (
    <DataTable
      label={t('Figures of the replayed requests')}
      look="plain"
      columns={columns}
      rows={figureKeys.map((key) => ({
        key,
        cells: [
          names[key],
          compared[key],
          estimates[key],
          ...(changes
            ? [
                <span key="change" className={tones[changes[key].tone]}>
                  {changes[key].text}
                </span>,
              ]
            : []),
        ],
      }))}
    />
  )
}

const figureKeys = ['cost', 'latency', 'carbon', 'quality'] as const
type FigureTexts = Record<(typeof figureKeys)[number], string>

function estimatesOf({ expected, latencyP95Ms, replayed }: ReplayReport): FigureTexts {
  return {
    cost: formatAbout('usd', expected.costUsd.mid),
    latency: formatAbout('ms', latencyP95Ms.expected),
    carbon: formatAbout('grams', expected.carbonGrams.mid / replayed),
    quality: `≈ ${formatQuality(expected.quality.mid)}`,
  }
}

function actualFiguresOf({ actual, latencyP95Ms, replayed }: ReplayReport): FigureTexts {
  return {
    cost: formatUsd(actual.costUsd),
    latency: formatDuration(latencyP95Ms.actual),
    carbon: formatGrams(actual.carbonGrams / replayed),
    quality: formatQuality(actual.quality),
  }
}

const modelColumns: readonly Column[] = [
  { name: t('Model'), className: 'max-w-0 w-full truncate' },
  { name: t('Share'), className: 'min-w-24' },
  { name: t('Requests'), isFigure: true },
]

/** The share of each model, then and under the draft. */
function Models({ report: { models, replayed } }: { report: ReplayReport }) {
  const most = models.toSorted((a, b) => b.actual + b.expected - a.actual - a.expected)
  return (
    <DataTable
      label={t('Requests per model')}
      look="plain"
      columns={modelColumns}
      rows={most.map(({ model, actual, expected }) => ({
        key: model,
        cells: [
          <span key="model" className="font-normal" title={model}>
            {model}
          </span>,
          <ModelShares key="share" {...{ model, actual, expected, replayed }} />,
          `${formatCount(actual)} → ${formatCount(expected)}`,
        ],
      }))}
    />
  )
}

interface ModelSharesProps {
  model: string
  actual: number
  expected: number
  replayed: number
}

/** A thin bar of the past above one of the draft. */
function ModelShares({ model, actual, expected, replayed }: ModelSharesProps) {
  const { color } = colourOfModel(model)
  const width = (count: number) => `${(count / replayed) * 100}%`
  return (
    <svg aria-hidden className="block h-3 w-full">
      <rect width="100%" height="5" rx="2" className="fill-sunken" />
      <rect width={width(actual)} height="5" rx="2" className="fill-edge" />
      <rect y="7" width="100%" height="5" rx="2" className="fill-sunken" />
      <rect y="7" width={width(expected)} height="5" rx="2" fill={color} />
    </svg>
  )
}
