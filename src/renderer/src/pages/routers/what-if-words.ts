/** The effect of a draft on past requests, in words. */
import type { ReplayReport } from '../../../../shared/routers/replay.ts'
import { formatChange } from '../../decision/estimates.ts'
import { changeText, qualityChangeText } from './replay-words.ts'
import { joinWords } from '../../../../shared/strings/join.ts'
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

/**
 * Less is better, except of quality. Differences that round to nothing are no change.
 * @param base  what the report is compared with, estimate against estimate
 */
export function changesOf(report: ReplayReport, base: ReplayReport): Changes {
  const from = estimatedFigures(base)
  const to = estimatedFigures(report)
  const cost =
    changeText(from.costUsd, to.costUsd) ??
    formatChange('usd', { from: from.costUsd, to: to.costUsd })
  const latency = { from: from.p95Ms, to: to.p95Ms }
  const carbon = { from: from.carbonGrams, to: to.carbonGrams }
  const quality = qualityChangeText(from.quality, to.quality)
  return {
    cost: lessIsBetter(cost),
    latency: lessIsBetter(formatChange('ms', latency)),
    carbon: lessIsBetter(formatChange('grams', carbon)),
    quality: { text: quality, tone: opposite(lessIsBetter(quality).tone) },
  }
}

/** Each request's cost and emissions. */
interface ComparedFigures {
  costUsd: number
  p95Ms: number
  carbonGrams: number
  quality: number
}

function estimatedFigures({ expected, latencyP95Ms, replayed }: ReplayReport): ComparedFigures {
  const { costUsd, carbonGrams, quality } = expected
  const requests = Math.max(replayed, 1)
  return {
    costUsd: costUsd.mid / requests,
    p95Ms: latencyP95Ms.expected,
    carbonGrams: carbonGrams.mid / requests,
    quality: quality.mid,
  }
}

/** `−2 quality, −38 % cost, +120 ms p95, −0.4 g per request`; `no change` when nothing differs. */
export function changeSentence(changes: Changes): string {
  const perRequest = (change: string) => t('{change} CO₂e per request', { change })
  return joinWords(changeParts(changes, perRequest)) || t('no change')
}

/** `−2 quality · −38 % cost`, for little room. */
export function changeNote(report: ReplayReport, base: ReplayReport): string | undefined {
  if (report.replayed === 0) return undefined
  const short = (change: string) => t('{change} CO₂e', { change })
  return changeParts(changesOf(report, base), short).join(' · ') || t('no change')
}

function changeParts(
  { quality, cost, latency, carbon }: Changes,
  writeCarbon: (change: string) => string,
): string[] {
  return [
    part(quality, (change) => t('{change} quality', { change })),
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
