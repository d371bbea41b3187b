import { expect, test } from 'vitest'
import { outcomeOf, sourceText } from './request-words.ts'

const answered = { status: 200, errorCode: null, fallbackFrom: null, cachedFrom: null }

test.each([
  ['an answer', answered, 'Answered', null],
  ['a cached answer', { ...answered, cachedFrom: 'r' }, 'From cache', null],
  ['a fallback', { ...answered, fallbackFrom: 'a:x' }, 'Fallback', null],
  [
    'a limit',
    { ...answered, status: 429, errorCode: 'daily_limit_exceeded' },
    'Over limit',
    '429: the daily limit is used up',
  ],
  [
    'a refusal',
    { ...answered, status: 401, errorCode: 'invalid_api_key' },
    'Refused',
    '401: the API key is not valid',
  ],
  [
    'a caller that left',
    { ...answered, status: 499, errorCode: null },
    'Aborted',
    '499: the caller disconnected',
  ],
  [
    'a cancelled step',
    { ...answered, status: 499, errorCode: 'cancelled' },
    'Aborted',
    '499: Modelport cancelled it',
  ],
  [
    'a failure',
    { ...answered, status: 503, errorCode: 'all_models_unavailable' },
    'Failed',
    '503: no model was available',
  ],
])('%s is shown in words', (_name, request, text, reason) => {
  expect(outcomeOf(request)).toMatchObject({ text, reason })
})

test.each([
  ['api', null, 'Program'],
  ['chat', null, 'Chat'],
  ['api', 'execution-1', 'Agent'],
  ['chat', 'execution-1', 'Agent'],
  ['tune', 'run-1', 'Tuning run'],
  ['shadow', 'run-1', 'Shadow sample'],
  ['title', 'title:c', 'Title of a conversation'],
] as const)('a request of %s in the execution %s is from: %s', (source, executionId, text) => {
  expect(sourceText({ source, executionId })).toBe(text)
})
