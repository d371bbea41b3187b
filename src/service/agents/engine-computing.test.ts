/** Agents that compute for a long time without a model: they do not block the service, and limits end them. */
import { afterEach, describe, expect, test, vi } from 'vitest'
import { agentOf, echo, prompt, start } from '../../../test/agents/start-engine.ts'
import { ClientClosed } from '../chat/chat-call.ts'
import { sliceMs } from './time-slices.ts'

/** Nested loops of 50 passes around a text step. Four levels make 6 million texts. */
function nested(levels: number, innermost: object = { id: 't', type: 'text', text: 'x' }): object {
  if (levels === 0) return innermost
  const steps = [nested(levels - 1, innermost)]
  return { id: `l${levels}`, type: 'loop', max_iterations: 50, steps }
}

/** A clock on which each reading takes 1 ms. */
function eachCall(): () => number {
  let nowMs = 0
  return () => (nowMs += 1)
}

afterEach(() => void vi.useRealTimers())

test('the event loop runs after each slice of computation', async () => {
  let iterations = 0
  let isOver = false
  const count = () => {
    iterations += 1
    if (!isOver) setImmediate(count)
  }
  setImmediate(count)

  const { finished, traces } = start({ steps: [nested(2)], answer: echo, clock: eachCall() })
  await finished
  isOver = true

  expect(traces).toHaveLength(50 * 50 + 50 + 1)
  expect(iterations).toBeGreaterThan(traces.length / sliceMs)
})

describe('an agent that computes for too long is ended', () => {
  test('by a caller that leaves', async () => {
    const controller = new AbortController()
    setImmediate(() => controller.abort(new ClientClosed()))
    const { finished, traces } = start({
      steps: [nested(4)],
      answer: echo,
      signal: controller.signal,
      clock: eachCall(),
    })

    await expect(finished).rejects.toBeInstanceOf(ClientClosed)
    expect(traces.length).toBeLessThan(50)
  })

  test('by max_seconds', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    setImmediate(() => vi.advanceTimersByTime(60_000))
    const { finished } = start({
      steps: [nested(4)],
      answer: echo,
      limits: { max_seconds: 60 },
      clock: eachCall(),
    })

    await expect(finished).rejects.toMatchObject({
      code: 'budget_exceeded',
      message: expect.stringContaining('agent:a took longer than 60 s'),
    })
  })

  test('by the time limit of an outer step', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    setImmediate(() => vi.advanceTimersByTime(60_000))
    const { finished } = start({
      steps: [{ ...nested(4), time_limit_seconds: 60 }],
      answer: echo,
      clock: eachCall(),
    })

    await expect(finished).rejects.toMatchObject({
      param: 'l4',
      message: 'Step "l4": it took longer than 60 s',
    })
  })

  test('by its number of steps, and the error names the fields to lower', async () => {
    const { finished, traces } = start({ steps: [nested(3)], answer: echo })

    await expect(finished).rejects.toMatchObject({
      code: 'budget_exceeded',
      status: 402,
      param: 't',
      message:
        'Step "t": agent:a reached its limit of 10,000 steps, including steps without a model. ' +
        'Lower l3.max_iterations or l2.max_iterations or l1.max_iterations.',
    })
    expect(traces.filter(({ outcome }) => outcome === 'done').length).toBeLessThan(10_000)
  })

  test('by its number of steps when a called agent runs them', async () => {
    const inner = agentOf({ name: 'inner', steps: [nested(2)] })
    const call = { id: 'call', type: 'agent', agent: 'inner' }
    const each = { id: 'each', type: 'map', over: '(1..9)', steps: [call] }
    const { finished } = start({ steps: [each], answer: echo, others: [inner] })

    await expect(finished).rejects.toThrow(
      /^Step "call\/t": agent:a reached its limit of .* Lower each\.max_items or call\/l2\.max_iterations or call\/l1/,
    )
  })
})

test('text steps write at most ten million characters together', async () => {
  const text = '{% for n in (1..100) %}{{ input }}{% endfor %}'.replace(
    '{{ input }}',
    'x'.repeat(9_000),
  )
  const { finished } = start({ steps: [nested(1, { id: 't', type: 'text', text })], answer: echo })

  await expect(finished).rejects.toMatchObject({
    code: 'budget_exceeded',
    message: 'Step "t": agent:a reached its limit of 10,000,000 characters in text steps.',
  })
})

test('a map of 1,000 items with a few steps each stays within the limit', async () => {
  const steps = [
    { id: 'a', type: 'text', text: '{{ item }}' },
    { id: 'b', type: 'text', needs: ['a'], text: '{{ steps.a.output }}!' },
    prompt('c', { needs: ['b'], user: '{{ steps.b.output }}' }),
  ]
  const map = { id: 'm', type: 'map', over: '(1..1000)', max_items: 1_000, concurrency: 32, steps }
  const { finished, asked } = start({ steps: [map], answer: echo, limits: { max_steps: 1_000 } })

  expect((await finished).text).toMatch(/^<1!>\n\n<2!>/)
  expect(asked).toHaveLength(1_000)
})
