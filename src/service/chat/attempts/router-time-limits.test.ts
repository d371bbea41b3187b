import { expect, test } from 'vitest'
import { sampleRouter } from '../../../../test/storage/samples.ts'
import { defaultTimeLimits } from '../../../shared/time-limits.ts'
import { createTimeLimits } from './router-time-limits.ts'

test('what a router does not set has its default', () => {
  const limitsOf = createTimeLimits({ totalMs: 9_000 })

  expect(limitsOf(sampleRouter(), false)).toEqual({ ...defaultTimeLimits, totalMs: 9_000 })
})

test('what it sets counts', () => {
  const timeLimits = { connectMs: 100, firstTokenMs: 200, betweenChunksMs: 300, totalMs: 400 }
  const limitsOf = createTimeLimits({ totalMs: 9_000 })

  expect(limitsOf(sampleRouter({ timeLimits }), false)).toEqual(timeLimits)
})

test('the local model may think for as long as the whole answer may take, unless it is told', () => {
  const limitsOf = createTimeLimits({})
  const told = sampleRouter({ timeLimits: { firstTokenMs: 200 } })

  expect(limitsOf(sampleRouter({ timeLimits: { totalMs: 70_000 } }), true).firstTokenMs).toBe(
    70_000,
  )
  expect(limitsOf(told, true).firstTokenMs).toBe(200)
})

test('they are put together once for a router', () => {
  const limitsOf = createTimeLimits({})
  const router = sampleRouter()

  expect(limitsOf(router, false)).toBe(limitsOf(router, false))
})
