/** The difference between two answers to one question, in words. */
import type { AnswerMeta } from '../../../../shared/chat/conversations.ts'
import { formatDuration, formatGrams, formatUsd } from '../../../../shared/strings/format.ts'
import { t } from '../../../../shared/strings/strings.ts'

type Figures = Pick<AnswerMeta, 'costUsd' | 'latencyMs' | 'carbonGrams'>

interface Difference {
  name: string
  /** `$0.0012 less`, `318 ms faster`, `the same`. */
  text: string
  /** Whether the other answer is better in this figure; null when both are equal. */
  isBetter: boolean | null
}

/** How `other` differs from `first`. */
export function compareAnswers(first: Figures, other: Figures): Difference[] {
  const words = (difference: number, { format, less, more }: Wording) => {
    const size = format(Math.abs(difference))
    if (difference === 0 || size === format(0)) return { text: t('the same'), isBetter: null }
    return { text: difference < 0 ? less(size) : more(size), isBetter: difference < 0 }
  }
  const amount = {
    less: (size: string) => t('{size} less', { size }),
    more: (size: string) => t('{size} more', { size }),
  }
  const cost = { ...amount, format: formatUsd }
  const time = {
    format: formatDuration,
    less: (size: string) => t('{size} faster', { size }),
    more: (size: string) => t('{size} slower', { size }),
  }
  const carbon = { ...amount, format: formatGrams }
  return [
    { name: t('Cost'), ...words(other.costUsd - first.costUsd, cost) },
    { name: t('Duration'), ...words(other.latencyMs - first.latencyMs, time) },
    { name: t('CO₂e'), ...words(other.carbonGrams - first.carbonGrams, carbon) },
  ]
}

interface Wording {
  format: (value: number) => string
  less: (size: string) => string
  more: (size: string) => string
}
