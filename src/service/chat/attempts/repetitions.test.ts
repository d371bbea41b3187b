/** Tests when the only candidate of a request is asked again. */
import { expect, test } from 'vitest'
import { defaultTimeLimits, type TimeLimits } from '../../../shared/routers/time-limits.ts'
import { ProviderError, type ProviderErrorKind } from '../../providers/provider.ts'
import { candidate } from '../../../../test/routing/sample-candidates.ts'
import { Deployments } from './deployments.ts'
import { Repetitions } from './repetitions.ts'

const only = candidate({ modelId: 'p:only' })
const other = candidate({ modelId: 'q:other' })
const overloaded = new ProviderError('unavailable', 'overloaded', { status: 529 })

function start(limits: Partial<TimeLimits> = {}, candidates = [only]) {
  let nowMs = 1_000
  const clock = () => nowMs
  const deployments = new Deployments(clock, () => 0)
  const outage = new ProviderError('auth', 'rejected')
  const out = new Set<string>()
  const repetitions = new Repetitions({
    deployments,
    clock,
    repeats: true,
    candidates,
    upstreams: {
      outageOf: ({ modelId }) => (out.has(modelId) ? outage : null),
      timeLimitsOf: () => ({ ...defaultTimeLimits, ...limits }),
    },
  })
  return {
    out,
    advance: (ms: number) => void (nowMs += ms),
    fail(error: ProviderError, { modelId } = only) {
      const trial = deployments.begin(modelId, false)
      trial.failed(error)
      trial.end()
    },
    next: (error: ProviderError) => repetitions.nextWaitMs({ candidate: only, error }),
  }
}

test('it is asked twice more, after the waits of the vendors’ SDKs', () => {
  const { next } = start()

  expect([next(overloaded), next(overloaded), next(overloaded)]).toEqual([500, 1_000, null])
})

test.each<[string, ProviderError]>([
  ['a rate limit', new ProviderError('rate_limit', 'x', { status: 429 })],
  ['a server’s own failure', new ProviderError('unavailable', 'x', { status: 500 })],
  [
    'an unreadable output',
    new ProviderError('unavailable', 'x', { status: 400, isBadOutput: true }),
  ],
  ['a broken connection', new ProviderError('network', 'x')],
  ['the upstream’s time limit', new ProviderError('timeout', 'x', { status: 504 })],
])('%s is repeated', (_name, error) => {
  expect(start().next(error)).toBe(500)
})

test.each<[string, ProviderError]>([
  ...(['request', 'no_key', 'auth', 'credit', 'invalid_response'] as const).map(
    (kind: ProviderErrorKind): [string, ProviderError] => [kind, new ProviderError(kind, 'x')],
  ),
  ['our own time limit', new ProviderError('timeout', 'x')],
  ['a model that is not there', new ProviderError('unavailable', 'x', { status: 404 })],
  ['a full queue', new ProviderError('unavailable', 'x', { isBusy: true })],
  ['a wrong configuration', new ProviderError('unavailable', 'x', { isLasting: true })],
])('%s is not repeated', (_name, error) => {
  expect(start().next(error)).toBeNull()
})

test('a wait that the provider names is kept, and one of more than 8 s is left to the caller', () => {
  const limited = (retryAfterMs: number) => new ProviderError('rate_limit', 'x', { retryAfterMs })

  const { next, fail } = start()
  fail(limited(3_000))
  expect(next(limited(3_000))).toBe(3_000)
  expect(next(limited(6_000))).toBeNull()
  expect(start().next(limited(9_000))).toBeNull()
})

test('a pause that the provider asked for at another request is kept', () => {
  const { next, fail } = start()
  fail(new ProviderError('rate_limit', 'x', { retryAfterMs: 2_000 }))

  expect(next(overloaded)).toBe(2_000)
})

test('no wait goes beyond the time limit of the first token', () => {
  const { next, advance } = start({ firstTokenMs: 2_000 })

  expect(next(overloaded)).toBe(500)
  advance(1_100)
  expect(next(overloaded)).toBeNull()
})

test('a provider that went out of use meanwhile is not asked again', () => {
  const { next, out } = start()
  out.add(only.modelId)

  expect(next(overloaded)).toBeNull()
})

test('it is the only one beside others that are certain to fail, and no other', () => {
  const [rejected, limited, usable] = [1, 2, 3].map(() => start({}, [only, other]))
  rejected?.out.add(other.modelId)
  limited?.fail(new ProviderError('rate_limit', 'x', { retryAfterMs: 60_000 }), other)

  expect([rejected, limited, usable].map((each) => each?.next(overloaded))).toEqual([
    500,
    500,
    null,
  ])
})
