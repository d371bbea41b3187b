/** Why requests failed, in words. */
import type { ListedRequest } from '../../../shared/requests/search.ts'
import { outcomeOf } from '../usage/request-words.ts'
import { joinWords } from '../../../shared/strings/join.ts'
import { t } from '../../../shared/strings/strings.ts'

/** The number of errors to read, the newest first. */
export const mostErrorsRead = 200
const mostReasons = 3

/** The most frequent reasons; null without an error. @param total  how many errors there are */
export function reasonsText(errors: readonly ListedRequest[], total: number): string | null {
  const reasons = Map.groupBy(errors, (request) => outcomeOf(request).reason ?? t('unknown'))
  const most = [...reasons]
    .toSorted(([, a], [, b]) => b.length - a.length)
    .slice(0, mostReasons)
    // `429: too many requests` gives `3 × 429 (too many requests)`.
    .map(([reason, { length }]) => `${length} × ${reason.replace(/^(\d+): (.*)$/, '$1 ($2)')}`)
  if (most.length === 0) return null
  const listed = joinWords(most)
  return total > errors.length
    ? t('Most frequent of the newest {count, plural, other {# errors}}: {reasons}.', {
        count: errors.length,
        reasons: listed,
      })
    : t('Errors: {reasons}.', { reasons: listed })
}
