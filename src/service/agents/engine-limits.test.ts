/** Tests what ends an execution early: its time limit, its limit of requests, or a caller that leaves. */
import { randomSeeds } from '../../../test/torture/amounts.ts'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { randomAgent } from '../../../test/agents/random-agent.ts'
import { seeded } from '../../../test/agents/random.ts'
import {
  agentOf,
  echo,
  failing,
  pass,
  prompt,
  start,
  type Answers,
} from '../../../test/agents/start-engine.ts'
import { ClientClosed } from '../chat/chat-call.ts'
import { ServiceError } from '../errors.ts'

/** A model that never answers. */
const untilAborted: Answers = (_question, signal) =>
  new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
  })

afterEach(() => void vi.useRealTimers())

describe('limits', () => {
  test('a step that takes too long is cancelled', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const steps = [prompt('a', { time_limit_seconds: 60 })]
    const { finished, asked } = start({ steps, answer: untilAborted })
    await expect.poll(() => asked).toHaveLength(1)
    vi.advanceTimersByTime(60_000)

    await expect(finished).rejects.toMatchObject({
      code: 'all_models_unavailable',
      param: 'a',
      message: 'Step "a": it took longer than 60 s',
    })
  })

  test('an agent sends at most max_steps requests to models', async () => {
    const steps = [{ id: 'm', type: 'map', over: '(1..9)', steps: [prompt('p')] }]
    const { finished, asked } = start({ steps, answer: echo, limits: { max_steps: 5 } })

    await expect(finished).rejects.toMatchObject({
      code: 'budget_exceeded',
      status: 402,
      param: 'p',
      message: 'Step "p": agent:a reached its limit of requests to models (max_steps: 5).',
    })
    expect(asked).toHaveLength(5)
  })

  test('a called agent has its own limits and also counts in its caller’s', async () => {
    const inner = agentOf({
      name: 'inner',
      limits: { max_steps: 2 },
      steps: [{ id: 'm', type: 'map', over: '(1..9)', steps: [prompt('p')] }],
    })
    const steps = [{ id: 'call', type: 'agent', agent: 'inner' }]

    await expect(start({ steps, answer: echo, others: [inner] }).finished).rejects.toThrow(
      'agent:inner reached its limit of requests to models (max_steps: 2)',
    )
    const tight = start({ steps, answer: echo, others: [inner], limits: { max_steps: 1 } })
    await expect(tight.finished).rejects.toThrow(
      'agent:a reached its limit of requests to models (max_steps: 1)',
    )
  })

  test('an execution that takes too long is cancelled', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const { finished, asked } = start({
      steps: [prompt('a', { fallback: 'x' })],
      answer: untilAborted,
      limits: { max_seconds: 60 },
    })
    await expect.poll(() => asked).toHaveLength(1)
    vi.advanceTimersByTime(60_000)

    await expect(finished).rejects.toMatchObject({
      code: 'budget_exceeded',
      param: 'a',
      message: 'Step "a": agent:a took longer than 60 s.',
    })
  })

  test('a caller that leaves ends every step with the caller’s own reason', async () => {
    const controller = new AbortController()
    const ids = ['a', 'b', 'c']
    const steps = [...ids.map((id) => prompt(id)), prompt('end', { needs: ids })]
    const { finished, asked } = start({ steps, answer: untilAborted, signal: controller.signal })
    await expect.poll(() => asked).toHaveLength(3)
    controller.abort(new ClientClosed())

    await expect(finished).rejects.toBeInstanceOf(ClientClosed)
    expect(asked).toHaveLength(3)
  })
})

test('random graphs end within their limits for random answers', async () => {
  const outcomes = await Promise.all(
    randomSeeds({ quick: 100, full: 200 }).map(async (seed) => {
      const chance = seeded(seed)
      const { limits, steps } = randomAgent(chance, 'a', ['inner'])
      const inner = agentOf({ ...randomAgent(chance, 'inner'), name: 'inner' })
      const answer: Answers = async (_question, signal) => {
        await pass(chance.below(4), signal)
        if (chance.isTrue(0.1)) throw failing
        return chance.pick(['{"n": 1}', '{"best": 1}', 'no', ''])
      }
      const { finished, asked } = start({ steps, answer, limits, others: [inner] })
      const ended = await finished.then(
        () => 'answered',
        (error: unknown) => (error instanceof ServiceError ? error.code : String(error)),
      )
      const most = limits['max_steps'] ?? 0
      return asked.length <= most ? ended : `asked ${asked.length} of ${most}`
    }),
  )

  expect([...new Set(outcomes)].toSorted()).toEqual([
    'all_models_unavailable',
    'answered',
    'budget_exceeded',
  ])
})
