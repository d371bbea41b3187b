import { beforeEach, expect, test } from 'vitest'
import { RetryBudget } from './retry-budget.ts'

let nowMs = 0
let budget: RetryBudget

beforeEach(() => {
  nowMs = 5_000_000
  budget = new RetryBudget(() => nowMs)
})

function deposit(requests: number): void {
  for (let request = 0; request < requests; request += 1) budget.deposit()
}

/** How many of `wanted` retries are allowed. */
function withdraw(wanted: number): number {
  return Array.from({ length: wanted }, () => budget.withdraw()).filter(Boolean).length
}

test('a quiet service has the reserve: ten retries for each of ten seconds', () => {
  expect(withdraw(1_000)).toBe(100)
})

test('every five requests allow one more retry', () => {
  deposit(1_000)

  expect(withdraw(1_000)).toBe(100 + 200)
})

test('the retries that requests allowed expire after ten seconds', () => {
  deposit(1_000)
  nowMs += 10_000

  expect(withdraw(1_000)).toBe(100)
})

test('a spent retry returns after ten seconds, not before', () => {
  withdraw(100)

  nowMs += 9_000
  expect(withdraw(1_000)).toBe(0)

  nowMs += 1_000
  expect(withdraw(1_000)).toBe(100)
})

test('a long pause resets everything', () => {
  deposit(500)
  withdraw(50)
  nowMs += 3_603_000

  expect(withdraw(1_000)).toBe(100)
})

test('under a steady load with every request failing, a fifth of it and the reserve is retried', () => {
  let retries = 0
  for (let second = 0; second < 60; second += 1) {
    deposit(200)
    retries += withdraw(200)
    nowMs += 1_000
  }

  expect(retries / 60).toBeCloseTo(0.2 * 200 + 10, -1)
})
