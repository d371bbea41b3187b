/** Streams of text while the steps run. */
import { describe, expect, test, vi } from 'vitest'
import { echo, failing, prompt, start, type Answers } from '../../../test/agents/start-engine.ts'

describe('the stream of text', () => {
  const heard = async (steps: object[], answer: Answers = echo) => {
    const texts: string[] = []
    const onText = async (text: string) => void texts.push(text)
    const { text } = await start({ steps, answer, onText }).finished
    return { texts, text }
  }

  test.each([
    ['a prompt', [prompt('a'), prompt('b', { needs: ['a'] })], ['<b>']],
    [
      'the chosen case of a branch',
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
  ])('is the text of the last step, for %s: %#', async (_what, steps, expected) => {
    expect((await heard(steps)).texts).toEqual(expected)
  })

  test('has no JSON, which is read whole first', async () => {
    const { texts, text } = await heard([prompt('a', { json_schema: {} })], () => '7')

    expect({ texts, text }).toEqual({ texts: [], text: '7' })
  })

  test('rules out retries and fallbacks once it has started', async () => {
    const answer = vi.fn<Answers>(async ({ onText }) => {
      await onText?.('half')
      throw failing
    })
    const steps = [prompt('a', { retries: 3, fallback: 'whole' })]

    await expect(start({ steps, answer, onText: async () => {} }).finished).rejects.toThrow('None')
    expect(answer).toHaveBeenCalledTimes(1)
  })
})
