/** How a failed step affects the rest of its agent. */
import { describe, expect, test } from 'vitest'
import { failing, pass, prompt, start, type Answers } from '../../../test/agents/start-engine.ts'
import { ServiceError } from '../errors.ts'

describe('failures', () => {
  test('end the execution with the step’s own status, code and id', async () => {
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

  test('cancel the other steps and end the agent once those have ended', async () => {
    const events: string[] = []
    const answer: Answers = async ({ stepId }, signal) => {
      if (stepId === 'a') throw failing
      await new Promise((resolve) => signal.addEventListener('abort', resolve))
      events.push('b cancelled')
      await pass(3)
      events.push('b ended')
      throw signal.reason
    }
    const steps = [prompt('a'), prompt('b'), prompt('c', { needs: ['a', 'b'] })]
    const failed = start({ steps, answer }).finished.finally(() => events.push('agent ended'))

    await expect(failed).rejects.toMatchObject({ param: 'a' })
    expect(events).toEqual(['b cancelled', 'b ended', 'agent ended'])
  })

  test('are retried as often as the step allows, except refused requests', async () => {
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

  test('are replaced by the fallback, except a spent budget', async () => {
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

  test('of a template are a 400 and never quote a value', async () => {
    const json_schema = { type: 'object' }
    const steps = [
      prompt('a', { json_schema }),
      prompt('b', { needs: ['a'], user: '{{ steps.a.json.secret.part }}' }),
    ]

    await expect(start({ steps, answer: () => '{"secret": {}}' }).finished).rejects.toMatchObject({
      code: 'invalid_parameter',
      param: 'b',
      message:
        'Step "b": the template failed: undefined variable: steps.a.json.secret.part, line:1, col:4',
    })
  })
})
