/** The effect of a draft on past requests, in words. */
import type { ReplayReport } from '../../../../shared/replay.ts'
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
  /** Per request. */
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
  const parts = [
    part(cost, (text) => t('{text} cost', { text })),
    part(latency, (text) => `${text} p95`),
    part(carbon, (text) => t('{text} CO₂e per request', { text })),
  ].flat()
  return parts.length === 0 ? t('no change') : parts.join(', ')
}

/** `−38 % cost · +120 ms p95`, for little room. */
export function changeNote(report: ReplayReport): string | undefined {
  if (report.replayed === 0) return undefined
  return changeSentence(changesOf(report)).replaceAll(', ', ' · ').replace(t(' per request'), '')
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
