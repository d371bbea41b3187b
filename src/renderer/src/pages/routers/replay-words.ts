import type { ReplayReport, ReplaySkip } from '../../../../shared/routers/replay.ts'
import { formatCount } from '../../../../shared/strings/format.ts'
import { t } from '../../../../shared/strings/strings.ts'

const skipWords: Record<ReplaySkip, string> = {
  failed: 'failed',
  pinned: 'with a fixed model',
  from_cache: t('answered from the cache'),
  cascade: t('answered by a cheaper first attempt'),
  embeddings: t('for embeddings'),
  not_recorded: t('without recorded estimates'),
  no_model: t('that no model could take'),
}

/** Says which requests are not compared and why; null when all are. */
export function skippedText({ skipped }: Pick<ReplayReport, 'skipped'>): string | null {
  const reasons = [
    skip('failed', skipped),
    skip('pinned', skipped),
    skip('from_cache', skipped),
    skip('cascade', skipped),
    skip('embeddings', skipped),
    skip('not_recorded', skipped),
    skip('no_model', skipped),
  ].flat()
  return reasons.length === 0
    ? null
    : t('Not compared: {reasons}.', { reasons: reasons.join(', ') })
}

function skip(reason: ReplaySkip, skipped: ReplayReport['skipped']): string[] {
  const count = skipped[reason]
  return count === 0 ? [] : [`${formatCount(count)} ${skipWords[reason]}`]
}

/** The change in percent: `−48 %`, `+12 %`, `no change`; null when the first figure is zero. */
export function changeText(from: number, to: number): string | null {
  if (from === to) return t('no change')
  if (from === 0) return null
  const percent = Math.round((to / from - 1) * 100)
  return percent === 0 ? t('no change') : `${signed(percent)} %`
}

/** The change of a quality on the scale from 0 to 100: `−2`. */
export function qualityChangeText(from: number, to: number): string {
  const points = Math.round((to - from) * 100)
  return points === 0 ? t('no change') : signed(points)
}

function signed(value: number): string {
  return value < 0 ? `−${Math.abs(value)}` : `+${value}`
}
