import { beforeEach, describe, expect, test } from 'vitest'
import { ProviderError, type ProviderErrorKind } from '../../providers/provider.ts'
import { Breakers, type DeploymentHint } from './breaker.ts'

const model = 'openai:gpt'
let nowMs = 0
let chance = 0.5
let breakers: Breakers

beforeEach(() => {
  nowMs = 1_000_000
  chance = 0.5
  breakers = new Breakers(
    () => nowMs,
    () => chance,
  )
})

function fail(kind: ProviderErrorKind = 'unavailable', retryAfterMs: number | null = null): void {
  const trial = breakers.begin(model)
  trial.failed(new ProviderError(kind, 'it failed', { retryAfterMs }))
  trial.end()
}

function failTimes(times: number, kind?: ProviderErrorKind): void {
  for (let time = 0; time < times; time += 1) fail(kind)
}

function answer(): void {
  const trial = breakers.begin(model)
  trial.answering()
  trial.succeeded()
  trial.end()
}

/** Five failures, then one failed probe for each further opening. */
function openTimes(times: number): void {
  failTimes(5)
  for (let opening = 1; opening < times; opening += 1) {
    waitForProbe()
    fail()
  }
}

function waitForProbe(): void {
  const standing = breakers.standing(model)
  nowMs += standing.kind === 'ready' ? 0 : standing.waitMs
}

describe('opening', () => {
  test.each([
    ['a server that is only busy', { isBusy: true }],
    ['what the model wrote', { isBadOutput: true }],
  ])('is not caused by %s', (_cause, options) => {
    for (let time = 0; time < 20; time += 1) {
      const trial = breakers.begin(model)
      trial.failed(new ProviderError('unavailable', 'it works', options))
      trial.end()
    }
    expect(breakers.standing(model).kind).toBe('ready')
  })

  test.each(['unavailable', 'timeout', 'network', 'invalid_response', 'rate_limit'] as const)(
    'five failures of kind %s in a row open it for 30 s',
    (kind) => {
      failTimes(4, kind)
      expect(breakers.standing(model)).toEqual({ kind: 'ready' })

      fail(kind)
      expect(breakers.standing(model)).toEqual({ kind: 'open', waitMs: 30_000 })
    },
  )

  test.each(['request', 'no_key', 'auth', 'credit'] as const)(
    'failures of kind %s are not caused by the deployment and never open it',
    (kind) => {
      failTimes(20, kind)

      expect(breakers.standing(model)).toEqual({ kind: 'ready' })
    },
  )

  test('a complete answer between them resets the count', () => {
    failTimes(4)
    answer()
    failTimes(4)

    expect(breakers.standing(model)).toEqual({ kind: 'ready' })
  })

  test('a caller that disconnects counts neither for nor against it', () => {
    failTimes(4)
    breakers.begin(model).end()
    expect(breakers.standing(model)).toEqual({ kind: 'ready' })

    fail()
    expect(breakers.standing(model)).toMatchObject({ kind: 'open' })
  })

  test('answers that begin and break off open it too', () => {
    for (let time = 0; time < 5; time += 1) {
      const trial = breakers.begin(model)
      trial.answering()
      trial.failed(new ProviderError('network', 'the connection broke'))
      trial.end()
    }

    expect(breakers.standing(model)).toMatchObject({ kind: 'open' })
  })

  test.each([
    [2, 60_000],
    [3, 90_000],
    [10, 300_000],
    [12, 300_000],
  ])('the %i. opening in a row lasts %i ms', (openings, waitMs) => {
    openTimes(openings)

    expect(breakers.standing(model)).toEqual({ kind: 'open', waitMs })
  })

  test('requests that were running when it opened do not keep it open for longer', () => {
    const underWay = Array.from({ length: 20 }, () => breakers.begin(model))
    for (const trial of underWay) trial.failed(new ProviderError('network', 'the connection broke'))

    expect(breakers.standing(model)).toEqual({ kind: 'open', waitMs: 30_000 })
  })

  test('a deployment’s failures do not affect another deployment', () => {
    failTimes(5)

    expect(breakers.standing('azure:gpt')).toEqual({ kind: 'ready' })
  })
})

describe('the probe', () => {
  beforeEach(() => {
    failTimes(5)
    nowMs += 30_000
  })

  test('is let through when the wait is over, and only one at a time', () => {
    expect(breakers.standing(model)).toEqual({ kind: 'ready' })

    const probe = breakers.begin(model)
    expect(breakers.standing(model)).toEqual({ kind: 'probing', waitMs: 1_000 })

    probe.end()
    expect(breakers.standing(model)).toEqual({ kind: 'ready' })
  })

  test('closes the breaker with its first delta, before its answer is complete', () => {
    breakers.begin(model).answering()

    expect(breakers.standing(model)).toEqual({ kind: 'ready' })
    expect(breakers.begin(model)).toBeDefined()
    expect(breakers.standing(model)).toEqual({ kind: 'ready' })
  })

  test('that breaks off after its first delta opens it again, for longer', () => {
    const probe = breakers.begin(model)
    probe.answering()
    probe.failed(new ProviderError('network', 'the connection broke'))
    probe.end()

    expect(breakers.standing(model)).toEqual({ kind: 'open', waitMs: 60_000 })
  })

  test('with a complete answer resets everything', () => {
    answer()
    failTimes(4)
    expect(breakers.standing(model)).toEqual({ kind: 'ready' })

    fail()
    expect(breakers.standing(model)).toEqual({ kind: 'open', waitMs: 30_000 })
  })

  test('whose caller disconnects leaves the probe to the next request', () => {
    breakers.begin(model).end()

    expect(breakers.standing(model)).toEqual({ kind: 'ready' })
  })

  test('an answer that began before the breaker opened does not close it', () => {
    const early = new Breakers(
      () => nowMs,
      () => chance,
    )
    const before = early.begin(model)
    for (let time = 0; time < 5; time += 1) {
      early.begin(model).failed(new ProviderError('timeout', 'it was too slow'))
    }
    before.answering()
    before.succeeded()

    expect(early.standing(model)).toMatchObject({ kind: 'open' })
  })
})

describe('an early probe', () => {
  test('that fails does not change the opening', () => {
    failTimes(5)
    nowMs += 10_000

    fail()

    expect(breakers.standing(model)).toEqual({ kind: 'open', waitMs: 20_000 })
  })

  test('with an answer closes it', () => {
    failTimes(5)

    answer()

    expect(breakers.standing(model)).toEqual({ kind: 'ready' })
  })
})

describe('a rate limit', () => {
  test('with retry-after pauses the deployment for that time', () => {
    fail('rate_limit', 20_000)
    expect(breakers.standing(model)).toEqual({ kind: 'cooling', waitMs: 20_000 })

    nowMs += 20_000
    expect(breakers.standing(model)).toEqual({ kind: 'ready' })
  })

  test.each([
    [0, 20_000],
    [0.5, 20_000],
    [1, 22_000],
  ])('pauses it for up to a tenth longer, never shorter, at chance %d', (drawn, waitMs) => {
    chance = drawn
    fail('rate_limit', 20_000)

    expect(breakers.standing(model)).toEqual({ kind: 'cooling', waitMs })
  })

  test.each([0, 1])('pauses it for an hour at most, at chance %d', (drawn) => {
    chance = drawn
    fail('rate_limit', 86_400_000)

    expect(breakers.standing(model)).toEqual({ kind: 'cooling', waitMs: 3_600_000 })
  })

  test('that repeats pauses it for a backoff that doubles', () => {
    const waits = [1, 2, 3, 4].map(() => {
      fail('rate_limit', 100)
      const standing = breakers.standing(model)
      waitForProbe()
      return standing
    })

    expect(waits).toEqual(
      [1_000, 2_000, 4_000, 8_000].map((waitMs) => ({ kind: 'cooling', waitMs })),
    )
  })

  test('without retry-after only counts', () => {
    fail('rate_limit')

    expect(breakers.standing(model)).toEqual({ kind: 'ready' })
  })

  test('hit by many requests at once is one step of the backoff', () => {
    const underWay = Array.from({ length: 4 }, () => breakers.begin(model))
    const error = new ProviderError('rate_limit', 'too many', { retryAfterMs: 100 })
    for (const trial of underWay) trial.failed(error)

    expect(breakers.standing(model)).toEqual({ kind: 'cooling', waitMs: 1_000 })
  })
})

describe('between nodes', () => {
  let heard: DeploymentHint[]

  beforeEach(() => {
    heard = []
    breakers.share((hint) => heard.push(hint))
  })

  test('an opening, a pause and a recovery are told once each', () => {
    failTimes(7)
    waitForProbe()
    answer()
    fail('rate_limit', 2_000)
    expect(heard).toEqual([
      { kind: 'opened', modelId: model, openMs: 30_000 },
      { kind: 'recovered', modelId: model },
      { kind: 'cooled', modelId: model, coolMs: 2_000 },
    ])
  })

  test('another node’s opening and pause hold here for as long', () => {
    breakers.follow({ kind: 'opened', modelId: model, openMs: 30_000 })
    expect(breakers.standing(model)).toEqual({ kind: 'open', waitMs: 30_000 })
    breakers.follow({ kind: 'cooled', modelId: model, coolMs: 5_000 })
    expect(breakers.standing(model)).toEqual({ kind: 'cooling', waitMs: 5_000 })
    expect(heard).toEqual([])
  })

  test('another node’s opening needs one failure here while this node gets answers', () => {
    answer()
    nowMs += 9_999
    breakers.follow({ kind: 'opened', modelId: model, openMs: 30_000 })
    expect(breakers.standing(model).kind).toBe('ready')
    fail()
    expect(breakers.standing(model).kind).toBe('open')
  })

  test('another node’s recovery lets this node probe at once', () => {
    openTimes(1)
    breakers.follow({ kind: 'recovered', modelId: model })
    expect(breakers.standing(model).kind).toBe('ready')
    fail()
    expect(breakers.standing(model).kind).toBe('open')
  })
})
