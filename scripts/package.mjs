/**
 * `npm run package [-- TARGET …]`: builds installable packages into dist/. Without targets, those that this system can
 * build with what it has; `--help` lists all.
 */
import { dirname, join } from 'node:path'
import { ensureBuild } from './setup/build.mjs'
import { fallbackVersion } from './setup/electron-fallback.mjs'
import { npmEnvironment } from './setup/npm.mjs'
import { repositoryDir } from './setup/paths.mjs'
import { prepare } from './setup/prepare.mjs'
import { print, runLauncher, SetupError, step } from './setup/progress.mjs'
import { runCommand } from './setup/run-command.mjs'
import { runInForeground } from './setup/run-in-foreground.mjs'

const packagingDir = join(repositoryDir, 'packaging')

/** Each target's system, and what electron-builder needs for it besides what is in the npm packages. */
const targets = new Map([
  ['dir', { platform: 'linux', needs: null }],
  ['tar.gz', { platform: 'linux', needs: null }],
  ['deb', { platform: 'linux', needs: 'dpkg-deb' }],
  ['npm', { platform: 'any', needs: null }],
  [
    'AppImage',
    { platform: 'linux', needs: 'a download by electron-builder from its release page' },
  ],
  ['rpm', { platform: 'linux', needs: 'rpmbuild' }],
  [
    'dmg',
    { platform: 'darwin', needs: 'macOS; signed and notarised with CSC_LINK and APPLE_TEAM_ID' },
  ],
  ['zip', { platform: 'darwin', needs: 'macOS, as dmg; updates install it' }],
  [
    'nsis',
    { platform: 'win32', needs: 'Windows, or wine and a download; signed with WIN_CSC_LINK' },
  ],
])
const byDefault = {
  linux: ['dir', 'tar.gz', 'deb', 'npm'],
  darwin: ['dmg', 'zip', 'npm'],
  win32: ['nsis', 'npm'],
}

await runLauncher(async () => {
  const wanted = readTargets(process.argv.slice(2))
  if (wanted === null) return 0
  const setup = await prepare({ window: true, tests: false })
  await step('Build', () => ensureBuild())
  await step('Packaging tools', () => ensureTools())
  return build(wanted, setup)
})

/**
 * Builds in a process of its own, because it needs Node 24 and packages that `prepare` may just have installed.
 * @param {readonly string[]} wanted
 * @param {import('./setup/prepare.mjs').Setup} setup
 */
function build(wanted, { desktop, node24 }) {
  if (desktop === null) throw new SetupError('Packaging needs Electron.')
  const found = {
    electronDist: folderOf(desktop.electron),
    electronVersion: desktop.version,
    isFallback: desktop.version === fallbackVersion,
    sqliteBinding: desktop.env['MODELPORT_SQLITE_BINDING'],
  }
  return runInForeground({
    command: node24,
    args: [join(packagingDir, 'build.mjs'), JSON.stringify({ wanted, found })],
    cwd: repositoryDir,
    env: desktop.env,
  })
}

/** The folder of Electron's distribution. @param {string} electron  the executable */
function folderOf(electron) {
  return process.platform === 'darwin' ? join(electron, '../../../..') : dirname(electron)
}

/**
 * @param {readonly string[]} args
 * @returns {string[] | null} null after `--help`
 */
function readTargets(args) {
  if (args.includes('--help')) {
    print('Usage: npm run package [-- TARGET …]\n\nTargets:')
    for (const [name, { platform, needs }] of targets)
      print(
        `  ${name.padEnd(9)} ${platform.padEnd(7)} ${needs === null ? '' : `needs ${needs}`}`.trimEnd(),
      )
    return null
  }
  const unknown = args.find((name) => !targets.has(name))
  if (unknown !== undefined)
    throw new SetupError(`There is no target "${unknown}".`, {
      wayOut: `choose from ${[...targets.keys()].join(', ')}.`,
    })
  const usual =
    process.platform in byDefault ? byDefault[/** @type {'linux'} */ (process.platform)] : ['dir']
  return args.length > 0 ? [...args] : usual
}

/** electron-builder has 279 packages, so only those who package install it. */
async function ensureTools() {
  await runCommand({
    command: 'npm',
    args: ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'],
    cwd: packagingDir,
    env: npmEnvironment(process.env),
  })
  return { value: undefined, detail: 'Packaging tools' }
}
