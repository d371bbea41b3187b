/**
 * A disk that fills up and a disk whose fsync fails, under the built service with strict durability. strace makes the
 * calls fail, and a small tmpfs is the disk: both need Linux, and the second one root.
 */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import Sqlite from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import type { Measurement } from '../bench/measurement.ts'
import { row } from '../bench/row.ts'
import { startServer, stop } from '../bench/servers/start.ts'
import { askSteadily, type SteadyAnswer } from '../bench/steady-load.ts'
import { openOwnWorkspace, startModelport } from '../bench/targets.ts'
import { expectMeasured, tortureTimeoutMs } from '../test/torture/amounts.ts'

const requestsPerSecond = 40
const faultMs = 5_000
const aroundMs = 3_000
const recoveryMs = 5_000
/** Size of the disk: enough for the database, its log and the certificates of a new service. */
const diskMib = 24

interface Outcome {
  answers: SteadyAnswer[]
  /** Time from the end of the fault to the first answer; NaN when there was none. */
  recoveredAfterMs: number
  missingRows: number
  isSound: boolean
}

test('a failing fsync loses no answered request', { timeout: tortureTimeoutMs }, async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'modelport-fsync-'))
  onTestFinished(() => rm(dataDir, { recursive: true }))
  const outcome = await runWith(dataDir, failFsync)
  expect(outcome.isSound).toBe(true)
  expectMeasured(rowsOf('failing fsync', outcome))
})

test('a full disk loses no answered request', { timeout: tortureTimeoutMs }, async () => {
  const disk = await mkdtemp(join(tmpdir(), 'modelport-disk-'))
  onTestFinished(() => rm(disk, { recursive: true }))
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${diskMib}m`, 'tmpfs', disk])
  onTestFinished(() => void execFileSync('umount', ['-l', disk]))
  const outcome = await runWith(disk, fillDisk)
  expect(outcome.isSound).toBe(true)
  expectMeasured(rowsOf('full disk', outcome))
})

/** Makes the disk fail for a while. @param pid  of the service */
type Fault = (pid: number, dataDir: string) => Promise<void>

async function failFsync(pid: number): Promise<void> {
  const calls = 'fsync,fdatasync'
  const inject = ['fsync', 'fdatasync'].flatMap((call) => ['-e', `inject=${call}:error=EIO`])
  const args = [
    '-f',
    '-qq',
    '-o',
    '/dev/null',
    '-p',
    String(pid),
    '-e',
    `trace=${calls}`,
    ...inject,
  ]
  const strace = spawn('strace', args, { stdio: 'ignore' })
  const exited = once(strace, 'exit')
  await pause(faultMs)
  strace.kill('SIGINT')
  await exited
}

async function fillDisk(_pid: number, dataDir: string): Promise<void> {
  const filler = join(dataDir, 'filler')
  // The last write fails, with the disk full to the last byte.
  await writeFile(filler, Buffer.alloc(diskMib << 20)).catch(() => {})
  await pause(faultMs)
  await rm(filler)
}

async function runWith(dataDir: string, fault: Fault): Promise<Outcome> {
  const upstream = await startServer('upstream.ts')
  const service = await startModelport(dataDir, `http://127.0.0.1:${upstream.port}`, {
    settings: { durability: 'strict' },
  })
  const { target } = service
  const asking = askSteadily(target, requestsPerSecond, aroundMs + faultMs + recoveryMs + aroundMs)
  await pause(aroundMs)
  await fault(target.pid, dataDir)
  const endedAt = performance.now()
  let recoveredAfterMs = NaN
  while (Number.isNaN(recoveredAfterMs) && performance.now() - endedAt < 2 * recoveryMs) {
    const [answer] = await askSteadily(target, 1_000, 1)
    if (answer?.isRight === true) recoveredAfterMs = performance.now() - endedAt
    else await pause(50)
  }
  const answers = await asking
  await stop(service.child)
  await stop(upstream.child)
  return { answers, recoveredAfterMs, ...(await readDatabase(dataDir, answers)) }
}

async function readDatabase(dataDir: string, answers: readonly SteadyAnswer[]) {
  const workspace = await openOwnWorkspace(dataDir)
  const rows = await workspace.storage.ledger.list({ limit: 10_000 })
  await workspace.close()
  const db = new Sqlite(join(dataDir, 'modelport.db'), { readonly: true })
  const isSound = db.pragma('integrity_check', { simple: true }) === 'ok'
  db.close()
  const ids = new Set(rows.map(({ id }) => id))
  const missingRows = answers.filter(({ id, isRight }) => isRight && !ids.has(id)).length
  return { missingRows, isSound }
}

function rowsOf(what: string, outcome: Outcome): Measurement[] {
  const { answers, recoveredAfterMs, missingRows, isSound } = outcome
  const refused = answers.filter(({ isRight }) => !isRight).length
  return [
    row(`${what}: whole answers`, [answers.length - refused, ''], { target: { atLeast: 100 } }),
    row(`${what}: of these without a row`, [missingRows, ''], { target: { atMost: 0 } }),
    row(`${what}: refused meanwhile`, [refused, ''], { target: { atLeast: 1 } }),
    row(`${what}: first answer after it`, [recoveredAfterMs, 'ms'], {
      target: { atMost: recoveryMs },
    }),
    row(`${what}: damaged databases`, [isSound ? 0 : 1, ''], { target: { atMost: 0 } }),
  ]
}
