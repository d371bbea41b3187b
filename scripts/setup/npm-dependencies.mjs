import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { withLock } from './lock.mjs'
import { headersForNpm } from './node-headers.mjs'
import { npmEnvironment } from './npm.mjs'
import { node24Path, repositoryDir } from './paths.mjs'
import { checkHash } from './pinned-hash.mjs'
import { reasonOf, SetupError } from './progress.mjs'
import { runCommand } from './run-command.mjs'

// Written last, and deleted with the folder by `npm ci`, so an interrupted install never has it.
const stampFile = join(repositoryDir, 'node_modules', '.modelport-installed')

// The package `node` downloads the executable in its install script, outside the lockfile; this pins it.
const node24Hashes = new Map([
  ['24.21.0-linux-x64', 'sha256-7fde7b8afa198da66257f42ee2001d874c7355631e6d1579a5fb5ef1f246df4c'],
])

/**
 * Installs the npm dependencies exactly as locked, once per lockfile.
 * @param {string} cacheDir
 * @returns {Promise<import('./progress.mjs').StepResult<void>>}
 */
export async function ensureNpmDependencies(cacheDir) {
  const lockHash = await hashLockfile()
  if (await isInstalled(lockHash))
    return { value: undefined, already: true, detail: 'npm dependencies are installed' }
  const repositoryLock = createHash('sha256').update(repositoryDir).digest('hex').slice(0, 16)
  await withLock(join(cacheDir, 'locks', `install-${repositoryLock}.lock`), async (holdAlsoFor) => {
    if (await isInstalled(lockHash)) return
    const headers = await headersForNpm(cacheDir, process.platform)
    await install({ headers, onSpawn: holdAlsoFor })
    const version = (await runCommand({ command: node24Path, args: ['--version'] })).trim().slice(1)
    const pinned = node24Hashes.get(`${version}-${process.platform}-${process.arch}`)
    if (pinned) await checkHash(node24Path, pinned)
    await writeFile(stampFile, lockHash)
  })
  return { value: undefined, detail: 'npm dependencies' }
}

async function hashLockfile() {
  return createHash('sha256')
    .update(await readFile(join(repositoryDir, 'package-lock.json')))
    .digest('hex')
}

/** @param {string} lockHash */
async function isInstalled(lockHash) {
  return existsSync(stampFile) && (await readFile(stampFile, 'utf8')) === lockHash
}

/** @param {{ headers: NodeJS.ProcessEnv, onSpawn: (pid: number) => void }} options */
async function install({ headers, onSpawn }) {
  try {
    await runCommand({
      command: 'npm',
      args: [
        'ci',
        '--include=dev',
        '--include=optional',
        '--no-fund',
        '--no-audit',
        '--loglevel=error',
      ],
      cwd: repositoryDir,
      env: {
        ...npmEnvironment(process.env),
        ...headers,
        // Its prebuilt binary would come unpinned from a release page; compiling takes ten seconds.
        npm_config_build_from_source: 'keytar',
        NODE_LLAMA_CPP_SKIP_DOWNLOAD: 'true',
        ELECTRON_SKIP_BINARY_DOWNLOAD: '1',
      },
      onSpawn,
    })
  } catch (error) {
    throw new SetupError(`Installing the npm dependencies failed: ${reasonOf(error)}`, {
      wayOut:
        'check that `npm ping` reaches a registry (npm config get registry, HTTPS_PROXY), then start again.',
      cause: error,
    })
  }
}
