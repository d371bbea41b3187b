/** LiteLLM's proxy and Prisma's engine from their registries, in the cache folder. */
import { hash } from 'node:crypto'
import { chmod, readFile, writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { installPackages } from '../../bench/servers/install-package.ts'
import { makeOnce } from '../../scripts/setup/cache.mjs'
import { findCacheDir } from '../../scripts/setup/paths.mjs'
import { reasonOf } from '../../scripts/setup/progress.mjs'
import { runCommand } from '../../scripts/setup/run-command.mjs'

/** The newest version whose requirements pip could install on 2026-11-23. */
export const liteLlmVersion = '1.106.2'
/** The version that Prisma's client for Python is written for. */
const prismaVersion = '5.17.0'
const installLimitMs = 900_000

const requirements = fileURLToPath(new URL('requirements.txt', import.meta.url))

export interface Packages {
  python: string
  /** Folder of the npm packages: Prisma's engine and its driver of PostgreSQL. */
  prismaFolder: string
  /** A folder per migration of the database. */
  migrationsFolder: string
}

/** @throws Error that says what to do when a registry cannot be reached */
export async function installLiteLlm(): Promise<Packages> {
  const root = join(findCacheDir(process.env), 'cluster')
  const prismaFolder = join(root, `prisma-${prismaVersion}`)
  const fingerprint = hash('sha256', await readFile(requirements, 'utf8')).slice(0, 12)
  const path = join(root, `litellm-${liteLlmVersion}-${fingerprint}`)
  try {
    await installPrisma(prismaFolder)
    await makeOnce({ path, make: (folder) => installPython(folder, prismaFolder) })
  } catch (error) {
    throw new Error(
      `LiteLLM cannot be installed. This check needs python3 (3.11 to 3.14) with venv, PyPI and npm. ${reasonOf(error)}`,
      { cause: error },
    )
  }
  const python = join(path, 'bin', 'python')
  return { python, prismaFolder, migrationsFolder: join(await shippedFolder(python), 'migrations') }
}

async function installPrisma(path: string): Promise<void> {
  await installPackages(path, {
    dependencies: {
      prisma: prismaVersion,
      '@prisma/client': prismaVersion,
      '@prisma/adapter-pg': prismaVersion,
      graphql: '17.1.0',
      pg: '8.23.1',
    },
  })
}

/**
 * A virtual environment names its own folder in some of its files. Only its `python` and modules are used after the
 * rename, and they work in the final folder, too.
 */
async function installPython(folder: string, prismaFolder: string): Promise<void> {
  await runCommand({ command: 'python3', args: ['-m', 'venv', folder] })
  const python = join(folder, 'bin', 'python')
  await runCommand({
    command: python,
    args: ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '-r', requirements],
    timeoutMs: installLimitMs,
  })
  const schema = join(folder, 'client.prisma')
  const shipped = await readFile(join(await shippedFolder(python), 'schema.prisma'), 'utf8')
  // Of the engines for other systems, none is used.
  await writeFile(schema, shipped.replace(/^ *binaryTargets.*\n/m, ''))
  await runCommand({
    command: process.execPath,
    args: [
      join(prismaFolder, 'node_modules/prisma/build/index.js'),
      'generate',
      '--schema',
      schema,
    ],
    env: {
      ...process.env,
      ...prismaEnvironment(await versionProgram(folder)),
      PATH: [join(folder, 'bin'), process.env['PATH']].join(delimiter),
    },
    timeoutMs: installLimitMs,
  })
}

/** A program that prints the engine's version, which is all that Prisma asks while the client is generated. */
async function versionProgram(folder: string): Promise<string> {
  const program = join(folder, 'engine-version')
  await writeFile(program, '#!/bin/sh\necho query-engine 0\n')
  await chmod(program, 0o755)
  return program
}

/** Prevents every download: no registry has the engines that Prisma downloads. @param engine  an executable file */
export function prismaEnvironment(engine: string): Record<string, string> {
  return {
    PRISMA_QUERY_ENGINE_BINARY: engine,
    PRISMA_SCHEMA_ENGINE_BINARY: engine,
    PRISMA_CLI_QUERY_ENGINE_TYPE: 'binary',
    PRISMA_HIDE_UPDATE_MESSAGE: 'true',
    CHECKPOINT_DISABLE: '1',
  }
}

/** Folder of LiteLLM's package with the schema of its database and the migrations. */
async function shippedFolder(python: string): Promise<string> {
  const code =
    'import importlib.util; print(importlib.util.find_spec("litellm_proxy_extras").submodule_search_locations[0])'
  return (await runCommand({ command: python, args: ['-c', code] })).trim()
}
