/** Signals about an earlier answer: a question that is asked again, and an agent's step that is repeated. */
import { describe, expect, test } from 'vitest'
import type { SignalRecord } from '../../src/shared/requests/signals.ts'
import { apply, prompt, request } from '../agents/sample-agent.ts'
import type { FakeModelScript } from '../fake-provider.ts'
import { startTestService, type TestService } from '../test-service.ts'

/** The signals of the latest requests, newest first. */
async function signalsOf(upstream: TestService, count: number): Promise<SignalRecord[][]> {
  const rows = await upstream.ledger(count)
  return await Promise.all(
    rows.map(async ({ id }) => {
      const found = await upstream.get(`requests/${id}`)
      // The form of Modelport's own answers.
      return ((await found.json()) as { detail: { signals: SignalRecord[] } }).detail.signals
    }),
  )
}

describe('a question that is asked again', () => {
  const content = 'Which river flows through Bonn?'
  const question = { messages: [{ role: 'user', content }] }

  async function start(isOn: boolean) {
    const skip = { ms: 0 }
    const upstream = await startTestService({
      models: { a: {}, b: {} },
      service: { clock: () => 1_000_000 + skip.ms },
    })
    await upstream.service.dashboard.setSetting('signalAskedAgain', isOn)
    const ask = async (body: object) => {
      await (await upstream.post('chat/completions', body)).text()
    }
    return { upstream, ask, wait: (ms: number) => void (skip.ms += ms) }
  }

  test.each([false, true])(
    'counts against the model that answered before (streamed: %s)',
    async (stream) => {
      const { upstream, ask, wait } = await start(true)
      await ask({ ...question, model: 'fake:a', stream })
      wait(10_000)
      await ask({ ...question, model: 'fake:b', stream })
      expect(await signalsOf(upstream, 2)).toEqual([
        [{ name: 'asked_again', model: 'fake:a', label: 0, weight: 0.1 }],
        [],
      ])
    },
  )

  test('shows nothing at once, after five minutes, or with another question between', async () => {
    const { upstream, ask, wait } = await start(true)
    await ask(question)
    await ask(question)
    wait(301_000)
    await ask(question)
    wait(10_000)
    await ask({ messages: [{ role: 'user', content: `${content} And through Koblenz?` }] })
    expect(await signalsOf(upstream, 4)).toEqual([[], [], [], []])
  })

  test('shows nothing by default', async () => {
    const upstream = await startTestService()
    expect((await upstream.service.dashboard.settings()).signalAskedAgain).toBe(false)
    const off = await start(false)
    await off.ask(question)
    off.wait(10_000)
    await off.ask(question)
    expect(await signalsOf(off.upstream, 2)).toEqual([[], []])
  })
})

describe('an agent’s step that is repeated', () => {
  const schema = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] }
  const repaired = [prompt('p', { json_schema: schema })]
  /** The first answer does not match. Prose is asked for where a model cannot be asked for JSON. */
  const second: FakeModelScript = (_request, nth) => ({ text: nth === 1 ? '{"n":"x"}' : '{"n":1}' })
  const untilTwo = [
    {
      id: 'l',
      type: 'loop',
      max_iterations: 3,
      until: 'steps.p.output contains "1"',
      steps: [prompt('p')],
    },
  ]
  const repeated = { name: 'step_repeated', model: 'fake:m', label: 0, weight: 0.2 }

  test.each([
    ['because its JSON does not match', repaired],
    ['because it did not end its loop', untilTwo],
  ])('counts against the model of the failed try: %s', async (_why, steps) => {
    const upstream = await startTestService({ models: { m: second } })
    await apply(upstream, steps)
    await upstream.post('chat/completions', request)
    const [latest = [], first = []] = await signalsOf(upstream, 2)
    expect(latest).toContainEqual(repeated)
    expect(first).not.toContainEqual(repeated)
  })

  test('shows nothing when its setting is off', async () => {
    const upstream = await startTestService({ models: { m: second } })
    await upstream.service.dashboard.setSetting('signalStepRepeated', false)
    await apply(upstream, untilTwo)
    await upstream.post('chat/completions', request)
    expect(await signalsOf(upstream, 2)).toEqual([[], []])
  })

  test('of a loop with several steps blames none of their models', async () => {
    const upstream = await startTestService({ models: { m: second } })
    const [loop] = untilTwo
    await apply(upstream, [{ ...loop, steps: [prompt('p'), prompt('q', { needs: ['p'] })] }])
    await upstream.post('chat/completions', request)
    expect((await signalsOf(upstream, 4)).flat()).toEqual([])
  })
})
