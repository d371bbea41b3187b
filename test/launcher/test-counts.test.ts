import { expect, test } from 'vitest'
import { addUp, countPlaywright, countStage, countVitest } from '../../scripts/test-counts.mjs'

const allPassed = { passed: 3, failed: 0, skipped: 0 }

test('the counts are read from both runners', () => {
  const vitest = { numPassedTests: 7, numFailedTests: 1, numPendingTests: 2, numTodoTests: 1 }
  const playwright = { stats: { expected: 4, unexpected: 2, flaky: 1, skipped: 1 } }

  expect(addUp([countVitest(vitest), countPlaywright(playwright)])).toEqual({
    passed: 12,
    failed: 3,
    skipped: 4,
  })
})

test('a stage that passed keeps its counts', () => {
  expect(countStage({ counts: allPassed, exitCode: 0 })).toEqual(allPassed)
})

test('a type error before the first test counts as one failure', () => {
  expect(countStage({ counts: countVitest(null), exitCode: 2 })).toMatchObject({ failed: 1 })
})

test('a runner that crashed after passed tests counts as one failure', () => {
  expect(countStage({ counts: allPassed, exitCode: 1 })).toMatchObject({ passed: 3, failed: 1 })
})

test('a stage that ran no test is a failure even if it reports success', () => {
  expect(countStage({ counts: countPlaywright({ stats: {} }), exitCode: 0 })).toMatchObject({
    failed: 1,
  })
})

test('a failed test is not counted twice', () => {
  const oneFailed = { passed: 2, failed: 1, skipped: 0 }

  expect(countStage({ counts: oneFailed, exitCode: 1 })).toEqual(oneFailed)
})
