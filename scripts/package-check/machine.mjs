/** A root that systemd runs as if it had booted, in namespaces of its own but on this machine's network. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { SetupError } from '../setup/progress.mjs'
import { runCommand } from '../setup/run-command.mjs'

const bootMs = 60_000
const powerOffMs = 20_000

/** @typedef {{ inside: (command: readonly string[]) => string[], run: (command: readonly string[]) => Promise<string> }} Machine */

/**
 * Boots the root, calls `work`, and powers it off.
 * @param {string} root
 * @param {(machine: Machine) => Promise<void>} work
 */
export async function withMachine(root, work) {
  const args = ['--quiet', '--boot', '--register=no', '--keep-unit', '--link-journal=no']
  const child = spawn('systemd-nspawn', [...args, '--console=pipe', `--directory=${root}`], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (/** @type {Buffer} */ text) => (output += text.toString()))
  const kill = () => child.kill('SIGKILL')
  process.once('exit', kill)
  const ended = once(child, 'exit')
  try {
    const systemd = await Promise.race([findSystemd(child.pid ?? 0), ended.then(() => null)])
    if (systemd === null) throw new SetupError(`The root did not boot.\n${output.slice(-2_000)}`)
    await work(machineOf(systemd))
  } finally {
    child.kill('SIGTERM')
    await Promise.race([ended, sleep(powerOffMs, null, { ref: false })])
    kill()
    process.off('exit', kill)
  }
}

/** @param {string} systemd  its process id on this machine @returns {Machine} */
function machineOf(systemd) {
  /** @param {readonly string[]} command */
  const inside = (command) => ['nsenter', `--target=${systemd}`, '--all', '--', ...command]
  return {
    inside,
    run: (command) => {
      const [program = '', ...args] = inside(command)
      return runCommand({ command: program, args, cwd: '/' })
    },
  }
}

/**
 * Waits until everything has started.
 * @param {number} nspawn  a process id
 */
async function findSystemd(nspawn) {
  const endMs = Date.now() + bootMs
  while (Date.now() < endMs) {
    const file = `/proc/${nspawn}/task/${nspawn}/children`
    const children = await readFile(file, 'utf8').catch(() => '')
    const pid = children.trim().split(' ')[0]
    if (pid && (await hasBooted(pid))) return pid
    await sleep(200)
  }
  return null
}

/** @param {string} systemd */
async function hasBooted(systemd) {
  if ((await readFile(`/proc/${systemd}/comm`, 'utf8').catch(() => '')).trim() !== 'systemd')
    return false
  // Fails while the system starts, and when some other unit has failed.
  const command = ['sh', '-c', 'systemctl is-system-running || true']
  return /^(running|degraded)$/m.test(
    await machineOf(systemd)
      .run(command)
      .catch(() => ''),
  )
}
