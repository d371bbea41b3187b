import { expect, test } from 'vitest'
import type { ToolStep } from '../../shared/chat/tools.ts'
import { TurnLimits } from './turn-limits.ts'

const minuteMs = 60_000

function open() {
  const clock = { nowMs: 0 }
  return { clock, limits: new TurnLimits(() => clock.nowMs) }
}

// Only what the limits read.
const step = (over: Partial<ToolStep> = {}) =>
  ({ server: 'Files', tool: 'read', arguments: '{}', outcome: 'done', ...over }) as ToolStep

test('a turn asks after ten calls, and again after ten more', () => {
  const { limits } = open()
  for (let call = 0; call < 9; call += 1) limits.note(step(), `${call}`)
  expect(limits.question()).toBeNull()
  limits.note(step(), '9')
  expect(limits.question()).toMatchObject({ steps: 10 })
  limits.renew()
  expect(limits.question()).toBeNull()
})

test('a turn asks after a dollar', () => {
  const { limits } = open()
  limits.addCost(0.6)
  expect(limits.question()).toBeNull()
  limits.addCost(0.4)
  expect(limits.question()).toMatchObject({ costUsd: 1 })
})

test('a turn asks after ten minutes, without those that the user took to decide', () => {
  const { clock, limits } = open()
  clock.nowMs = 15 * minuteMs
  limits.addWaiting(6 * minuteMs)
  expect(limits.question()).toBeNull()
  clock.nowMs = 16 * minuteMs
  expect(limits.question()).toMatchObject({ minutes: 10 })
  limits.renew()
  clock.nowMs = 25 * minuteMs
  expect(limits.question()).toBeNull()
})

test('the third same result ends a turn; other results, arguments and tools do not', () => {
  const { limits } = open()
  for (const text of ['a', 'b', 'c', 'd']) limits.note(step(), text)
  for (const args of ['1', '2', '3']) limits.note(step({ arguments: args }), 'a')
  limits.note(step(), 'a')
  expect(() => limits.note(step(), 'a')).toThrow('the same result 3 times')
})

test('the third same error ends a turn, whatever the arguments; denied calls do not count', () => {
  const { limits } = open()
  for (let call = 0; call < 5; call += 1) limits.note(step({ outcome: 'denied' }), 'denied')
  limits.note(step({ outcome: 'failed', arguments: '1' }), 'No such file')
  limits.note(step({ outcome: 'failed', tool: 'write' }), 'No such file')
  limits.note(step({ outcome: 'unknown', arguments: '2' }), 'No such file')
  expect(() => limits.note(step({ outcome: 'failed', arguments: '3' }), 'No such file')).toThrow(
    'the same error 3 times',
  )
})
