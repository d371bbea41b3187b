import type { ReplayReport, ReplaySkip } from '../../../../shared/routers/replay.ts'
import { formatCount } from '../../../../shared/strings/format.ts'
import { joinWords } from '../../../../shared/strings/join.ts'
import { t } from '../../../../shared/strings/strings.ts'

const skipWords: Record<ReplaySkip, (count: string) => string> = {
  failed: (count) => t('{count} failed', { count }),
  pinned: (count) => t('{count} with a fixed model', { count }),
  from_cache: (count) => t('{count} answered from the cache', { count }),
  cascade: (count) => t('{count} answered by a cheaper first attempt', { count }),
  embeddings: (count) => t('{count} for embeddings', { count }),
  not_recorded: (count) => t('{count} without recorded estimates', { count }),
  no_model: (count) => t('{count} that no model could take', { count }),
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
    : t('Not compared: {reasons}.', { reasons: joinWords(reasons) })
}

function skip(reason: ReplaySkip, skipped: ReplayReport['skipped']): string[] {
  const count = skipped[reason]
  return count === 0 ? [] : [skipWords[reason](formatCount(count))]
}

/** The change in percent: `−48 %`, `+12 %`, `no change`; null when the first figure is zero. */
export function changeText(from: number, to: number): string | null {
  if (from === to) return t('no change')
  if (from === 0) return null
  const percent = Math.round((to / from - 1) * 100)
  return percent === 0 ? t('no change') : t('{percent} %', { percent: signed(percent) })
}

/** The change of a quality on the scale from 0 to 100: `−2`. */
export function qualityChangeText(from: number, to: number): string {
  const points = Math.round((to - from) * 100)
  return points === 0 ? t('no change') : signed(points)
}

function signed(value: number): string {
  return value < 0 ? `−${Math.abs(value)}` : `+${value}`
}
