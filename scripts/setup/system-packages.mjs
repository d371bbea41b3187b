import { existsSync } from 'node:fs'
import { runCommand } from './run-command.mjs'
import { reasonOf, SetupError } from './progress.mjs'

/**
 * Debian packages by their purpose. `a|b` means either: the second is its name in later releases, where apt does not
 * install the first.
 * @see docs/decisions/2026-11-21-launcher.md
 */
const packagesFor = {
  // keytar and the SQLite binding are compiled; pip provides the local model's weights.
  always: ['python3', 'make', 'g++', 'python3-pip', 'libsecret-1-dev', 'unzip'],
  window: ['libgtk-3-0|libgtk-3-0t64', 'libnss3', 'libasound2|libasound2t64', 'libgbm1'],
  tests: [
    'xvfb',
    'xauth',
    'x11-utils',
    'gnome-keyring',
    'dbus',
    'dbus-x11',
    'libnss3-tools',
    'postgresql',
    'redis-server',
  ],
  languages: ['fonts-noto-cjk'],
  clients: ['python3-venv'],
  packages: ['mmdebstrap', 'desktop-file-utils', 'rpm', 'systemd-container'],
  deploy: ['python3-venv', 'haproxy', 'systemd'],
  cluster: ['pgbouncer', 'haproxy', 'python3-venv'],
  torture: ['chromium', 'iproute2', 'openssl', 'strace'],
}

/**
 * Ensures that the system packages are installed: installs missing ones if permitted, otherwise names the command.
 * @param {{ window: boolean, tests: boolean, languages?: boolean, clients?: boolean, packages?: boolean, deploy?: boolean, cluster?: boolean, torture?: boolean }} needs
 * @returns {Promise<import('./progress.mjs').StepResult<void>>}
 * @throws {SetupError} when some are missing and this user may not install them
 */
export async function ensureSystemPackages(needs) {
  if (!existsSync('/usr/bin/dpkg-query')) {
    return {
      value: undefined,
      already: true,
      detail: 'System packages not checked (no Debian package manager here)',
    }
  }
  /** @type {Readonly<Record<string, boolean | undefined>>} */
  const wantedFor = { ...needs, always: true }
  const wanted = Object.entries(packagesFor).flatMap(([purpose, packages]) =>
    wantedFor[purpose] === true ? packages : [],
  )
  const missing = await findMissing(wanted)
  if (missing.length === 0)
    return { value: undefined, already: true, detail: 'System packages are installed' }
  if (process.getuid?.() !== 0) throw missingPackages(await findNames(missing))
  const installed = await install(missing)
  return { value: undefined, detail: `System packages: installed ${installed.join(' ')}` }
}

/** @param {readonly string[]} wanted  @returns those of which no name is installed */
async function findMissing(wanted) {
  const names = wanted.flatMap((entry) => entry.split('|'))
  // Exits with 1 if a name is unknown, and still lists the others.
  const listing = await runCommand({
    command: 'sh',
    args: [
      '-c',
      `dpkg-query -W -f '\${db:Status-Abbrev} \${binary:Package}\\n' "$@" 2>/dev/null || true`,
      'sh',
      ...names,
    ],
  })
  const installed = new Set(
    listing
      .split('\n')
      .filter((line) => line.startsWith('ii'))
      .map((line) => line.slice(2).trim().replace(/:.*/, '')),
  )
  return wanted.filter((entry) => !entry.split('|').some((name) => installed.has(name)))
}

/** @param {readonly string[]} entries  @returns the names of this release */
function findNames(entries) {
  return Promise.all(entries.map(findName))
}

/** @param {string} entry  @returns the newest name that this release has */
async function findName(entry) {
  const [oldest = entry, ...later] = entry.split('|')
  for (const name of later.toReversed()) if (await isAvailable(name)) return name
  return oldest
}

/** @param {string} name */
function isAvailable(name) {
  return runCommand({ command: 'apt-cache', args: ['show', '--no-all-versions', name] }).then(
    () => true,
    () => false,
  )
}

/** @param {readonly string[]} missing  @returns the names of what it installed */
async function install(missing) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const waitForOthers = ['-o', 'DPkg::Lock::Timeout=300']
  try {
    await runCommand({ command: 'apt-get', args: [...waitForOthers, 'update'], env })
    // After the update: a new container has no list of packages before.
    const names = await findNames(missing)
    await runCommand({
      command: 'apt-get',
      args: [...waitForOthers, 'install', '-y', '--no-install-recommends', ...names],
      env,
    })
    return names
  } catch (error) {
    throw new SetupError(`Installing system packages failed: ${reasonOf(error)}`, {
      wayOut: `run this yourself and start again:\n  ${installCommand(await findNames(missing))}`,
      cause: error,
    })
  }
}

/** @param {readonly string[]} names */
function missingPackages(names) {
  return new SetupError(`System packages are missing: ${names.join(' ')}.`, {
    wayOut: `run this once, then start again:\n  sudo sh -c '${installCommand(names)}'`,
  })
}

/** @param {readonly string[]} names */
function installCommand(names) {
  return `apt-get update && apt-get install -y ${names.join(' ')}`
}
