/**
 * `npm run package [-- TARGET …]`: builds installable packages into dist/. Without targets, those that this system can
 * build with what it has; `--help` lists all.
 */
import { createRequire } from 'node:module'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { configuration } from '../packaging/electron-builder.mjs'
import { buildHeadlessPackage } from '../packaging/headless-package.mjs'
import { buildArchive, buildDeb } from '../packaging/linux-packages.mjs'
import { composeSbom } from '../packaging/sbom.mjs'
import { writeFeedSource } from '../packaging/update-feed.mjs'
import { ensureBuild } from './setup/build.mjs'
import { npmEnvironment } from './setup/npm.mjs'
import { repositoryDir } from './setup/paths.mjs'
import { prepare } from './setup/prepare.mjs'
import { print, runLauncher, SetupError, step } from './setup/progress.mjs'
import { runCommand } from './setup/run-command.mjs'
import { shippedPackages } from './third-party-notices.mjs'

const outDir = join(repositoryDir, 'dist')
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
  ['rpm', { platform: 'linux', needs: 'rpmbuild, and a download by electron-builder' }],
  [
    'dmg',
    { platform: 'darwin', needs: 'macOS; signed and notarised with CSC_LINK and APPLE_TEAM_ID' },
  ],
  [
    'nsis',
    { platform: 'win32', needs: 'Windows, or wine and a download; signed with WIN_CSC_LINK' },
  ],
])
const byDefault = {
  linux: ['dir', 'tar.gz', 'deb', 'npm'],
  darwin: ['dmg', 'npm'],
  win32: ['nsis', 'npm'],
}

/** Built by our own scripts from the unpacked app. */
const ownTargets = new Map([
  ['tar.gz', buildArchive],
  ['deb', buildDeb],
  ['npm', buildHeadlessPackage],
])

await runLauncher(async () => {
  const wanted = readTargets(process.argv.slice(2))
  if (wanted === null) return 0
  const setup = await prepare({ window: true, tests: false })
  if (setup.desktop === null) throw new SetupError('Packaging needs Electron.')
  await step('Build', () => ensureBuild())
  await step('Packaging tools', () => ensureTools())
  const { electron, version, env } = setup.desktop
  const found = {
    electronDist: dirname(electron),
    electronVersion: version,
    sqliteBinding: env['MODELPORT_SQLITE_BINDING'],
  }
  await step('Packages', () => build(wanted, found))
  return 0
})

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

/**
 * @param {readonly string[]} wanted
 * @param {Omit<import('../packaging/electron-builder.mjs').Found, 'sbom' | 'updateFeed'>} found
 */
async function build(wanted, found) {
  await rm(outDir, { recursive: true, force: true })
  await mkdir(outDir)
  const { name, version } = JSON.parse(await readFile(join(repositoryDir, 'package.json'), 'utf8'))
  const sbom = join(outDir, 'sbom.cdx.json')
  const bill = composeSbom({ name, version, packages: shippedPackages() })
  await writeFile(sbom, `${JSON.stringify(bill, null, 2)}\n`)
  /** @type {{ build(options: object): Promise<string[]>, Platform: { current(): { createTarget(names: string[]): unknown } } }} */
  const builder = createRequire(join(packagingDir, 'package.json'))('electron-builder')
  const built = await builder.build({
    projectDir: repositoryDir,
    config: configuration({ ...found, sbom, updateFeed: await updateFeed() }),
    targets: builder.Platform.current().createTarget([
      'dir',
      ...wanted.filter((one) => !ownTargets.has(one)),
    ]),
  })
  const unpacked = { unpackedDir: join(outDir, 'linux-unpacked'), version, outDir }
  const files = [...built]
  for (const [target, buildOwn] of ownTargets)
    if (wanted.includes(target)) files.push(await buildOwn(unpacked))
  const names = [...new Set(files)].map((file) => basename(file))
  return { value: undefined, detail: `Packages in dist/: ${names.join(', ')}` }
}

/** Null for a build without updates: nobody else's feed may be the default. */
async function updateFeed() {
  const url = process.env['MODELPORT_UPDATE_FEED']
  const publicKey = process.env['MODELPORT_UPDATE_PUBLIC_KEY']
  if (!url && !publicKey) return null
  if (!url || !publicKey)
    throw new SetupError('Updates need an address and a key.', {
      wayOut: 'set MODELPORT_UPDATE_FEED and MODELPORT_UPDATE_PUBLIC_KEY, or neither.',
    })
  return writeFeedSource(outDir, { url, publicKey })
}
