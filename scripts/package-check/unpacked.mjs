/** The unpacked app on this machine, in a folder with spaces and a letter outside ASCII, as the user `nobody`. */
import { chmod, cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { step } from '../setup/progress.mjs'
import { runCommand } from '../setup/run-command.mjs'
import { checkClosed } from './closed.mjs'
import { checkFuses } from './fuses.mjs'
import { asNobody, copyWeights } from './seat.mjs'
import { useApp } from './use.mjs'

/** @param {{ unpackedDir: string, cacheDir: string, electronVersion: string }} built */
export async function checkUnpacked({ unpackedDir, cacheDir, electronVersion }) {
  const folder = await mkdtemp(join(tmpdir(), 'modelport-package-'))
  try {
    const seat = await takeSeat(folder, unpackedDir)
    await copyWeights(seat, cacheDir)
    await step('Fuses', () => checkFuses(seat.app, electronVersion))
    await step('Start, request, quit', async () => {
      const confinement = await useApp(seat)
      const detail = `${seat.app} starts as nobody (${confinement}), answers, streams, quits`
      return { value: undefined, detail }
    })
    await step('No other code in the app', () => checkClosed(seat))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/**
 * Copies the app and makes a home folder for the user `nobody`.
 * @param {string} folder
 * @param {string} unpackedDir
 * @returns {Promise<import('./seat.mjs').Seat>}
 */
export async function takeSeat(folder, unpackedDir) {
  await chmod(folder, 0o755)
  const appDir = join(folder, 'Modelport für alle')
  await cp(unpackedDir, appDir, { recursive: true })
  const home = join(folder, 'home')
  await runCommand({ command: 'install', args: ['-d', '-o', 'nobody', '-m', '700', home] })
  return {
    root: '',
    home,
    app: join(appDir, 'modelport'),
    cli: join(appDir, 'bin', 'modelport'),
    asUser: asNobody,
    onDisplay: (command) =>
      asNobody(['dbus-run-session', '--', 'xvfb-run', '--auto-servernum', ...command]),
  }
}
