import { randomUUID } from 'node:crypto'
import { link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { SetupError } from './progress.mjs'

// The longest legitimate wait: another launcher that compiles and downloads everything over a slow connection.
const waitLimitMs = 30 * 60_000
const pollMs = 200

/**
 * The holders of a lock: the launcher and, while it runs, the command it started. A launcher killed with SIGKILL
 * leaves that command running, and the lock must hold while the command writes.
 * @typedef {{ token: string, pids: { pid: number, startedAt: string }[] }} LockHolder
 */

/**
 * Does the work while no other launcher works under the same lock file; waits for a launcher that does. The file
 * appears with its content in one step (`link`), so a half-written lock is never read.
 * @template T
 * @param {string} lockFile
 * @param {(holdAlsoFor: (pid: number) => void) => Promise<T>} work
 * @returns {Promise<T>}
 * @throws {SetupError} when the other launcher does not finish within half an hour
 */
export async function withLock(lockFile, work) {
  await mkdir(dirname(lockFile), { recursive: true })
  /** @type {LockHolder} */
  const holder = { token: randomUUID(), pids: [identify(process.pid)] }
  await acquire(lockFile, holder)
  try {
    return await work((pid) => {
      holder.pids.push(identify(pid))
      writeFileSync(`${lockFile}.${holder.token}`, JSON.stringify(holder))
      renameSync(`${lockFile}.${holder.token}`, lockFile)
    })
  } finally {
    if ((await readHolder(lockFile))?.token === holder.token) await rm(lockFile, { force: true })
  }
}

/**
 * @param {string} lockFile
 * @param {LockHolder} holder
 */
async function acquire(lockFile, holder) {
  const claimFile = `${lockFile}.${holder.token}`
  await writeFile(claimFile, JSON.stringify(holder))
  try {
    await claim(claimFile, lockFile)
  } finally {
    await rm(claimFile, { force: true })
  }
}

/**
 * @param {string} claimFile
 * @param {string} lockFile
 */
async function claim(claimFile, lockFile) {
  const deadlineMs = Date.now() + waitLimitMs
  let isAnnounced = false
  while (!(await linkIfFree(claimFile, lockFile))) {
    const other = await readHolder(lockFile)
    const running = other?.pids.filter(isRunning) ?? []
    if (other && running.length === 0) {
      await removeStale(lockFile, other)
      continue
    }
    // To standard error, because a setup script may print its result on standard output.
    if (!isAnnounced) process.stderr.write(`… waiting for ${describe(running)}\n`)
    isAnnounced = true
    if (Date.now() > deadlineMs) throw waitedTooLong(lockFile, running)
    await sleep(pollMs)
  }
}

/**
 * @param {string} claimFile
 * @param {string} lockFile
 */
async function linkIfFree(claimFile, lockFile) {
  try {
    await link(claimFile, lockFile)
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw error
  }
}

/**
 * Renames the file before deleting it: of two launchers that saw the same dead holder, only one gets the file. A
 * launcher that renamed a new lock by mistake restores it.
 * @param {string} lockFile
 * @param {LockHolder} dead
 */
async function removeStale(lockFile, dead) {
  const grabbed = `${lockFile}.${randomUUID()}`
  try {
    await rename(lockFile, grabbed)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return
    throw error
  }
  if ((await readHolder(grabbed))?.token !== dead.token) await linkIfFree(grabbed, lockFile)
  await rm(grabbed, { force: true })
}

/**
 * @param {string} lockFile
 * @returns {Promise<LockHolder | null>}
 */
async function readHolder(lockFile) {
  try {
    // Written only by this file, and always complete (see `withLock`).
    return /** @type {LockHolder} */ (JSON.parse(await readFile(lockFile, 'utf8')))
  } catch {
    return null
  }
}

/**
 * A process id may belong to another program by now; together with the start time it is unique.
 * @param {number} pid
 */
function identify(pid) {
  return { pid, startedAt: readStartTime(pid) }
}

/** @param {{ pid: number, startedAt: string }} process_ */
function isRunning({ pid, startedAt }) {
  try {
    process.kill(pid, 0)
  } catch (error) {
    // EPERM: it runs, but belongs to someone else.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
  return readStartTime(pid) === startedAt
}

/**
 * @param {number} pid
 * @returns {string} field 22 of /proc/PID/stat (clock ticks since boot), empty where there is no /proc
 */
function readStartTime(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The second field, the program's name, may contain spaces: count from its closing bracket.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? ''
  } catch {
    return ''
  }
}

/**
 * @param {string} lockFile
 * @param {LockHolder['pids']} running
 */
function waitedTooLong(lockFile, running) {
  return new SetupError(`Waited half an hour for ${describe(running)}.`, {
    wayOut: `end that process, or delete ${lockFile} if it is not a launcher.`,
  })
}

/** @param {LockHolder['pids']} running */
function describe(running) {
  return `another launcher (process ${running.map(({ pid }) => pid).join(', ')})`
}
