import { expect, test } from 'vitest'
import { RefusedKeys } from './refused-keys.ts'

interface Line {
  what: string
  fields: Readonly<Record<string, string>>
}

function open() {
  const clock = { nowMs: 0 }
  const lines: Line[] = []
  const log = { noted: (what: string, fields: Line['fields']) => void lines.push({ what, fields }) }
  return { clock, lines, refused: new RefusedKeys({ log, now: () => clock.nowMs }) }
}

const lineOf = (sinceLastLine: number, sinceStart: number): Line => ({
  what: 'requests with a wrong API key refused',
  fields: { sinceLastLine: String(sinceLastLine), sinceStart: String(sinceStart) },
})

test('10,000 wrong keys within a minute are logged in two lines that add up', () => {
  const { lines, refused } = open()
  for (let count = 0; count < 10_000; count += 1) refused.add()
  refused.close()

  expect(refused.total).toBe(10_000)
  expect(lines).toEqual([lineOf(1, 1), lineOf(9_999, 10_000)])
})

test('each minute with a wrong key is logged in one line', () => {
  const { clock, lines, refused } = open()
  refused.add()
  refused.add()
  clock.nowMs = 60_000
  refused.add()
  refused.close()

  expect(lines).toEqual([lineOf(1, 1), lineOf(2, 3)])
})
