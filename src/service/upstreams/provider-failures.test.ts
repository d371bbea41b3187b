import { expect, test } from 'vitest'
import { ProviderError } from '../providers/provider.ts'
import { ProviderFailures } from './provider-failures.ts'

function create() {
  const lines: Readonly<Record<string, string>>[] = []
  const clock = { nowMs: 0 }
  const log = {
    noted: (_what: string, fields: Readonly<Record<string, string>>) => lines.push(fields),
  }
  return { failures: new ProviderFailures({ log, now: () => clock.nowMs }), lines, clock }
}

const unavailable = new ProviderError('unavailable', 'it answered 503', {
  status: 503,
  upstreamMessage: 'the prompt',
})

test('the first failure is logged at once, without the text of the upstream', () => {
  const { failures, lines } = create()

  failures.add('openai', unavailable)

  expect(lines).toEqual([
    {
      provider: 'openai',
      kind: 'unavailable',
      status: '503',
      message: 'it answered 503',
      sinceLastLine: '1',
    },
  ])
})

test('further failures of the same kind are counted, with one line a minute', () => {
  const { failures, lines, clock } = create()

  for (let count = 0; count < 1_000; count += 1) failures.add('openai', unavailable)
  expect(lines).toHaveLength(1)
  clock.nowMs = 60_000
  failures.add('openai', unavailable)

  expect(lines.map(({ sinceLastLine }) => sinceLastLine)).toEqual(['1', '1000'])
})

test('another kind and another provider have lines of their own', () => {
  const { failures, lines } = create()

  failures.add('openai', unavailable)
  failures.add('openai', new ProviderError('timeout', 'it took too long'))
  failures.add('mistral', unavailable)

  expect(lines.map(({ provider, kind }) => `${provider} ${kind}`)).toEqual([
    'openai unavailable',
    'openai timeout',
    'mistral unavailable',
  ])
})
