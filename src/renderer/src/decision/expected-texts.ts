import { formatQualityRange } from '../../../shared/models/quality-words.ts'
import type { ExpectedFigures } from '../../../shared/routers/preview.ts'
import { formatAbout, formatAboutBand } from './estimates.ts'

/** The expected figures of a preview in words. An unmeasured latency is a dash, as in the table of candidates. */
export function expectedTexts(expected: ExpectedFigures) {
  const { quality, qualityHalfWidth, latencySource } = expected
  const { carbonGrams: mid, carbonLowGrams: low, carbonHighGrams: high } = expected
  return {
    cost: formatAbout('usd', expected.costUsd),
    longAnswerCost: formatAbout('usd', expected.costP90Usd),
    latency: latencySource === 'assumed' ? '—' : formatAbout('ms', expected.latencyMs),
    quality: formatQualityRange(quality, qualityHalfWidth),
    carbon: formatAboutBand('grams', { low, mid, high }),
  }
}
