import { expect, test } from 'vitest'
import { seeded } from '../../../../test/agents/random.ts'
import { shareTests } from './model-evidence.ts'
import { afterAnswer, newState, raisesAlarm, type ShareTest } from './sequential-test.ts'

/** @returns the answer at which the alarm came; null for none */
function alarmAfter(sequential: ShareTest, answers: number, deviates: (index: number) => boolean) {
  let state = newState(sequential)
  for (let index = 0; index < answers; index += 1) {
    state = afterAnswer(sequential, state, deviates(index))
    if (raisesAlarm(state)) return index + 1
  }
  return null
}

test.each(Object.entries(shareTests))(
  '%s: the highest honest share raises no alarm',
  (_, sequential) => {
    const chance = seeded(1)
    expect(alarmAfter(sequential, 200_000, () => chance.isTrue(sequential.honest))).toBeNull()
  },
)

test.each([
  ['named', 3],
  ['promptTokens', 9],
  ['reasoning', 21],
  ['logprobs', 7],
] as const)('%s: answers that all deviate raise it after %i', (check, most) => {
  expect(alarmAfter(shareTests[check], 100, () => true)).toBeLessThanOrEqual(most)
})

test('a change after a year of honest answers is found as fast', () => {
  const honest = 300_000
  const found = alarmAfter(shareTests.named, honest + 100, (index) => index >= honest)
  expect(found).toBeLessThanOrEqual(honest + 3)
})

test('one wrong name in a long time is no alarm', () => {
  expect(alarmAfter(shareTests.named, 100_000, (index) => index % 20_000 === 5)).toBeNull()
})
