/**
 * `npm run release -- --dry [--key FILE] [--quick]`: builds everything that a release publishes into dist/, checks it in empty
 * projects, and prints the commands that publish it. A person runs these; this never does. Without `--key`, the feed is
 * signed with a key that is thrown away. `--quick` leaves the examples of the SDKs out.
 */
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { sha256Of } from '../packaging/installation-list.mjs'
import { checkSdks } from './release/check-sdks.mjs'
import { checksumsOf, provenanceOf, publishingCommands } from './release/statements.mjs'
import { npmEnvironment } from './setup/npm.mjs'
import { node24Path, repositoryDir } from './setup/paths.mjs'
import { print, runLauncher, SetupError, step } from './setup/progress.mjs'
import { runCommand } from './setup/run-command.mjs'
import { runInForeground } from './setup/run-in-foreground.mjs'

const outDir = join(repositoryDir, 'dist')

await runLauncher(async () => {
  const { dry, key, quick } = readOptions()
  if (!dry)
    throw new SetupError('A person publishes a release.', {
      wayOut: 'run `npm run release -- --dry`, then the commands that it prints.',
    })
  const { version } = JSON.parse(await readFile(join(repositoryDir, 'package.json'), 'utf8'))
  await runScript(['package'])
  // First: the source of the Python package ends as the app's archive does.
  await step('Feed', () => signFeed(key ?? null))
  await step('SDKs', () => buildSdks())
  await step('Checksums and provenance', () => describe(version))
  await runScript(['package:check', '--', 'npm'])
  await step('SDKs in empty projects', () => checkSdks(outDir))
  if (!quick) await runScript(['sdk'])
  const names = await filesOf()
  print(`\ndist/ has what Modelport ${version} publishes:`)
  for (const name of names) print(`  ${name}`)
  print('\nNothing was published. A person runs, in this order:')
  for (const line of publishingCommands({ version, names })) print(`  ${line}`)
  return 0
})

function readOptions() {
  const no = /** @type {const} */ ({ type: 'boolean', default: false })
  const options = { dry: no, quick: no, key: /** @type {const} */ ({ type: 'string' }) }
  return parseArgs({ options }).values
}

/** @param {readonly string[]} args  of `npm run` */
async function runScript(args) {
  const code = await runInForeground({
    command: 'npm',
    args: ['run', '--silent', ...args],
    cwd: repositoryDir,
  })
  if (code !== 0) throw new SetupError(`npm run ${args.join(' ')} failed.`)
}

async function buildSdks() {
  const env = npmEnvironment(process.env)
  await runCommand({
    command: 'npm',
    args: ['pack', '--loglevel=error', '--pack-destination', outDir],
    cwd: join(repositoryDir, 'sdk'),
    env,
  })
  const folder = await mkdtemp(join(tmpdir(), 'modelport-python-'))
  try {
    await runCommand({ command: 'python3', args: ['-m', 'venv', folder] })
    const python = join(folder, 'bin', 'python')
    await runCommand({ command: python, args: ['-m', 'pip', 'install', '--quiet', 'build'] })
    await runCommand({
      command: python,
      args: ['-m', 'build', '--outdir', outDir, join(repositoryDir, 'sdk-python')],
    })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
  return { value: undefined, detail: 'npm package, wheel and source of the SDKs' }
}

/** @param {string | null} key  a file */
async function signFeed(key) {
  const folder = await mkdtemp(join(tmpdir(), 'modelport-feed-'))
  const file = key ?? join(folder, 'thrown-away.pem')
  const feed = join(repositoryDir, 'scripts', 'package-feed.mjs')
  try {
    if (key === null) await runCommand({ command: node24Path, args: [feed, '--new-key', file] })
    await runCommand({ command: node24Path, args: [feed, '--key', file] })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
  const detail =
    key === null ? 'Feed, signed with a key that was thrown away' : `Feed, signed with ${key}`
  return { value: undefined, detail }
}

/** The files that are published, without what only explains them. */
async function filesOf() {
  const entries = await readdir(outDir, { withFileTypes: true })
  const isOurs = (/** @type {string} */ name) =>
    /\.(tgz|tar\.gz|whl|deb|rpm|AppImage|dmg|exe|zip|cdx\.json|yml|sig)$/.test(name) &&
    !/^(builder-|app-update)/.test(name)
  const stated = ['SHA256SUMS', 'provenance.json']
  const names = entries.flatMap((entry) => (entry.isFile() ? [entry.name] : []))
  return names.filter((name) => isOurs(name) || stated.includes(name)).toSorted()
}

/** @param {string} version */
async function describe(version) {
  const stated = ['SHA256SUMS', 'provenance.json']
  const names = (await filesOf()).filter((name) => !stated.includes(name))
  const files = await Promise.all(names.map((name) => hashed(outDir, name)))
  const lockfiles = await Promise.all(
    ['package-lock.json', 'packaging/package-lock.json'].map((name) => hashed(repositoryDir, name)),
  )
  const git = async (/** @type {string[]} */ ...args) =>
    (await runCommand({ command: 'git', args, cwd: repositoryDir })).trim()
  const source = {
    version,
    commit: await git('rev-parse', 'HEAD'),
    isChanged: (await git('status', '--porcelain')) !== '',
    date: await git('show', '--no-patch', '--format=%cI', 'HEAD'),
    lockfiles,
    node: process.version,
  }
  const provenance = `${JSON.stringify(provenanceOf(files, source), null, 2)}\n`
  await writeFile(join(outDir, 'provenance.json'), provenance)
  await writeFile(join(outDir, 'SHA256SUMS'), checksumsOf(files))
  await runCommand({
    command: 'sha256sum',
    args: ['--check', '--quiet', 'SHA256SUMS'],
    cwd: outDir,
  })
  const detail = `SHA256SUMS and provenance.json of ${files.length} files`
  return { value: undefined, detail }
}

/** @param {string} folder @param {string} name */
async function hashed(folder, name) {
  return { name, sha256: await sha256Of(join(folder, name)) }
}
