import { cp, rename } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { makeOnce } from './cache.mjs'
import { findNodeHeaders } from './node-headers.mjs'
import { npmEnvironment, readLockedVersion } from './npm.mjs'
import { displayPath, node24Path, repositoryDir } from './paths.mjs'
import { reasonOf, SetupError } from './progress.mjs'
import { runCommand } from './run-command.mjs'

// The source requires Node-API 10. Electron 33 has 9 and offers the used parts of 10 as experimental; the last two
// confirm that we know this, and that finalizers may run as in 10.
const experimentalNodeApi =
  '-UNAPI_VERSION -DNAPI_EXPERIMENTAL -DNODE_API_EXPERIMENTAL_NO_WARNING -DNODE_API_EXPERIMENTAL_NOGC_ENV_OPT_OUT'

/**
 * Compiles better-sqlite3 once for an Electron that cannot load its prebuilt binary; takes about a minute.
 * @param {{ cacheDir: string, electronVersion: string }} options
 * @returns {Promise<import('./progress.mjs').StepResult<string>>} the binding's path, for `new Database(file, { nativeBinding })`
 */
export async function ensureSqliteBinding({ cacheDir, electronVersion }) {
  const version = await readLockedVersion('better-sqlite3')
  const path = join(cacheDir, `better-sqlite3-${version}-electron-${electronVersion}.node`)
  const made = await makeOnce({
    path,
    make: async (partialPath, holdAlsoFor) => {
      await compile({ partialPath, nodedir: await findNodeHeaders(cacheDir), onSpawn: holdAlsoFor })
    },
  })
  const where = made ? 'compiled into' : 'already in'
  return {
    value: path,
    already: !made,
    detail: `SQLite binding ${version} for Electron ${electronVersion} ${where} ${displayPath(cacheDir)}`,
  }
}

/** @param {{ partialPath: string, nodedir: string, onSpawn: (pid: number) => void }} options */
async function compile({ partialPath, nodedir, onSpawn }) {
  const sourceDir = `${partialPath}.work`
  // The package in node_modules is the published tarball, whose hash npm checked. Only this copy is compiled,
  // because everything else would load a build folder inside node_modules.
  const modules = join(repositoryDir, 'node_modules')
  await cp(join(modules, 'better-sqlite3'), sourceDir, {
    recursive: true,
    filter: (source) => basename(source) !== 'prebuilds',
  })
  await cp(join(modules, 'node-addon-api'), join(sourceDir, 'node_modules', 'node-addon-api'), {
    recursive: true,
  })
  try {
    await runCommand({
      command: node24Path,
      args: [
        fileURLToPath(import.meta.resolve('node-gyp/bin/node-gyp.js')),
        'rebuild',
        '--release',
        '--force_build=1',
        `--nodedir=${nodedir}`,
      ],
      cwd: sourceDir,
      env: {
        ...npmEnvironment(process.env),
        // Its own `-O3` compiles for 40 s longer.
        CFLAGS: '-O2',
        CXXFLAGS: experimentalNodeApi,
      },
      onSpawn,
    })
  } catch (error) {
    throw new SetupError(`Compiling the SQLite binding failed: ${reasonOf(error)}`, {
      wayOut:
        'see the compiler output above; make, g++ and python3 are needed, and a gigabyte of free memory.',
      cause: error,
    })
  }
  await rename(join(sourceDir, 'build', 'Release', 'better_sqlite3.node'), partialPath)
}
