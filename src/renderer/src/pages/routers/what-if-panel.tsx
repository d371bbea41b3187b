import { formatQuality } from '../../../../shared/models/quality-words.ts'
import { useState, type ReactNode } from 'react'
import {
  formatCount,
  formatDuration,
  formatGrams,
  formatUsd,
} from '../../../../shared/strings/format.ts'
import type { ReplayReport } from '../../../../shared/routers/replay.ts'
import { ErrorNote } from '../../components/error-note.tsx'
import { Card } from '../../components/page.tsx'
import { Select } from '../../components/select.tsx'
import { formatAbout } from '../../decision/estimates.ts'
import type { Replay, ReplayPeriod } from '../../stores/replay.ts'
import { colourOfModel } from '../../usage/model-colours.ts'
import { skippedText } from './replay-words.ts'
import type { RouterEditor } from './use-router-editor.ts'
import { useWhatIf } from './use-what-if.ts'
import { changesOf, type Change, type Tone } from './what-if-words.ts'
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
  const replay = useWhatIf(editor.routerId, editor.texts, periodOf[period])
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
        <Outcome replay={replay} isChanged={editor.changed.length > 0} />
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
  return <Report report={replay.report} isChanged={isChanged} />
}

function Report({ report, isChanged }: { report: ReplayReport; isChanged: boolean }) {
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
      <Figures report={report} />
      <Models report={report} />
      <p className="text-xs text-muted">{left}</p>
    </>
  )
}

const tones: Record<Tone, string> = { better: 'text-ok', worse: 'text-warn', same: 'text-muted' }

function Figures({ report }: { report: ReplayReport }) {
  const { actual, expected, latencyP95Ms, replayed } = report
  const changes = changesOf(report)
  return (
    <table aria-label={t('Actual and estimated figures')} className="w-full text-sm tabular-nums">
      <thead>
        <tr className="text-xs text-muted">
          <th className="sr-only">{t('Figure')}</th>
          <th scope="col" className="pb-1 text-right font-medium">
            {t('Actual')}
          </th>
          <th scope="col" className="pb-1 text-right font-medium">
            {t('Estimate')}
          </th>
          <th scope="col" className="pb-1 text-right font-medium">
            {t('Change')}
          </th>
        </tr>
      </thead>
      <tbody>
        <FigureRow
          name={t('Cost')}
          actual={formatUsd(actual.costUsd)}
          estimate={formatAbout('usd', expected.costUsd.mid)}
          change={changes.cost}
        />
        <FigureRow
          name="p95 latency"
          actual={formatDuration(latencyP95Ms.actual)}
          estimate={formatAbout('ms', latencyP95Ms.expected)}
          change={changes.latency}
        />
        <FigureRow
          name={t('CO₂e per request')}
          actual={formatGrams(actual.carbonGrams / replayed)}
          estimate={formatAbout('grams', expected.carbonGrams.mid / replayed)}
          change={changes.carbon}
        />
        <FigureRow
          name={t('Expected quality')}
          actual={formatQuality(actual.quality)}
          estimate={`≈ ${formatQuality(expected.quality.mid)}`}
          change={changes.quality}
        />
      </tbody>
    </table>
  )
}

interface FigureRowProps {
  name: string
  actual: ReactNode
  estimate: ReactNode
  change: Change
}

function FigureRow({ name, actual, estimate, change }: FigureRowProps) {
  return (
    <tr className="border-t border-line">
      <th scope="row" className="py-1.5 pr-2 text-left text-xs font-normal text-muted">
        {name}
      </th>
      <td className="py-1.5 pl-2 text-right whitespace-nowrap">{actual}</td>
      <td className="py-1.5 pl-2 text-right whitespace-nowrap">{estimate}</td>
      <td className={`py-1.5 pl-2 text-right whitespace-nowrap ${tones[change.tone]}`}>
        {change.text}
      </td>
    </tr>
  )
}

/** The share of each model, then and under the draft. */
function Models({ report: { models, replayed } }: { report: ReplayReport }) {
  const most = models.toSorted((a, b) => b.actual + b.expected - a.actual - a.expected)
  return (
    <table aria-label={t('Requests per model')} className="w-full text-xs tabular-nums">
      <tbody>
        {most.map(({ model, actual, expected }) => (
          <tr key={model} className="border-t border-line">
            <th
              scope="row"
              className="max-w-0 truncate py-1.5 pr-2 text-left font-normal"
              title={model}
            >
              {model}
            </th>
            <td className="w-24 py-1.5">
              <ModelShares {...{ model, actual, expected, replayed }} />
            </td>
            <td className="w-20 py-1.5 pl-2 text-right whitespace-nowrap">
              {formatCount(actual)} → {formatCount(expected)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
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
