import { formatQualityRange } from '../../../shared/models/quality-words.ts'
import type { AttemptRecord, DecisionRecord, Estimate } from '../../../shared/requests/detail.ts'
import { formatDuration, formatModelAt } from '../../../shared/strings/format.ts'
import { DataTable } from '../components/data-table.tsx'
import { formatAbout, formatAboutBand } from './estimates.ts'
import { joinSentences } from '../../../shared/strings/join.ts'
import { t } from '../../../shared/strings/strings.ts'

const unknown = '—'

interface CandidateTableProps {
  ranked: DecisionRecord['ranked']
  /** Highlighted in the list. */
  modelUsed: string | null
}

/** The candidates, best first, with the estimates for each. */
export function CandidateTable({ ranked, modelUsed }: CandidateTableProps) {
  return (
    <DataTable
      label={t('Candidates')}
      columns={[
        { name: t('Model') },
        { name: t('Quality'), isFigure: true },
        { name: t('Cost'), isFigure: true },
        { name: t('Latency'), isFigure: true },
        { name: t('CO₂e'), isFigure: true },
      ]}
      rows={ranked.map(({ model, effort, estimate }, index) => ({
        key: formatModelAt(model, effort),
        // A model is tried at the effort that comes first.
        isMarked: index === ranked.findIndex((one) => one.model === modelUsed),
        cells: [
          <span key="model" className="flex gap-2 wrap-anywhere">
            <span className="text-muted">{index + 1}.</span> {formatModelAt(model, effort)}
          </span>,
          ...figures(estimate),
        ],
      }))}
      note={noteOn(ranked.map(({ estimate }) => estimate))}
    />
  )
}

function figures(estimate: Estimate): string[] {
  const { lowMicrograms, micrograms, highMicrograms } = estimate
  return [
    formatQualityRange(estimate.quality, estimate.qualityHalfWidth),
    formatAbout('usd', estimate.costNanoUsd / 1e9),
    estimate.latencySource === 'assumed' ? unknown : formatAbout('ms', estimate.latencyMs),
    formatAboutBand('grams', {
      low: lowMicrograms / 1e6,
      mid: micrograms / 1e6,
      high: highMicrograms / 1e6,
    }),
  ]
}

/** Explains the figures and their limits. */
function noteOn(estimates: readonly Estimate[]): string {
  const isTimeless = estimates.some(({ latencySource }) => latencySource === 'assumed')
  const isSizeless = estimates.some(({ carbonMethod }) => carbonMethod === 'unknown')
  const isTaught = estimates.some(({ qualitySource }) => qualitySource !== 'prior')
  return joinSentences([
    isTaught
      ? t(
          'Estimates made before sending. Quality is the chance of a good answer, from 0 to 100, based on published results and your feedback.',
        )
      : t(
          'Estimates made before sending. Quality is the chance of a good answer, from 0 to 100, based on published results.',
        ),
    ...(isTimeless ? [t('{unknown}: not measured yet.', { unknown })] : []),
    ...(isSizeless ? [t('The CO₂e range is wide for models of unpublished size.')] : []),
  ])
}

/** The attempts in order, with their outcome. */
export function AttemptTable({ attempts }: { attempts: readonly AttemptRecord[] }) {
  return (
    <DataTable
      label={t('Attempts')}
      columns={[
        { name: t('Model') },
        { name: t('Started after'), isFigure: true },
        { name: t('Duration'), isFigure: true },
        { name: t('Outcome') },
      ]}
      rows={attempts.map((attempt, index) => ({
        key: String(index),
        cells: [
          <span key="model" className="wrap-anywhere">
            {attempt.model}
          </span>,
          formatDuration(attempt.startedMs),
          formatDuration(attempt.tookMs),
          outcomeText(attempt),
        ],
      }))}
    />
  )
}

function outcomeText({ outcome, status, message }: AttemptRecord): string {
  const words = outcome.replaceAll('_', ' ')
  const withStatus = status === null || outcome === 'answered' ? words : `${words} (${status})`
  return message === null ? withStatus : `${withStatus}: ${message}`
}
