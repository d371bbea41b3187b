import { expect, test } from 'vitest'
import { addUp, countPlaywright, countStage, countVitest } from '../../scripts/test-counts.mjs'

const allPassed = { passed: 3, failed: 0, skipped: 0, failures: [] }

test('counts and names of failed tests are read from both runners', () => {
  const vitest = { passed: 7, failed: 1, skipped: 3, failures: ['src/a.test.ts › adds: 1 is 2'] }
  const playwright = {
    stats: { expected: 4, unexpected: 2, flaky: 1, skipped: 1 },
    suites: [
      {
        specs: [
          { ok: false, file: 'b.spec.ts', line: 3, title: 'opens' },
          { ok: true, file: 'b.spec.ts', line: 9, title: 'closes' },
        ],
        suites: [{ specs: [{ ok: false, file: 'b.spec.ts', line: 20, title: 'a link' }] }],
      },
    ],
  }

  expect(addUp([countVitest(vitest), countPlaywright(playwright)])).toEqual({
    passed: 12,
    failed: 3,
    skipped: 4,
    failures: [
      'src/a.test.ts › adds: 1 is 2',
      'e2e/b.spec.ts:3 › opens',
      'e2e/b.spec.ts:20 › a link',
    ],
  })
})

test('a stage that passed keeps its counts', () => {
  expect(countStage({ name: 'Check', counts: allPassed, exitCode: 0 })).toEqual(allPassed)
})

test('a type error before the first test counts as one failure', () => {
  expect(countStage({ name: 'Check', counts: countVitest(null), exitCode: 2 })).toMatchObject({
    failed: 1,
  })
})

test('a runner that crashed after passed tests counts as one failure', () => {
  expect(countStage({ name: 'Check', counts: allPassed, exitCode: 1 })).toEqual({
    passed: 3,
    failed: 1,
    skipped: 0,
    failures: ['Check: exit code 1 without a failed test; its messages are above'],
  })
})

test('a stage that ran no test is a failure even if it reports success', () => {
  expect(
    countStage({ name: 'Check', counts: countPlaywright({ stats: {} }), exitCode: 0 }),
  ).toMatchObject({
    failed: 1,
  })
})

test('a failed test is not counted twice', () => {
  const oneFailed = { passed: 2, failed: 1, skipped: 0, failures: ['src/a.test.ts › adds: 1 is 2'] }

  expect(countStage({ name: 'Check', counts: oneFailed, exitCode: 1 })).toEqual(oneFailed)
})
