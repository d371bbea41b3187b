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
    return { text: `${size} ${difference < 0 ? less : more}`, isBetter: difference < 0 }
  }
  const amount = { less: 'less', more: 'more' }
  const cost = { ...amount, format: formatUsd }
  const time = { format: formatDuration, less: 'faster', more: 'slower' }
  const carbon = { ...amount, format: formatGrams }
  return [
    { name: t('Cost'), ...words(other.costUsd - first.costUsd, cost) },
    { name: t('Time'), ...words(other.latencyMs - first.latencyMs, time) },
    { name: t('CO₂e'), ...words(other.carbonGrams - first.carbonGrams, carbon) },
  ]
}

interface Wording {
  format: (value: number) => string
  less: string
  more: string
}
