/** The log file: limited in size, complete across rotations, readable by its owner only. */
import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  mkdirSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openLog } from './log.ts'

const mib = 1024 * 1024

function newFolder() {
  const dataDir = mkdtempSync(join(tmpdir(), 'modelport-log-'))
  onTestFinished(() => rmSync(dataDir, { recursive: true }))
  const folder = join(dataDir, 'logs')
  return { dataDir, folder, file: join(folder, 'modelport.log') }
}

/** The numbers of the lines, from the oldest file to the newest. */
function numbersIn(folder: string): number[] {
  const names = readdirSync(folder).toSorted().toReversed()
  return names
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .flatMap((text) => text.trim().split('\n'))
    .map((line) => Number((JSON.parse(line) as { what: string }).what))
}

const filling = { filling: 'x'.repeat(mib / 8) }

/** Closing waits a second at most, which is too short for many lines on a slow disk. */
async function untilWritten(file: string, line: number): Promise<void> {
  await expect.poll(() => readFileSync(file, 'utf8').includes(`"what":"${line}"`)).toBe(true)
}

test('loses no line on rotation or at the end', async () => {
  const { dataDir, folder, file } = newFolder()
  const log = openLog(dataDir)

  for (let line = 0; line < 195; line += 1) log.noted(String(line), filling)
  await untilWritten(file, 194)
  for (let line = 195; line < 200; line += 1) log.noted(String(line), filling)
  await log.close()

  expect(readdirSync(folder).toSorted()).toEqual([
    'modelport.log',
    'modelport.log.1',
    'modelport.log.2',
  ])
  expect(numbersIn(folder)).toEqual(Array.from({ length: 200 }, (_, line) => line))
})

test('keeps the five newest files of 10 MiB, readable by their owner only', async () => {
  const { dataDir, folder, file } = newFolder()
  const log = openLog(dataDir)

  for (let line = 0; line < 650; line += 1) log.noted(String(line), filling)
  await untilWritten(file, 649)
  await log.close()

  const files = readdirSync(folder).map((name) => statSync(join(folder, name)))
  expect(files).toHaveLength(5)
  expect(files.map(({ mode }) => mode & 0o777)).toEqual(files.map(() => 0o600))
  expect(Math.max(...files.map(({ size }) => size))).toBeLessThan(10 * mib + mib / 4)
  expect(numbersIn(folder).at(-1)).toBe(649)
})

test('appends to the previous run’s file', async () => {
  const { dataDir, folder } = newFolder()
  const first = openLog(dataDir)
  first.noted('1', {})
  await first.close()
  const second = openLog(dataDir)
  second.noted('2', {})
  await second.close()

  expect(numbersIn(folder)).toEqual([1, 2])
})

test.skipIf(process.platform !== 'linux')('works again after a failed write', async () => {
  const { dataDir, folder, file } = newFolder()
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  mkdirSync(folder)
  symlinkSync('/dev/full', file)
  const log = openLog(dataDir)
  log.noted('0', {})
  // The stream has looked at the file and failed.
  await expect.poll(() => process.getActiveResourcesInfo()).not.toContain('FSReqPromise')
  unlinkSync(file)

  log.noted('1', {})
  vi.advanceTimersByTime(11_000)
  log.noted('2', {})
  await log.close()

  expect(numbersIn(folder)).toEqual([2])
})

test('writes an error that repeats once a minute, with the number of its repeats', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const { dataDir, file } = newFolder()
  const log = openLog(dataDir)
  const error = new Error('gone')
  for (let second = 0; second < 180; second += 1) {
    log.failed('configuration', error)
    log.failed('feedback', error)
    vi.advanceTimersByTime(1_000)
  }
  log.failed('http', error, 'request-1')
  log.failed('http', error, 'request-2')
  await log.close()

  const lines = readFileSync(file, 'utf8').trim().split('\n')
  const read = lines.map((line) => JSON.parse(line) as { where: string; repeats?: number })
  const written = read.map(({ where, repeats }) => [where, repeats])
  expect(written).toEqual([
    ...[undefined, 59, 59].flatMap((repeats) => [
      ['configuration', repeats],
      ['feedback', repeats],
    ]),
    ['http', undefined],
    ['http', undefined],
  ])
})

test('ignores a line after the end', async () => {
  const { dataDir, folder } = newFolder()
  const log = openLog(dataDir)
  log.noted('1', {})
  await log.close()

  log.noted('2', {})
  log.failed('late', new Error('late'))
  await log.close()

  expect(numbersIn(folder)).toEqual([1])
})
