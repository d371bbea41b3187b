import type { ReplayReport, ReplaySkip } from '../../../../shared/replay.ts'
import { formatCount } from '../../../../shared/format.ts'

const skipWords: Record<ReplaySkip, string> = {
  failed: 'without an answer',
  pinned: 'that named their model',
  from_cache: 'answered from the cache',
  cascade: 'with cascade attempts',
  not_recorded: 'without recorded estimates',
}

/** Which requests were left out and why; null when none was. */
export function skippedText({ skipped }: Pick<ReplayReport, 'skipped'>): string | null {
  const reasons = [
    skip('failed', skipped),
    skip('pinned', skipped),
    skip('from_cache', skipped),
    skip('cascade', skipped),
    skip('not_recorded', skipped),
  ].flat()
  return reasons.length === 0 ? null : `Left out: ${reasons.join(', ')}.`
}

function skip(reason: ReplaySkip, skipped: ReplayReport['skipped']): string[] {
  const count = skipped[reason]
  return count === 0 ? [] : [`${formatCount(count)} ${skipWords[reason]}`]
}

/** The change in percent: `−48 %`, `+12 %`, `the same`; null when the first figure is 0. */
export function changeText(from: number, to: number): string | null {
  if (from === to) return 'the same'
  if (from === 0) return null
  const percent = Math.round((to / from - 1) * 100)
  return percent === 0 ? 'the same' : `${signed(percent)} %`
}

/** The change of an expected quality: `−0.02`. */
export function qualityChangeText(from: number, to: number): string {
  const points = Math.round((to - from) * 100)
  return points === 0
    ? 'the same'
    : `${points < 0 ? '−' : '+'}${(Math.abs(points) / 100).toFixed(2)}`
}

function signed(value: number): string {
  return value < 0 ? `−${Math.abs(value)}` : `+${value}`
}
