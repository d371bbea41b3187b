import { expect, test } from 'vitest'
import type { ExplainedReading } from '../../routing/candidate.ts'
import { TaskReadings } from './task-readings.ts'

/** Readings whose difficulty counts them. */
function reader() {
  let difficulty = 0
  return (): ExplainedReading => {
    difficulty += 1
    return { domains: [], topics: [], confidence: 1, gain: 0, difficulty, difficultyReasons: [] }
  }
}

const text = (lastUser: string) => ({ lastUser, system: '' })

test('a task is read once in a turn, and each agent’s apart', () => {
  const readings = new TaskReadings()
  const read = reader()
  const of = (identity: string, task: string) => readings.of(identity, text(task), read)?.difficulty

  expect([of('a', 'Fix it'), of('a', 'Fix it'), of('b', 'Fix it'), of('a', 'Now test it')]).toEqual(
    [1, 1, 2, 3],
  )
})

test('a request without a task keeps the reading before it, and has none without one', () => {
  const readings = new TaskReadings()
  const read = reader()

  const first = readings.of('a', text('Fix it'), read)

  expect(readings.of('a', text(''), read)).toBe(first)
  expect(readings.of('b', text(''), read)).toBeNull()
})

test('tasks that differ only where nothing is read count as the same length of material', () => {
  const readings = new TaskReadings()
  const read = reader()
  const task = (middle: string) => text(`${'a'.repeat(4_000)}${middle}${'b'.repeat(2_000)}`)

  expect(readings.of('a', task('one'), read)).toBe(readings.of('a', task('two'), read))
  expect(readings.of('a', task('three'), read)?.difficulty).toBe(2)
})

test('forgets the oldest of more than 2,000 agents', () => {
  const readings = new TaskReadings()
  const read = reader()
  for (let nth = 0; nth <= 2_000; nth += 1) readings.of(String(nth), text('Fix it'), read)

  expect(readings.of('1', text('Fix it'), read)?.difficulty).toBe(2)
  expect(readings.of('0', text('Fix it'), read)?.difficulty).toBe(2_002)
})
