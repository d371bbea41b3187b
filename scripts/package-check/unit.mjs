/** The systemd unit: systemd starts it in a Debian root, with every restriction that it names. */
import { existsSync } from 'node:fs'
import { cp, mkdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { SetupError, step } from '../setup/progress.mjs'
import { runInRoot } from './debian-root.mjs'
import { headlessDir, withHeadlessRoot } from './headless-root.mjs'
import { withMachine } from './machine.mjs'
import { dataDirOf, runCli } from './seat.mjs'
import { sendRequests } from './use.mjs'

const unit = 'modelport.service'
const unitFile = join('/etc/systemd/system', unit)
const dataDir = '/var/lib/modelport'
const startMs = 30_000
/** Highest score of `systemd-analyze security`, from 0 (confined) to 10. */
const mostExposure = 2

/**
 * @typedef {import('./machine.mjs').Machine} Machine
 * @typedef {import('./seat.mjs').Seat} Seat
 * @typedef {{ machine: Machine, seat: Seat }} Installed
 */

/** @param {{ cacheDir: string }} built */
export async function checkUnit({ cacheDir }) {
  await withHeadlessRoot(cacheDir, async ({ root }) => {
    await step('systemd', () => installSystemd(root))
    await step('Unit file', () => installUnit(root, cacheDir))
    await withMachine(root, async (machine) => {
      const installed = { machine, seat: seatIn(root, machine) }
      await step('Start, request', () => checkStart(installed))
      await step('Restrictions', () => checkRestrictions(machine))
      await step('Restart after a crash, stop', () => checkEnds(installed))
    })
  })
}

/** @param {string} root */
async function installSystemd(root) {
  await runInRoot(root, ['apt-get', '--quiet', 'update'])
  const packages = ['systemd', 'systemd-sysv', 'dbus']
  await runInRoot(root, [
    'apt-get',
    '--yes',
    '--quiet',
    '--no-install-recommends',
    'install',
    ...packages,
  ])
  const version = await runInRoot(root, ['systemctl', '--version'])
  return { value: undefined, detail: version.split('\n')[0] ?? '' }
}

/** @param {string} root @param {string} cacheDir */
async function installUnit(root, cacheDir) {
  await cp(join(headlessDir, unit), join(root, unitFile))
  // The unit asks for a user of its own, which the image's user of this name would take the place of.
  await runInRoot(root, ['userdel', 'modelport'])
  // The folders of state and cache become the service's own at its first start, with what is in them.
  const cache = join(root, 'var', 'cache', 'modelport')
  await mkdir(cache)
  await cp(join(cacheDir, 'models'), join(cache, 'models'), { recursive: true })
  await runInRoot(root, ['systemd-analyze', 'verify', unitFile])
  return { value: undefined, detail: 'systemd-analyze verify accepts the unit' }
}

/** @param {string} root @param {Machine} machine @returns {Seat} */
function seatIn(root, { inside }) {
  const cli = '/usr/local/bin/modelport'
  return { root, home: '/root', dataDir, app: cli, cli, asUser: inside, onDisplay: inside }
}

/** @param {Installed} installed */
async function checkStart({ machine, seat }) {
  await runCli(seat, ['settings', 'set', 'port', '0'])
  await machine.run(['systemctl', 'enable', '--now', unit])
  await sendRequests(seat, await readUrl({ machine, seat }))
  return { value: undefined, detail: 'systemctl enable --now: the service answers and streams' }
}

/** @param {Installed} installed */
async function readUrl({ machine, seat }) {
  const file = join(dataDirOf(seat), 'endpoint.json')
  const endMs = Date.now() + startMs
  while (Date.now() < endMs) {
    if (existsSync(file)) return JSON.parse(await readFile(file, 'utf8')).url
    await sleep(100)
  }
  const log = await machine.run(['journalctl', '--no-pager', '--lines=40', '--unit', unit])
  throw new SetupError(`The service does not start.\n${log}`)
}

/** What systemd says about the unit. @param {Machine} machine @param {string} property */
async function show(machine, property) {
  return (
    await machine.run(['systemctl', 'show', '--value', `--property=${property}`, unit])
  ).trim()
}

/** @param {Machine} machine */
async function checkRestrictions(machine) {
  const pid = await show(machine, 'MainPID')
  const status = await machine.run(['cat', `/proc/${pid}/status`])
  const [, user = ''] = /^Uid:\t(\d+)/m.exec(status) ?? []
  const expected = [/^Uid:\t6\d{4}\b/m, /^NoNewPrivs:\t1$/m, /^Seccomp:\t2$/m, /^CapBnd:\t0+$/m]
  const missing = expected.filter((pattern) => !pattern.test(status))
  if (missing.length > 0) throw new SetupError(`Not confined: ${missing.join(', ')}\n${status}`)
  const inService = ['nsenter', `--target=${pid}`, '--mount', '--']
  const asService = [
    ...inService,
    'setpriv',
    `--reuid=${user}`,
    `--regid=${user}`,
    '--clear-groups',
    '--',
  ]
  const script = 'for folder; do touch "$folder/x" 2>/dev/null && echo "$folder"; done; true'
  const folders = [
    '/',
    '/etc',
    '/usr',
    '/opt/modelport',
    '/var/lib',
    '/root',
    '/home',
    dataDir,
    '/var/cache/modelport',
    '/tmp',
  ]
  const writable = await machine.run([...asService, 'sh', '-c', script, 'sh', ...folders])
  const wanted = [dataDir, '/var/cache/modelport', '/tmp']
  if (writable.trim() !== wanted.join('\n'))
    throw new SetupError(`The service may write to ${writable.trim().replaceAll('\n', ', ')}.`)
  const report = await machine.run(['systemd-analyze', 'security', '--no-pager', unit])
  const exposure = Number(/exposure level for \S+: ([\d.]+)/.exec(report)?.[1] ?? Number.NaN)
  if (!(exposure <= mostExposure)) throw new SetupError(`systemd-analyze security: ${report}`)
  return {
    value: undefined,
    detail: `User ${user}, no capabilities, seccomp; writes to ${wanted.join(', ')} only; exposure ${exposure} of 10`,
  }
}

/** @param {Installed} installed */
async function checkEnds({ machine, seat }) {
  const before = await show(machine, 'MainPID')
  const file = join(dataDirOf(seat), 'endpoint.json')
  await rm(file)
  await machine.run(['systemctl', 'kill', '--signal=KILL', unit])
  await sendRequests(seat, await readUrl({ machine, seat }))
  const after = await show(machine, 'MainPID')
  if (after === before) throw new SetupError('systemd did not start the service again.')
  await machine.run(['systemctl', 'stop', unit])
  const ending = `${await show(machine, 'ActiveState')} ${await show(machine, 'Result')}`
  if (ending !== 'inactive success' || existsSync(file))
    throw new SetupError(`The service ended badly: ${ending}`)
  return { value: undefined, detail: 'Killed, it starts again and answers; systemctl stop ends it' }
}
