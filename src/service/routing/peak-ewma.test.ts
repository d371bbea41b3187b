import { beforeEach, expect, test } from 'vitest'
import { PeakEwma } from './peak-ewma.ts'

const model = 'openai:gpt'
let nowMs = 0
let loads: PeakEwma

beforeEach(() => {
  nowMs = 1_000
  loads = new PeakEwma(() => nowMs)
})

test('a deployment without requests counts as one second', () => {
  expect(loads.loadOf(model, true)).toBe(1_000)
})

test('a slower answer counts immediately', () => {
  loads.answered(model, true, 200)
  loads.answered(model, true, 900)

  expect(loads.loadOf(model, true)).toBe(900)
})

test('a faster answer counts gradually', () => {
  loads.answered(model, true, 900)
  nowMs += 1_000
  loads.answered(model, true, 100)

  expect(loads.loadOf(model, true)).toBeCloseTo(100 + 800 * Math.exp(-0.1))
})

test('requests in progress multiply the load', () => {
  loads.answered(model, true, 300)
  loads.began(model)
  loads.began(model)
  expect(loads.loadOf(model, true)).toBe(900)

  loads.ended(model)
  expect(loads.loadOf(model, true)).toBe(600)
})

test('streams and whole answers are measured separately', () => {
  loads.answered(model, true, 300)
  loads.answered(model, false, 9_000)

  expect(loads.loadOf(model, true)).toBe(300)
  expect(loads.loadOf(model, false)).toBe(9_000)
})

test('a deployment that fails fast counts as slow', () => {
  loads.answered(model, true, 5)
  loads.failed(model, null)

  expect(loads.loadOf(model, true)).toBe(10_000)
})

test('a longer retry-after causes a greater penalty', () => {
  loads.failed(model, 60_000)

  expect(loads.loadOf(model, true)).toBe(60_000)
})

test('a second failure does not shorten the penalty of the first', () => {
  loads.failed(model, 60_000)
  loads.failed(model, null)

  expect(loads.loadOf(model, true)).toBe(60_000)
})

test('a failure is remembered for a minute', () => {
  expect(loads.hasFailed(model)).toBe(false)
  loads.failed(model, null)
  nowMs += 55_000
  expect(loads.hasFailed(model)).toBe(true)
  nowMs += 10_000
  expect(loads.hasFailed(model)).toBe(false)
})

test('penalties and peaks fade, so that the deployment is tried again', () => {
  loads.answered(model, true, 30_000)
  loads.failed(model, 60_000)
  nowMs += 100_000

  expect(loads.loadOf(model, true)).toBeLessThan(10)
})
