import { expect, test, vi } from 'vitest'
import { ledgerLimits, startRetention, type RetentionSettings } from './retention.ts'
import type { LedgerLimits } from '../storage/storage.ts'

const noon = Date.UTC(2026, 10, 21, 12)
const day = (text: string) => Date.parse(`${text}T00:00:00Z`)

const defaults: RetentionSettings = {
  keepRequestsDays: 90,
  keepMinutesDays: 2,
  keepHoursDays: 90,
  databaseLimitMib: 2048,
}

function start(
  prune: (limits: LedgerLimits) => Promise<boolean>,
  pruneContents: (nowMs: number) => Promise<boolean> = () => Promise.resolve(true),
) {
  const errors: unknown[] = []
  const pruneRefusals = vi.fn<() => Promise<void>>(() => Promise.resolve())
  const pruneUnexpected = vi.fn<(beforeMs: number) => Promise<void>>(() => Promise.resolve())
  const retention = startRetention({
    ledger: { prune },
    contents: { prune: pruneContents },
    refusals: { prune: pruneRefusals },
    unexpectedCalls: { prune: pruneUnexpected },
    settings: () => defaults,
    now: () => noon,
    onError: (error) => errors.push(error),
  })
  return { retention, errors, pruneRefusals, pruneUnexpected }
}

test('keeps every promised day completely', () => {
  expect(ledgerLimits({ ...defaults, keepRequestsDays: 30, databaseLimitMib: 100 }, noon)).toEqual({
    rowsBeforeMs: day('2026-10-22'),
    minutesBeforeMs: day('2026-11-19'),
    hoursBeforeMs: day('2026-08-23'),
    maxBytes: 104_857_600,
    keptSinceMs: day('2026-11-20'),
  })
})

test('deletes until nothing is left, and again every hour', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const answers = [false, false, true]
  const prune = vi.fn<(limits: LedgerLimits) => Promise<boolean>>(() =>
    Promise.resolve(answers.shift() ?? true),
  )
  const { retention, errors, pruneRefusals, pruneUnexpected } = start(prune)
  await expect.poll(() => prune).toHaveBeenCalledTimes(3)
  vi.advanceTimersByTime(3_600_000)
  await expect.poll(() => prune).toHaveBeenCalledTimes(4)
  await retention.close()
  expect(pruneRefusals).toHaveBeenCalledTimes(2)
  // As long as the rows of the ledger.
  expect(pruneUnexpected.mock.calls).toEqual([[day('2026-08-23')], [day('2026-08-23')]])
  vi.useRealTimers()
  expect(errors).toEqual([])
})

test('reports a failure and tries again the next hour', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const prune = vi.fn<(limits: LedgerLimits) => Promise<boolean>>(() =>
    Promise.reject(new Error('disk is full')),
  )
  const { retention, errors } = start(prune)
  await expect.poll(() => errors).toHaveLength(1)
  vi.advanceTimersByTime(3_600_000)
  await expect.poll(() => errors).toHaveLength(2)
  await retention.close()
  vi.useRealTimers()
})

test('stops between two slices', async () => {
  const prune = vi.fn<(limits: LedgerLimits) => Promise<boolean>>(() => Promise.resolve(false))
  const { retention, errors } = start(prune)
  await expect.poll(() => prune).toHaveBeenCalled()
  await retention.close()
  const slices = prune.mock.calls.length
  await new Promise((resolve) => {
    setTimeout(resolve, 100)
  })
  expect(prune).toHaveBeenCalledTimes(slices)
  expect(errors).toEqual([])
})

test('also deletes old contents until none is left', async () => {
  const answers = [false, false, true]
  const pruneContents = vi.fn<(nowMs: number) => Promise<boolean>>(() =>
    Promise.resolve(answers.shift() ?? true),
  )
  const { retention, errors } = start(() => Promise.resolve(true), pruneContents)
  await expect.poll(() => pruneContents).toHaveBeenCalledTimes(3)
  await retention.close()
  expect(pruneContents).toHaveBeenCalledWith(noon)
  expect(errors).toEqual([])
})
