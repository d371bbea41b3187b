import { expect, test } from 'vitest'
import { ServiceError } from '../../../errors.ts'
import { ProviderError } from '../../../providers/provider.ts'
import { failureOf, responsesErrors } from './write-error.ts'

test.each([
  ['all_models_unavailable', '240', '2'],
  ['all_models_unavailable', '1', '1'],
  ['daily_limit_exceeded', '36000', '2'],
  ['rate_limit_exceeded', '3600', '30'],
  ['rate_limit_exceeded', '5', '5'],
] as const)('%s with a wait of %s seconds has the header retry-after: %s', (code, wait, sent) => {
  const error = new ServiceError(code, 'Not now.', { headers: { 'retry-after': wait, 'x-a': 'b' } })

  expect(responsesErrors.headers(error, 'an-id')).toEqual({ 'retry-after': sent, 'x-a': 'b' })
})

test.each([
  ['which only the user can solve', { isLasting: true }, 'invalid_prompt'],
  [
    'by a limit without a name',
    { cause: new ProviderError('rate_limit', 'x') },
    'rate_limit_exceeded',
  ],
  ['without a name', { cause: new ProviderError('unavailable', 'x') }, 'server_error'],
])('a stream that broke off %s fails with the code that Codex acts on', (_name, options, code) => {
  expect(failureOf(new ServiceError('all_models_unavailable', 'No.', options)).code).toBe(code)
})
