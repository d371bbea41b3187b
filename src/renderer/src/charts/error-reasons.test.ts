import { expect, test } from 'vitest'
import type { ListedRequest } from '../../../shared/requests/search.ts'
import { reasonsText } from './error-reasons.ts'

const failed = (status: number, errorCode: string | null) =>
  ({
    status,
    errorCode,
    fallbackFrom: null,
    cachedFrom: null,
  }) as Partial<ListedRequest> as ListedRequest

const errors = [
  failed(503, 'all_models_unavailable'),
  failed(499, null),
  failed(429, 'rate_limit_exceeded'),
  failed(429, 'rate_limit_exceeded'),
  failed(400, 'invalid_parameter'),
  failed(503, 'all_models_unavailable'),
  failed(429, 'rate_limit_exceeded'),
]

test('the three most frequent reasons are shown in words, with their numbers', () => {
  expect(reasonsText(errors, errors.length)).toBe(
    'Errors: 3 × 429 (too many requests at once), 2 × 503 (no model was available), 1 × 499 (the caller disconnected).',
  )
})

test('when there are more errors than were read, the text says so', () => {
  expect(reasonsText(errors, 800)).toMatch(/^Most frequent of the newest 7 errors: 3 × 429/)
  expect(reasonsText([], 0)).toBeNull()
})
