import { getEventListeners } from 'node:events'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { AttemptTimer } from './attempt-timer.ts'

const limits = { connectMs: 5_000, firstTokenMs: 30_000, betweenChunksMs: 60_000, totalMs: 600_000 }
let caller: AbortController

beforeEach(() => {
  vi.useFakeTimers()
  caller = new AbortController()
})

afterEach(() => {
  vi.useRealTimers()
})

function startTimer(isStreamed = true): AttemptTimer {
  return new AttemptTimer({ limits, isStreamed, signal: caller.signal })
}

const firstToken = { kind: 'timeout', message: 'the first token took longer than 30 s' }
const nextPart = { kind: 'timeout', message: 'the next part of the answer took longer than 60 s' }
const wholeAnswer = { kind: 'timeout', message: 'the answer took longer than 600 s' }

test('a stream without a first token is aborted when its limit passes', () => {
  const timer = startTimer()

  vi.advanceTimersByTime(29_999)
  expect(timer.signal.aborted).toBe(false)

  vi.advanceTimersByTime(1)
  expect(timer.signal.reason).toMatchObject(firstToken)
})

test('an empty chunk is not the first token', () => {
  const timer = startTimer()

  vi.advanceTimersByTime(20_000)
  timer.arrived(false)
  timer.waits()
  vi.advanceTimersByTime(10_000)

  expect(timer.signal.reason).toMatchObject(firstToken)
})

test('each chunk restarts the limit for the next one', () => {
  const timer = startTimer()
  for (const waitMs of [10_000, 59_999, 59_999]) {
    vi.advanceTimersByTime(waitMs)
    timer.arrived(true)
    timer.waits()
  }
  expect(timer.signal.aborted).toBe(false)

  vi.advanceTimersByTime(60_000)
  expect(timer.signal.reason).toMatchObject(nextPart)
})

test('the time of a slow reader does not count against the upstream', () => {
  const timer = startTimer()
  timer.arrived(true)
  vi.advanceTimersByTime(300_000)
  timer.waits()
  vi.advanceTimersByTime(59_999)
  expect(timer.signal.aborted).toBe(false)

  vi.advanceTimersByTime(1)
  expect(timer.signal.reason).toMatchObject(nextPart)
})

test('an answer in one piece has only the total limit', () => {
  const timer = startTimer(false)

  vi.advanceTimersByTime(599_999)
  expect(timer.signal.aborted).toBe(false)

  vi.advanceTimersByTime(1)
  expect(timer.signal.reason).toMatchObject(wholeAnswer)
})

test('a stream that never ends is aborted by the total limit', () => {
  const timer = startTimer()
  for (let second = 0; second < 600; second += 1) {
    timer.arrived(true)
    timer.waits()
    vi.advanceTimersByTime(1_000)
  }

  expect(timer.signal.reason).toMatchObject(wholeAnswer)
})

test('a caller that disconnects aborts with the caller’s reason', () => {
  const timer = startTimer()

  caller.abort(new Error('gone'))

  expect(timer.signal.reason).toEqual(new Error('gone'))
})

test('a caller that has already disconnected aborts at once', () => {
  caller.abort(new Error('gone'))

  expect(startTimer().signal.reason).toEqual(new Error('gone'))
})

test('the end leaves no timer and no listener', () => {
  const timer = startTimer()
  timer.arrived(true)
  timer.waits()

  timer.end()

  expect(vi.getTimerCount()).toBe(0)
  expect(getEventListeners(caller.signal, 'abort')).toEqual([])
})
