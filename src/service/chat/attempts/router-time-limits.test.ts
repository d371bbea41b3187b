import { expect, test } from 'vitest'
import { sampleRouter } from '../../../../test/storage/samples.ts'
import { defaultTimeLimits } from '../../../shared/routers/time-limits.ts'
import { createTimeLimits } from './router-time-limits.ts'

test('a limit that a router does not set has its default', () => {
  const limitsOf = createTimeLimits({ totalMs: 9_000 })

  expect(limitsOf(sampleRouter(), false)).toEqual({ ...defaultTimeLimits, totalMs: 9_000 })
})

test('a limit that a router sets overrides the default', () => {
  const timeLimits = { connectMs: 100, firstTokenMs: 200, betweenChunksMs: 300, totalMs: 400 }
  const limitsOf = createTimeLimits({ totalMs: 9_000 })

  expect(limitsOf(sampleRouter({ timeLimits }), false)).toEqual(timeLimits)
})

test('the local model’s first token may take as long as the whole answer, unless the router sets a limit', () => {
  const limitsOf = createTimeLimits({})
  const told = sampleRouter({ timeLimits: { firstTokenMs: 200 } })

  expect(limitsOf(sampleRouter({ timeLimits: { totalMs: 70_000 } }), true).firstTokenMs).toBe(
    70_000,
  )
  expect(limitsOf(told, true).firstTokenMs).toBe(200)
})

test('limits are merged once per router', () => {
  const limitsOf = createTimeLimits({})
  const router = sampleRouter()

  expect(limitsOf(router, false)).toBe(limitsOf(router, false))
})
