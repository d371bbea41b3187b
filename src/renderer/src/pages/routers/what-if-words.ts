/** The effect of a draft on past requests, in words. */
import type { ReplayReport } from '../../../../shared/routers/replay.ts'
import { formatChange } from '../../decision/estimates.ts'
import { changeText, qualityChangeText } from './replay-words.ts'
import { t } from '../../../../shared/strings/strings.ts'

export type Tone = 'better' | 'worse' | 'same'

export interface Change {
  text: string
  tone: Tone
}

export interface Changes {
  cost: Change
  latency: Change
  /** Change of the carbon per request. */
  carbon: Change
  quality: Change
}

/** Less is better, except of quality. Differences that round to nothing are no change. */
export function changesOf({ actual, expected, latencyP95Ms, replayed }: ReplayReport): Changes {
  const per = (sum: number) => sum / Math.max(replayed, 1)
  const cost =
    changeText(actual.costUsd, expected.costUsd.mid) ??
    formatChange('usd', { from: per(actual.costUsd), to: per(expected.costUsd.mid) })
  const latency = { from: latencyP95Ms.actual, to: latencyP95Ms.expected }
  const carbon = { from: per(actual.carbonGrams), to: per(expected.carbonGrams.mid) }
  const quality = qualityChangeText(actual.quality, expected.quality.mid)
  return {
    cost: lessIsBetter(cost),
    latency: lessIsBetter(formatChange('ms', latency)),
    carbon: lessIsBetter(formatChange('grams', carbon)),
    quality: { text: quality, tone: opposite(lessIsBetter(quality).tone) },
  }
}

/** `−38 % cost, +120 ms p95, −0.4 g per request`; `no change` when nothing differs. */
export function changeSentence({ cost, latency, carbon }: Changes): string {
  const perRequest = (change: string) => t('{change} CO₂e per request', { change })
  return changeParts({ cost, latency, carbon }, perRequest).join(', ') || t('no change')
}

/** `−38 % cost · +120 ms p95`, for little room. */
export function changeNote(report: ReplayReport): string | undefined {
  if (report.replayed === 0) return undefined
  const short = (change: string) => t('{change} CO₂e', { change })
  return changeParts(changesOf(report), short).join(' · ') || t('no change')
}

type ShownChanges = Pick<Changes, 'cost' | 'latency' | 'carbon'>

function changeParts(
  { cost, latency, carbon }: ShownChanges,
  writeCarbon: (change: string) => string,
): string[] {
  return [
    part(cost, (change) => t('{change} cost', { change })),
    part(latency, (change) => t('{change} p95', { change })),
    part(carbon, writeCarbon),
  ].flat()
}

function part({ text, tone }: Change, write: (text: string) => string): string[] {
  return tone === 'same' ? [] : [write(text)]
}

function lessIsBetter(text: string): Change {
  if (text.startsWith('−')) return { text, tone: 'better' }
  return { text, tone: text.startsWith('+') ? 'worse' : 'same' }
}

function opposite(tone: Tone): Tone {
  if (tone === 'same') return tone
  return tone === 'better' ? 'worse' : 'better'
}
