import {
  formatCount,
  formatDuration,
  formatGrams,
  formatShare,
  formatTokens,
  formatUsd,
} from '../../../../shared/strings/format.ts'
import type { UsageFigures } from '../../../../shared/requests/usage.ts'
import { allTokens } from '../../charts/tokens.ts'
import { errorsOf } from '../../usage/errors.ts'
import { changeText } from '../routers/replay-words.ts'
import { t } from '../../../../shared/strings/strings.ts'

interface KeyFiguresProps {
  total: UsageFigures
  /** Figures of the period before, of the same length; null where there is none. */
  before: UsageFigures | null
  /** The forecast of the month, if there is one. */
  forecastUsd: number | null
}

/** The figures of the range, with their change against the period before. */
export function KeyFigures({ total, before, forecastUsd }: KeyFiguresProps) {
  const errors = (figures: UsageFigures) =>
    figures.requests === 0 ? null : errorsOf(figures) / figures.requests
  const figures = [
    { name: t('Requests'), format: formatCount, of: ({ requests }: UsageFigures) => requests },
    { name: t('Spend'), format: formatUsd, of: ({ costUsd }: UsageFigures) => costUsd },
    { name: t('Tokens'), format: formatTokens, of: allTokens },
    { name: t('p95 latency'), format: formatDuration, of: p95Of },
    { name: t('Errors'), format: shareOrDash, of: errors },
    { name: t('CO₂e'), format: formatGrams, of: ({ carbonGrams }: UsageFigures) => carbonGrams },
  ]
  return (
    <dl className="flex flex-wrap gap-px overflow-hidden rounded-xl border border-line bg-line">
      {figures.map(({ name, format, of }) => (
        <Figure
          key={name}
          name={name}
          value={format(of(total))}
          detail={before && changeWords(of(total), of(before))}
        />
      ))}
      {forecastUsd !== null && (
        <Figure name={t('Month, forecast')} value={formatUsd(forecastUsd)} detail={null} />
      )}
    </dl>
  )
}

function Figure({ name, value, detail }: { name: string; value: string; detail: string | null }) {
  return (
    <div className="flex min-w-0 flex-1 basis-[8.5rem] flex-col gap-0.5 bg-surface px-4 py-3 min-[72rem]:basis-28">
      <dt className="truncate text-xs text-muted">{name}</dt>
      <dd className="truncate text-lg font-semibold tabular-nums">{value}</dd>
      {detail && <dd className="truncate text-xs text-muted tabular-nums">{detail}</dd>}
    </div>
  )
}

/** @returns null where one of both is unknown or there was nothing before */
function changeWords(now: number | null, before: number | null): string | null {
  const change = now === null || !before ? null : changeText(before, now)
  if (change === null || change === t('no change')) return change
  return t('{change} vs. before', { change })
}

function p95Of({ latencyMs }: UsageFigures): number | null {
  return latencyMs?.p95 ?? null
}

function shareOrDash(share: number | null): string {
  return share === null ? '—' : formatShare(share)
}
