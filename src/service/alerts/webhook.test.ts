import { expect, test } from 'vitest'
import type { BudgetAlert } from '../../shared/routers/budget-alert.ts'
import { Webhook, type WebhookOptions } from './webhook.ts'

const alert: BudgetAlert = {
  id: 'alert-1',
  owner: { kind: 'key', id: 'key-1', name: 'laptop' },
  level: 50,
  usedUsd: 5,
  limitUsd: 10,
  period: { per: 'day', startMs: 0, endMs: 86_400_000 },
  createdAtMs: 1_000,
}

/** @param answers  the statuses of the attempts; an Error is a connection that fails */
function start(answers: (number | Error)[], changes: Partial<WebhookOptions> = {}) {
  const waiting = new Map([[alert.id, alert]])
  const waits: number[] = []
  const givenUp: string[] = []
  const sent: unknown[] = []
  const webhook = new Webhook({
    store: {
      waiting: async () => [...waiting.values()],
      settle: async (id) => void waiting.delete(id),
    },
    address: () => ({ url: 'https://hooks.example.com/secret', privateNetwork: false }),
    async fetch(_address, { body }) {
      sent.push(JSON.parse(typeof body === 'string' ? body : ''))
      const answer = answers.shift() ?? 204
      if (answer instanceof Error) throw answer
      return new Response(null, { status: answer })
    },
    wait: async (ms) => void waits.push(ms),
    onGiveUp: (_alert, problem) => givenUp.push(problem),
    onError: (error) => expect.unreachable(String(error)),
    now: () => 2_000,
    ...changes,
  })
  return { webhook, waiting, waits, givenUp, sent }
}

test('an alert is delivered once and no longer waits', async () => {
  const { webhook, waiting, sent } = start([200])

  webhook.deliver()
  webhook.deliver()

  await expect.poll(() => waiting.size).toBe(0)
  expect(sent).toEqual([
    {
      type: 'budget_alert',
      id: 'alert-1',
      router: null,
      key: { id: 'key-1', name: 'laptop' },
      level: 50,
      usedUsd: 5,
      limitUsd: 10,
      period: { per: 'day', start: '1970-01-01T00:00:00.000Z', end: '1970-01-02T00:00:00.000Z' },
      createdAt: '1970-01-01T00:00:01.000Z',
    },
  ])
})

test('temporary failures are retried with the same alert', async () => {
  const { webhook, waiting, waits, givenUp, sent } = start([500, 429, new Error('reset'), 200])

  webhook.deliver()

  await expect.poll(() => waiting.size).toBe(0)
  expect(waits).toEqual([1_000, 5_000, 30_000])
  expect(new Set(sent.map((body) => JSON.stringify(body))).size).toBe(1)
  expect(givenUp).toEqual([])
})

test.each([
  ['after six attempts', Array.from({ length: 6 }, () => 503), 'it answered with status 503'],
  ['at once when the receiver refuses it', [404], 'it answered with status 404'],
  ['at once when the receiver redirects', [302], 'it answered with status 302'],
])('an alert is given up %s', async (_name, answers, problem) => {
  const { webhook, waiting, givenUp, sent } = start([...answers])

  webhook.deliver()

  await expect.poll(() => givenUp).toEqual([problem])
  expect(sent).toHaveLength(answers.length)
  await expect.poll(() => waiting.size).toBe(0)
})

test('a closed webhook keeps its alert for the next start', async () => {
  const { webhook, waiting, sent } = start([500], {
    wait: (_ms, signal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(new Error('stopped')))
      }),
  })

  webhook.deliver()
  await expect.poll(() => sent).toHaveLength(1)
  await webhook.close()

  expect(waiting.size).toBe(1)
})

test('problems do not name the address, which may contain a token', async () => {
  const refused = new Error('connect ECONNREFUSED https://hooks.example.com/secret')
  const { webhook } = start([refused])

  await expect(webhook.test()).rejects.toThrow(/^it cannot be reached$/)
})
