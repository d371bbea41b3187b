/** The causes of a difference in words, for the window and the command line. */
import { formatPercent } from '../strings/format.ts'
import { t } from '../strings/strings.ts'
import type { BillClass, BillTier, Cause, CauseKind, ReconciledLine } from './reconciliation.ts'

export function causeWords(cause: Cause): string {
  switch (cause.kind) {
    case 'foreign':
      return foreignWords(cause.requests ?? null)
    case 'price':
      return priceWords(cause)
    case 'class':
      return classWords(cause)
    case 'tier':
      return cause.tier === undefined ? '' : tierWords(cause.tier)
    case 'credit':
      return cause.label ? t('Credit: {label}', { label: cause.label }) : t('Credit')
    default:
      return fixedWords(cause.kind)
  }
}

/** Words of the kinds that need nothing else of their cause. */
function fixedWords(
  kind: Exclude<CauseKind, 'foreign' | 'price' | 'class' | 'tier' | 'credit'>,
): string {
  const words = {
    cacheWrites: t('Cache writes'),
    cacheReads: t('Tokens read from a cache'),
    border: t('Requests around midnight'),
    partialDay: t('The bill has a part of the day'),
    estimated: t('Tokens that Modelport estimated'),
    severalModels: t('Requests that asked several models'),
    rounding: t('Rounding'),
    noPrice: t('Tokens differ, but no price is known'),
  }
  return words[kind]
}

/** Whether the difference of a line has no amount, so that its $0 must not be shown. */
export function hasNoPrice({ causes }: Pick<ReconciledLine, 'causes'>): boolean {
  return causes.some(({ kind }) => kind === 'noPrice')
}

/** What the sums leave out; null if nothing. */
export function noPriceNote(lines: readonly ReconciledLine[]): string | null {
  const count = lines.filter(hasNoPrice).length
  if (count === 0) return null
  return t(
    'No price is known for {count, plural, one {# line} other {# lines}} below. The sums do not include the difference in tokens.',
    { count },
  )
}

function foreignWords(requests: number | null): string {
  return requests === null || requests <= 0
    ? t('Requests that did not pass through Modelport')
    : t(
        '{requests, plural, one {# request} other {# requests}} that did not pass through Modelport',
        { requests },
      )
}

function priceWords({ from = '', until, ratio = 1 }: Cause): string {
  const percent = `${ratio > 1 ? '+' : '−'}${formatPercent(Math.abs((ratio - 1) * 100), 1)}`
  return until
    ? t('Another price from {from} to {until} ({percent})', { from, until, percent })
    : t('Another price since {from} ({percent})', { from, percent })
}

function tierWords(tier: BillTier): string {
  const words = {
    standard: t('Standard processing'),
    batch: t('Batches, which do not pass through Modelport'),
    flex: t('Flex processing'),
    priority: t('Priority processing'),
  }
  return words[tier]
}

function classWords({ billClass = 'other', label }: Cause): string {
  const words: Partial<Record<BillClass, string>> = {
    audio: t('Audio at its own price'),
    image: t('Images at their own price'),
    reasoning: t('Reasoning that the provider did not report'),
    webSearch: t('Web searches'),
    codeExecution: t('Code execution'),
    storage: t('Storage'),
  }
  return words[billClass] ?? label ?? t('Other costs')
}
