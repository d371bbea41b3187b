/** The kernel's sandbox around the window's page, as /proc shows it. */
import { readdir, readFile, readlink } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { SetupError } from '../setup/progress.mjs'

const windowMs = 30_000

/**
 * Waits for the page's process.
 * @param {number} appPid
 * @returns {Promise<string>} by which means the process is confined
 * @throws {SetupError} when it is not
 */
export async function findConfinement(appPid) {
  const endMs = Date.now() + windowMs
  while (Date.now() < endMs) {
    const page = await findPage(appPid)
    // A process confines itself shortly after it starts.
    if (page !== null && /^Seccomp:\t2$/m.test(await statusOf(page))) return meansOf(page, appPid)
    await sleep(200)
  }
  throw new SetupError('The kernel does not confine the page: it has no seccomp filter.')
}

/** @param {string} page @param {number} appPid */
async function meansOf(page, appPid) {
  /** @param {string} kind */
  const isOwn = async (kind) =>
    (await readlink(`/proc/${page}/ns/${kind}`)) !== (await readlink(`/proc/${appPid}/ns/${kind}`))
  if (!(await isOwn('pid')))
    throw new SetupError('The page shares the process namespace of the app.')
  const means = (await isOwn('user')) ? 'user namespaces' : 'the setuid program chrome-sandbox'
  return `seccomp and ${means}`
}

/** @param {number} appPid @returns {Promise<string | null>} the page's process id */
async function findPage(appPid) {
  for (const pid of await readdir('/proc')) {
    const commandLine = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
    if (commandLine.includes('--type=renderer') && (await isBelow(pid, appPid))) return pid
  }
  return null
}

/** @param {string} pid @param {number} ancestor @returns {Promise<boolean>} */
async function isBelow(pid, ancestor) {
  const parent = /^PPid:\t(\d+)$/m.exec(await statusOf(pid))?.[1]
  if (parent === undefined || parent === '0') return false
  return Number(parent) === ancestor || isBelow(parent, ancestor)
}

/** @returns empty for a process that has ended @param {string} pid */
function statusOf(pid) {
  return readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
}
