/** The order of steps, and the input and output of each type. */
import { describe, expect, test } from 'vitest'
import {
  agentOf,
  echo,
  pass,
  prompt,
  start,
  type Answers,
} from '../../../test/agents/start-engine.ts'

describe('the order of steps', () => {
  test('a step starts when the steps it needs have ended, and sees their outputs', async () => {
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

  test('steps that do not need each other run at the same time', async () => {
    const ids = ['a', 'b', 'c', 'd']
    const steps = [...ids.map((id) => prompt(id)), prompt('end', { needs: ids })]
    let release = () => {}
    const answer = new Promise<string>((resolve) => {
      release = () => resolve('x')
    })
    const { finished, asked } = start({ steps, answer: () => answer })

    await expect.poll(() => asked.map(({ stepId }) => stepId)).toEqual(ids)
    release()
    await finished
    expect(asked).toHaveLength(5)
  })

  test('a skipped step sends no request, and its output is empty', async () => {
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

test('a text step needs no model', async () => {
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

  test('is read with or without a code fence, and templates can use its parts', async () => {
    const steps = [
      prompt('a', { json_schema }),
      prompt('b', { needs: ['a'], user: '{{ steps.a.json.n }}' }),
    ]
    const answer: Answers = ({ stepId, user }) => (stepId === 'a' ? '```json\n{"n": 7}\n```' : user)

    expect((await start({ steps, answer }).finished).text).toBe('7')
  })

  test('that does not match is sent back once with the error', async () => {
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

  test('that does not match twice fails the step', async () => {
    const { finished, asked } = start({ steps: [prompt('a', { json_schema })], answer: echo })

    await expect(finished).rejects.toMatchObject({
      code: 'all_models_unavailable',
      param: 'a',
      message: expect.stringContaining('it is not JSON'),
    })
    expect(asked).toHaveLength(2)
  })
})

describe('steps that contain steps', () => {
  test('a branch runs the first case whose condition is true', async () => {
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

  test('a map runs its steps for each item with limited concurrency and keeps their order', async () => {
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
      await pass(Number(user.at(-1)))
      running -= 1
      return user
    }

    expect((await start({ steps, answer }).finished).text).toBe('0:3+1:1+2:2')
    expect(most).toBe(2)
  })

  test('a map refuses a value that is not a list and a list that is too long', async () => {
    const over = (list: string) =>
      start({
        steps: [{ id: 'm', type: 'map', over: list, max_items: 2, steps: [prompt('p')] }],
        answer: echo,
      }).finished

    await expect(over('input')).rejects.toMatchObject({ code: 'invalid_parameter', param: 'm' })
    await expect(over('(1..3)')).rejects.toThrow('the list has 3 items; max_items is 2')
  })

  test('a loop ends when its condition is true, and sees the previous pass', async () => {
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

  test('a judge picks a candidate by its number, or writes an answer', async () => {
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

  test('a called agent gets a text, and its step ids start with the calling step’s id', async () => {
    const inner = agentOf({ name: 'inner', steps: [prompt('p', { user: 'inner {{ input }}' })] })
    const steps = [{ id: 'call', type: 'agent', agent: 'inner', input: '{{ input }}!' }]
    const { finished, asked } = start({ steps, answer: echo, others: [inner] })

    expect((await finished).text).toBe('<inner hello!>')
    expect(asked.map(({ stepId, limits }) => [stepId, limits.length])).toEqual([['call/p', 2]])
  })

  test('agents that call each other endlessly are stopped by the depth limit', async () => {
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
