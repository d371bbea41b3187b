/** Empty projects that an SDK is installed into, and programs that run there. */
import { execFile } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'

export const root = path.resolve(import.meta.dirname, '../..')

/** A temporary folder outside the repository, so that nothing of it is found by accident. */
export async function makeFolder(atEnd: (end: () => Promise<void>) => void): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'modelport-installed-'))
  atEnd(() => rm(folder, { recursive: true }))
  return folder
}

interface Run {
  cwd: string
  /** All variables of the program. Without them it has this process's, for package managers. */
  env?: Readonly<Record<string, string>>
}

/** Runs a program to its end. @returns what it printed. @throws with its output when it fails */
export async function run(
  command: readonly [program: string, ...args: string[]],
  { cwd, env }: Run,
): Promise<string> {
  const [program, ...args] = command
  const limits = { timeout: 280_000, maxBuffer: 16 * 1024 * 1024 }
  const started = promisify(execFile)(program, args, { cwd, ...limits, ...(env && { env }) })
  const { stdout } = await started.catch((error: Error & { stdout?: string; stderr?: string }) => {
    const output = `${error.stdout ?? ''}${error.stderr ?? ''}`
    throw new Error(`${command.join(' ')} failed:\n${output}`, { cause: error })
  })
  return stdout
}

/** `npm install` into a new project. */
export async function installPackages(folder: string, packages: readonly string[]): Promise<void> {
  mkdirSync(folder, { recursive: true })
  const manifest = { private: true, type: 'module' }
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify(manifest))
  const options = ['--no-audit', '--no-fund', '--loglevel=error', '--ignore-scripts']
  await run(['npm', 'install', ...options, ...packages], { cwd: folder })
}
