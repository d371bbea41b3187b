/**
 * The .deb in a fresh Debian root that holds the base system and nothing else: apt installs it with what it depends
 * on, an ordinary user uses it, and it is removed again.
 */
import { cp, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { SetupError, step } from '../setup/progress.mjs'
import { runCommand } from '../setup/run-command.mjs'
import { ensureSystemPackages } from '../setup/system-packages.mjs'
import { checkClosed } from './closed.mjs'
import { enterRoot, makeDebianRoot, runInRoot } from './debian-root.mjs'
import { checkFuses } from './fuses.mjs'
import { copyWeights, dataDirOf, runCli } from './seat.mjs'
import { useApp } from './use.mjs'

const home = '/home/jürgen müller'

/** @typedef {import('./seat.mjs').Seat} Seat */

/** @param {{ distDir: string, cacheDir: string, electronVersion: string }} built */
export async function checkDebian({ distDir, cacheDir, electronVersion }) {
  if (process.getuid?.() !== 0) throw new SetupError('Making a Debian root needs root.')
  const deb = (await readdir(distDir)).find((name) => name.endsWith('.deb'))
  if (deb === undefined) throw new SetupError('There is no .deb in dist/.')
  const root = await mkdtemp(join(tmpdir(), 'modelport-debian-'))
  try {
    await step('Debian root', () => makeRoot(root))
    await step('apt install', () => installDeb(root, join(distDir, deb)))
    await step('Libraries', () => checkLibraries(root))
    await step('Desktop', () => checkDesktop(root))
    const seat = seatIn(root, 'pivot')
    await copyWeights(seat, cacheDir)
    await step('Fuses', () => checkFuses(join(root, seat.app), electronVersion))
    await step('Start, request, quit', () => checkUse(root, seat))
    await step('Command line', () => checkCommandLine(seat))
    await step('No other code in the app', () => checkClosed(seat))
    await step('apt remove and purge', () => checkRemoval(root, seat, join(distDir, deb)))
  } finally {
    await rm(root, { recursive: true, force: true })
  }
}

/** @param {string} root */
async function makeRoot(root) {
  await ensureSystemPackages({ window: true, tests: true, packages: true })
  const { detail } = await makeDebianRoot(root)
  await runInRoot(root, ['useradd', '--home-dir', home, '--create-home', 'user'])
  return { value: undefined, detail }
}

/**
 * Installs without recommended packages, so that a missing dependency shows.
 * @param {string} root
 * @param {string} deb
 */
async function installDeb(root, deb) {
  await mkdir(join(root, 'tmp', 'package'))
  const file = join('/tmp/package', basename(deb))
  await cp(deb, join(root, file))
  await runInRoot(root, ['apt-get', '--quiet', 'update'])
  await runInRoot(root, ['apt-get', '--yes', '--quiet', '--no-install-recommends', 'install', file])
  await rm(join(root, 'tmp', 'package'), { recursive: true })
  const status = await runInRoot(root, [
    'dpkg-query',
    '-W',
    '-f',
    '${Status} ${Version}',
    'modelport',
  ])
  const packages = await runInRoot(root, ['dpkg-query', '-W', '-f', '.'])
  return {
    value: undefined,
    detail: `apt-get install ./${basename(deb)}: ${status}; ${packages.length} packages in all`,
  }
}

/** Every program and library of the package finds the libraries it is linked with. @param {string} root */
async function checkLibraries(root) {
  const script = `find /opt/Modelport -type f | while read -r file; do
    head -c 4 "$file" | grep -q ELF && { echo "= $file"; ldd "$file" 2>/dev/null; }; done; true`
  const report = await runInRoot(root, ['sh', '-c', script])
  const files = report.match(/^= /gm) ?? []
  const missing = report.match(/^.*not found$/gm) ?? []
  if (files.length === 0 || missing.length > 0)
    throw new SetupError(`Libraries are missing: ${missing.join(', ')}`)
  return { value: undefined, detail: `No library is missing for ${files.length} binaries` }
}

/** @param {string} root */
async function checkDesktop(root) {
  const entry = '/usr/share/applications/modelport.desktop'
  const icons = (
    await runInRoot(root, ['find', '/usr/share/icons/hicolor', '-name', 'modelport.*'])
  )
    .trim()
    .split('\n')
  await runInRoot(root, ['test', '-f', entry])
  await runInRoot(root, ['test', '-u', '/opt/Modelport/chrome-sandbox'])
  await runCommand({ command: 'desktop-file-validate', args: [join(root, entry)] })
  return {
    value: undefined,
    detail: `The desktop entry is valid; icons: ${icons.map((icon) => icon.split('/')[5]).join(', ')}`,
  }
}

/** @param {string} root @param {'pivot' | 'chroot'} way @returns {Seat} */
function seatIn(root, way) {
  const user = ['setpriv', '--reuid=user', '--regid=user', '--init-groups', '--']
  /** @param {readonly string[]} command */
  const asUser = (command) => [enterRoot, way, root, ...user, ...command]
  return {
    root,
    home,
    app: '/opt/Modelport/modelport',
    cli: '/usr/bin/modelport',
    asUser,
    // The display is this machine's, because an X server would bring libraries along. It has a socket without a file.
    onDisplay: (command) => [
      'xvfb-run',
      '--auto-servernum',
      '--server-args=-screen 0 1280x1024x24 -ac',
      ...asUser(['env', '--unset=XAUTHORITY', ...command]),
    ],
  }
}

/** Checks the app with user namespaces, which Chromium prefers, and without. @param {string} root @param {Seat} seat */
async function checkUse(root, seat) {
  const preferred = await useApp(seat)
  const other = await useApp(seatIn(root, 'chroot'))
  return {
    value: undefined,
    detail: `${seat.app} starts as an ordinary user, answers, streams, quits: once with ${preferred}, once with ${other}`,
  }
}

/** @param {Seat} seat */
async function checkCommandLine(seat) {
  const version = (await runCli(seat, ['--version'])).trim()
  const keys = await runCli(seat, ['key', 'list', '--json'])
  return {
    value: undefined,
    detail: `modelport --version prints ${version}; modelport key list prints ${keys.trim().split('\n').length} keys`,
  }
}

/** Each way on an installed package. @param {string} root @param {Seat} seat @param {string} deb */
async function checkRemoval(root, seat, deb) {
  await checkRemovedBy('remove', root, seat)
  await installDeb(root, deb)
  await checkRemovedBy('purge', root, seat)
  return { value: undefined, detail: "apt remove and purge leave the user's data and nothing else" }
}

/** @param {'remove' | 'purge'} action @param {string} root @param {Seat} seat */
async function checkRemovedBy(action, root, seat) {
  await runInRoot(root, ['apt-get', '--yes', '--quiet', action, 'modelport'])
  const find = ['find', '/', '-xdev', '-ipath', '*modelport*', '-not', '-path', '/home/*']
  const left = await runInRoot(root, find)
  if (left !== '') throw new SetupError(`apt ${action} leaves files behind:\n${left}`)
  const files = await readdir(dataDirOf(seat))
  if (!files.includes('modelport.db'))
    throw new SetupError(`apt ${action} removes the user's data.`)
}
