import { describe, expect, test } from 'vitest'
import { starterAnswers } from '../../../test/starter-set/starter-answers.ts'
import { domainNames } from '../../shared/app/domains.ts'
import { promptCheckSchema } from '../../shared/chat/prompt-check.ts'
import { gradeAnswer, problemOfCheck } from './checks/grade-answer.ts'
import { promptGrades, starterPrompts } from './starter-prompts.ts'

const answers = new Map(Object.entries(starterAnswers))
const prompts = starterPrompts()

const samples = prompts.map((prompt) => {
  const { right = '', wrong = [] } = answers.get(prompt.id) ?? {}
  return { ...prompt, right, wrong }
})

describe('the starter set', () => {
  test('has at least 150 prompts with different ids and texts', () => {
    expect(prompts.length).toBeGreaterThanOrEqual(150)
    expect(new Set(prompts.map(({ id }) => id)).size).toBe(prompts.length)
    expect(new Set(prompts.map(({ prompt }) => prompt)).size).toBe(prompts.length)
  })

  test('has at least four prompts for each domain and grade', () => {
    const counts = domainNames.flatMap((domain) =>
      promptGrades.map((grade) => {
        return prompts.filter((each) => each.domain === domain && each.grade === grade).length
      }),
    )
    expect(Math.min(...counts)).toBeGreaterThanOrEqual(4)
  })

  test('uses each type of check at least ten times, and none for half of the prompts', () => {
    const types = promptCheckSchema.options.map((option) => option.shape.type.value)
    const counts = types.map((type) => samples.filter(({ check }) => check.type === type).length)
    expect(Math.min(...counts)).toBeGreaterThanOrEqual(10)
    expect(Math.max(...counts)).toBeLessThan(prompts.length / 2)
  })

  test('has answers for exactly its prompts', () => {
    expect([...answers.keys()].toSorted()).toEqual(prompts.map(({ id }) => id).toSorted())
  })
})

describe.each(samples)('the check of $id', ({ check, right, wrong }) => {
  test('can be used', () => {
    expect(problemOfCheck(check)).toBeNull()
  })

  test('accepts a right answer', async () => {
    expect(await gradeAnswer(check, right)).toMatchObject({ score: 1 })
  })

  test('refuses three wrong answers', async () => {
    expect(wrong).toHaveLength(3)
    for (const answer of wrong) {
      const { score, reason } = await gradeAnswer(check, answer)
      expect({ answer, isRight: score === 1, reason }).toMatchObject({ isRight: false })
    }
  })
})
