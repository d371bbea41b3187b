import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, test, vi } from 'vitest'
import { randomAgent } from '../../../test/agents/random-agent.ts'
import { seeded } from '../../../test/agents/random.ts'
import type { StepTrace } from '../../shared/agent.ts'
import { ClientClosed } from '../chat/chat-call.ts'
import { ServiceError } from '../errors.ts'
import type { CompiledAgent } from './compiled.ts'
import { Engine } from './engine.ts'
import { ExecutionLimits } from './execution-limits.ts'
import type { ModelQuestion } from './model-question.ts'
import { readDefinition } from './read-definition.ts'

type Answers = (question: ModelQuestion, signal: AbortSignal) => Promise<string> | string

function agentOf(written: object): CompiledAgent {
  const read = readDefinition(JSON.stringify({ name: 'a', ...written }))
  if (!read.ok) throw new Error(JSON.stringify(read.faults))
  return read.agent
}

interface Started {
  steps: object[]
  answer: Answers
  limits?: object
  others?: CompiledAgent[]
  signal?: AbortSignal
  onText?: ModelQuestion['onText']
}

/** Runs an agent of these steps on the input "hello". */
function start({ steps, answer, limits = {}, others = [], signal, onText = null }: Started) {
  const agent = agentOf({ limits, steps })
  const asked: ModelQuestion[] = []
  const traces: StepTrace[] = []
  const clock = () => performance.now()
  const engine = new Engine({
    async ask(question, inner) {
      asked.push(question)
      const text = await answer(question, inner)
      await question.onText?.(text)
      return { text, finishReason: 'stop' }
    },
    agentOf: (slug) => others.find(({ definition }) => definition.name === slug) ?? null,
    onStep: (trace) => traces.push(trace),
    wait: (_ms, inner) => delay(0, undefined, { signal: inner }),
    clock,
  })
  const own = new ExecutionLimits(agent.definition, clock)
  const finished = engine
    .run({
      agent,
      limits: [own],
      input: { input: 'hello', messages: [{ role: 'user', content: 'hello' }] },
      onText,
      signal: AbortSignal.any([own.signal, ...(signal ? [signal] : [])]),
    })
    .finally(() => own.end())
  return { finished, asked, traces }
}

const prompt = (id: string, more: object = {}) => ({ id, type: 'prompt', user: id, ...more })
const echo: Answers = ({ user }) => `<${user}>`
const failing = new ServiceError('all_models_unavailable', 'None answered.')

/** As a provider does: it answers late, or is cut off. */
const after =
  (ms: number, text = 'x'): Answers =>
  (_question, signal) =>
    delay(ms, text, { signal }).catch(() => {
      throw signal.reason
    })

describe('the order of steps', () => {
  test('a step begins when what it needs is over, and sees its output', async () => {
    const steps = [
      prompt('a', { user: '{{ input }}' }),
      prompt('b', { needs: ['a'], user: 'b {{ steps.a.output }}' }),
      prompt('c', {
        needs: ['b'],
        user: 'c {{ steps.b.output }}',
        system: '{{ messages[0].role }}',
      }),
    ]
    const { finished, asked } = start({ steps, answer: echo })

    expect(await finished).toEqual({ text: '<c <b <hello>>>', finishReason: 'stop' })
    expect(asked.map(({ stepId, system }) => [stepId, system])).toEqual([
      ['a', null],
      ['b', null],
      ['c', 'user'],
    ])
  })

  test('steps written after the one that needs them run before it', async () => {
    const steps = [prompt('b', { needs: ['a'] }), prompt('a'), prompt('c', { needs: ['b'] })]
    const { finished, asked } = start({ steps, answer: echo })
    await finished

    expect(asked.map(({ stepId }) => stepId)).toEqual(['a', 'b', 'c'])
  })

  test('four steps of 500 ms that need nothing of each other take less than 700 ms', async () => {
    const ids = ['a', 'b', 'c', 'd']
    const steps = [...ids.map((id) => prompt(id)), prompt('end', { needs: ids })]
    const startedAt = performance.now()
    const slow: Answers = (question, signal) =>
      question.stepId === 'end' ? 'x' : after(500)(question, signal)
    await start({ steps, answer: slow }).finished

    expect(performance.now() - startedAt).toBeLessThan(700)
  })

  test('a step that is passed over is not asked, and its output is empty', async () => {
    const steps = [
      prompt('a', { skip_if: 'input == "hello"' }),
      prompt('b', { needs: ['a'], user: '[{{ steps.a.output }}]' }),
    ]
    const { finished, traces } = start({ steps, answer: echo })

    expect((await finished).text).toBe('<[]>')
    expect(traces.map(({ stepId, outcome }) => [stepId, outcome])).toEqual([
      ['a', 'skipped'],
      ['b', 'done'],
    ])
  })
})

test('a text is filled in without a model', async () => {
  const steps = [
    prompt('a'),
    { id: 'b', type: 'text', needs: ['a'], text: '{{ input }}: {{ steps.a.output }}' },
  ]
  const { finished, asked } = start({ steps, answer: echo })

  expect((await finished).text).toBe('hello: <a>')
  expect(asked).toHaveLength(1)
})

describe('JSON', () => {
  const json_schema = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] }

  test('is read, also out of a fence, and its parts can be named', async () => {
    const steps = [
      prompt('a', { json_schema }),
      prompt('b', { needs: ['a'], user: '{{ steps.a.json.n }}' }),
    ]
    const answer: Answers = ({ stepId, user }) => (stepId === 'a' ? '```json\n{"n": 7}\n```' : user)

    expect((await start({ steps, answer }).finished).text).toBe('7')
  })

  test('that does not fit is sent back once, with what is wrong', async () => {
    const answers = ['{"n": "seven"}', '{"n": 7}']
    const { finished, asked } = start({
      steps: [prompt('a', { json_schema })],
      answer: () => answers.shift() ?? '',
    })

    expect((await finished).text).toBe('{"n": 7}')
    expect(asked.map(({ refused }) => refused)).toEqual([
      null,
      { answer: '{"n": "seven"}', problem: expect.stringContaining('n: ') },
    ])
  })

  test('that does not fit twice fails the step', async () => {
    const { finished, asked } = start({ steps: [prompt('a', { json_schema })], answer: echo })

    await expect(finished).rejects.toMatchObject({
      code: 'all_models_unavailable',
      param: 'a',
      message: expect.stringContaining('it is not JSON'),
    })
    expect(asked).toHaveLength(2)
  })
})

describe('steps that hold steps', () => {
  test('a branch takes the first case that holds, or else the other way', async () => {
    const steps = [
      {
        id: 'way',
        type: 'branch',
        cases: [
          { when: 'input contains "bye"', steps: [prompt('bye')] },
          { when: 'input contains "hell"', steps: [prompt('hell')] },
          { when: 'input == "hello"', steps: [prompt('hello')] },
        ],
        else: [prompt('other')],
      },
    ]
    const { finished, asked } = start({ steps, answer: echo })

    expect((await finished).text).toBe('<hell>')
    expect(asked).toHaveLength(1)
  })

  test('a map runs its steps for each item, so many at a time, and keeps their order', async () => {
    let running = 0
    let most = 0
    const steps = [
      {
        id: 'each',
        type: 'map',
        over: '"3,1,2" | split: ","',
        concurrency: 2,
        steps: [prompt('one', { user: '{{ index }}:{{ item }}' })],
      },
      prompt('end', { needs: ['each'], user: '{{ steps.each.json | join: "+" }}' }),
    ]
    const answer: Answers = async ({ user }) => {
      running += 1
      most = Math.max(most, running)
      await delay(Number(user.at(-1)) * 10)
      running -= 1
      return user
    }

    expect((await start({ steps, answer }).finished).text).toBe('0:3+1:1+2:2')
    expect(most).toBe(2)
  })

  test('a map over what is no list, or too long a list, is refused', async () => {
    const over = (list: string) =>
      start({
        steps: [{ id: 'm', type: 'map', over: list, max_items: 2, steps: [prompt('p')] }],
        answer: echo,
      }).finished

    await expect(over('input')).rejects.toMatchObject({ code: 'invalid_parameter', param: 'm' })
    await expect(over('(1..3)')).rejects.toThrow('the list has 3 items, and may have 2')
  })

  test('a loop ends when its condition holds, and sees the pass before', async () => {
    const loop = (until: string) => ({
      id: 'l',
      type: 'loop',
      max_iterations: 3,
      until,
      steps: [prompt('p', { user: '{{ iteration }}({{ previous }})' })],
    })
    const answer: Answers = ({ user }) => user

    const ended = start({ steps: [loop('steps.p.output contains "2"')], answer })
    expect((await ended.finished).text).toBe('2(1())')
    const limited = start({ steps: [loop('false')], answer })
    expect((await limited.finished).text).toBe('3(2(1()))')
  })

  test('a judge picks one of the candidates by its number, or writes', async () => {
    let count = 0
    const answer: Answers = ({ user }) => {
      if (user === 'write') return `candidate ${(count += 1)}`
      return user.startsWith('pick') ? '{"best": 2}' : user
    }
    const judge = (mode: string, user: string) => ({
      id: 'j',
      type: 'judge',
      candidates: 3,
      mode,
      candidate: { user: 'write' },
      judge: { user },
    })

    const picked = start({ steps: [judge('pick', 'pick {{ candidates | size }}')], answer })
    expect((await picked.finished).text).toBe('candidate 2')
    expect(picked.asked.map(({ user }) => user)).toEqual(['write', 'write', 'write', 'pick 3'])
    const merged = start({ steps: [judge('merge', '{{ candidates | join: "/" }}')], answer })
    expect((await merged.finished).text).toBe('candidate 4/candidate 5/candidate 6')
  })

  test('an agent is called with a text, and its steps are named after the one that calls', async () => {
    const inner = agentOf({ name: 'inner', steps: [prompt('p', { user: 'inner {{ input }}' })] })
    const steps = [{ id: 'call', type: 'agent', agent: 'inner', input: '{{ input }}!' }]
    const { finished, asked } = start({ steps, answer: echo, others: [inner] })

    expect((await finished).text).toBe('<inner hello!>')
    expect(asked.map(({ stepId, limits }) => [stepId, limits.length])).toEqual([['call/p', 2]])
  })

  test('agents that call each other without end are cut off by their depth', async () => {
    const inner = agentOf({
      name: 'inner',
      steps: [{ id: 'again', type: 'agent', agent: 'inner' }],
    })
    const steps = [{ id: 'call', type: 'agent', agent: 'inner' }]

    await expect(start({ steps, answer: echo, others: [inner] }).finished).rejects.toMatchObject({
      code: 'invalid_parameter',
      param: 'call/again/again/again/again',
    })
  })
})

describe('failures', () => {
  test('end the execution with the step’s own status and code, and its id', async () => {
    const answer: Answers = ({ stepId }) => {
      if (stepId === 'b') throw failing
      return 'x'
    }
    const steps = [prompt('a'), prompt('b', { needs: ['a'] }), prompt('c', { needs: ['b'] })]
    const { finished, asked, traces } = start({ steps, answer })

    await expect(finished).rejects.toMatchObject({
      code: 'all_models_unavailable',
      status: 503,
      param: 'b',
      message: 'Step "b": None answered.',
    })
    expect(asked.map(({ stepId }) => stepId)).toEqual(['a', 'b'])
    expect(traces.at(-1)).toMatchObject({ stepId: 'b', outcome: 'failed' })
  })

  test('cut off what runs beside, and are told once nothing runs any more', async () => {
    let isCut = false
    const answer: Answers = async ({ stepId }, signal) => {
      if (stepId === 'a') throw failing
      try {
        await delay(5_000, undefined, { signal })
      } finally {
        await delay(20)
        isCut = true
      }
      return 'x'
    }
    const steps = [prompt('a'), prompt('b'), prompt('c', { needs: ['a', 'b'] })]

    await expect(start({ steps, answer }).finished).rejects.toMatchObject({ param: 'a' })
    expect(isCut).toBe(true)
  })

  test('are tried again as often as the step says, but not where the request was refused', async () => {
    const times = async (error: ServiceError) => {
      const answer: Answers = () => {
        throw error
      }
      const { finished, asked } = start({ steps: [prompt('a', { retries: 2 })], answer })
      await expect(finished).rejects.toThrow(error.message)
      return asked.length
    }

    expect(await times(failing)).toBe(3)
    expect(await times(new ServiceError('no_capable_model', 'None can.'))).toBe(1)
  })

  test('are replaced by the fallback, but a spent budget is not', async () => {
    const run = (error: ServiceError) =>
      start({
        steps: [prompt('a', { fallback: 'instead' })],
        answer: () => {
          throw error
        },
      }).finished

    expect((await run(failing)).text).toBe('instead')
    await expect(run(new ServiceError('budget_exceeded', 'Spent.'))).rejects.toThrow('Spent.')
  })

  test('of a template are the caller’s, and quote nothing of what was filled in', async () => {
    const json_schema = { type: 'object' }
    const steps = [
      prompt('a', { json_schema }),
      prompt('b', { needs: ['a'], user: '{{ steps.a.json.secret.part }}' }),
    ]

    await expect(start({ steps, answer: () => '{"secret": {}}' }).finished).rejects.toMatchObject({
      code: 'invalid_parameter',
      param: 'b',
      message:
        'Step "b" cannot be filled in: undefined variable: steps.a.json.secret.part, line:1, col:4',
    })
  })
})

describe('limits', () => {
  test('a step that takes too long is cut off', async () => {
    const steps = [prompt('a', { time_limit_seconds: 0.05 })]
    const { finished } = start({ steps, answer: after(5_000) })

    await expect(finished).rejects.toMatchObject({
      code: 'all_models_unavailable',
      param: 'a',
      message: 'Step "a": it took longer than 0.05 s',
    })
  })

  test('no more models are asked than the agent may', async () => {
    const steps = [{ id: 'm', type: 'map', over: '(1..9)', steps: [prompt('p')] }]
    const { finished, asked } = start({ steps, answer: echo, limits: { max_steps: 5 } })

    await expect(finished).rejects.toMatchObject({
      code: 'budget_exceeded',
      status: 402,
      param: 'p',
      message: 'Step "p": agent:a may ask models 5 times.',
    })
    expect(asked).toHaveLength(5)
  })

  test('an agent that is called has limits of its own, and counts in those of the caller', async () => {
    const inner = agentOf({
      name: 'inner',
      limits: { max_steps: 2 },
      steps: [{ id: 'm', type: 'map', over: '(1..9)', steps: [prompt('p')] }],
    })
    const steps = [{ id: 'call', type: 'agent', agent: 'inner' }]

    await expect(start({ steps, answer: echo, others: [inner] }).finished).rejects.toThrow(
      'agent:inner may ask models 2 times',
    )
    const tight = start({ steps, answer: echo, others: [inner], limits: { max_steps: 1 } })
    await expect(tight.finished).rejects.toThrow('agent:a may ask models 1 times')
  })

  test('an execution that takes too long is cut off', async () => {
    const { finished } = start({
      steps: [prompt('a', { fallback: 'x' })],
      answer: after(5_000),
      limits: { max_seconds: 0.05 },
    })

    await expect(finished).rejects.toMatchObject({
      code: 'budget_exceeded',
      param: 'a',
      message: 'Step "a": agent:a has 0.05 s.',
    })
  })

  test('a caller that goes away ends every step at once, and is told its own reason', async () => {
    const controller = new AbortController()
    const ids = ['a', 'b', 'c']
    const steps = [...ids.map((id) => prompt(id)), prompt('end', { needs: ids })]
    const { finished, asked } = start({ steps, answer: after(5_000), signal: controller.signal })
    await vi.waitFor(() => expect(asked).toHaveLength(3))
    const abortedAt = performance.now()
    controller.abort(new ClientClosed())

    await expect(finished).rejects.toBeInstanceOf(ClientClosed)
    expect(performance.now() - abortedAt).toBeLessThan(100)
    expect(asked).toHaveLength(3)
  })
})

describe('the text as it comes', () => {
  const heard = async (steps: object[], answer: Answers = echo) => {
    const texts: string[] = []
    const onText = async (text: string) => void texts.push(text)
    const { text } = await start({ steps, answer, onText }).finished
    return { texts, text }
  }

  test.each([
    ['a prompt', [prompt('a'), prompt('b', { needs: ['a'] })], ['<b>']],
    [
      'the chosen way of a branch',
      [{ id: 'w', type: 'branch', cases: [{ when: 'true', steps: [prompt('a')] }] }],
      ['<a>'],
    ],
    [
      'a judge that merges',
      [
        {
          id: 'j',
          type: 'judge',
          candidates: 2,
          mode: 'merge',
          candidate: { user: 'c' },
          judge: { user: 'm' },
        },
      ],
      ['<m>'],
    ],
    ['a map', [{ id: 'm', type: 'map', over: '(1..2)', steps: [prompt('a')] }], []],
    ['a loop', [{ id: 'l', type: 'loop', max_iterations: 1, steps: [prompt('a')] }], []],
  ])('is told of the last step, where it is %s: %#', async (_what, steps, expected) => {
    expect((await heard(steps)).texts).toEqual(expected)
  })

  test('is not told of JSON, which is read whole first', async () => {
    const { texts, text } = await heard([prompt('a', { json_schema: {} })], () => '7')

    expect({ texts, text }).toEqual({ texts: [], text: '7' })
  })

  test('once some of it was told, the step is neither tried again nor replaced', async () => {
    const answer = vi.fn<Answers>(async ({ onText }) => {
      await onText?.('half')
      throw failing
    })
    const steps = [prompt('a', { retries: 3, fallback: 'whole' })]

    await expect(start({ steps, answer, onText: async () => {} }).finished).rejects.toThrow('None')
    expect(answer).toHaveBeenCalledTimes(1)
  })
})

test('what the engine itself takes is less than 2 ms a step', async () => {
  const steps = Array.from({ length: 50 }, (_, index) =>
    prompt(`s${index}`, {
      needs: index === 0 ? [] : [`s${index - 1}`],
      user: index === 0 ? '{{ input }}' : `{{ steps.s${index - 1}.output }}`,
    }),
  )
  await start({ steps, answer: () => 'warm' }).finished
  const startedAt = performance.now()
  await start({ steps, answer: () => 'x' }).finished

  expect((performance.now() - startedAt) / 50).toBeLessThan(2)
})

test('200 graphs drawn by chance end within their limits, whatever the models do', async () => {
  const outcomes = await Promise.all(
    Array.from({ length: 200 }, async (_, seed) => {
      const chance = seeded(seed)
      const { limits, steps } = randomAgent(chance, 'a', ['inner'])
      const inner = agentOf({ ...randomAgent(chance, 'inner'), name: 'inner' })
      const answer: Answers = async (question, signal) => {
        await after(chance.below(4))(question, signal)
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
