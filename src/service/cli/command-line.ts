/** The `modelport` command: one file per group of commands, this one joins them and turns errors into exit codes. */
import { Command, CommanderError } from 'commander'
import { DashboardError } from '../dashboard/dashboard.ts'
import { DataFolderInUse, defaultCacheDir, defaultDataDir } from '../files/data-folder.ts'
import { ServiceError } from '../errors.ts'
import { fileErrorWords } from '../files/file-errors.ts'
import { SecretStoreError } from '../secrets/secret-store.ts'
import {
  DatabaseFromNewerVersion,
  StorageConflict,
  StorageRejected,
  StorageUnavailable,
} from '../storage/storage.ts'
import { registerAgent } from './agent.ts'
import { registerBackup } from './backup.ts'
import { registerCatalog } from './catalog.ts'
import { CommandFailed, UsageError, type Cli, type Surroundings } from './cli.ts'
import { registerDoctor } from './doctor.ts'
import { registerExplain } from './explain.ts'
import { registerExport } from './export.ts'
import { registerFeedback } from './feedback.ts'
import { registerImport } from './import.ts'
import { registerKey } from './key.ts'
import { registerLocal } from './local.ts'
import { registerModel } from './model.ts'
import { createOutput, withoutControls } from './output.ts'
import { registerProvider } from './provider.ts'
import { registerReplay } from './replay.ts'
import { registerRequests } from './requests.ts'
import { registerRestore } from './restore.ts'
import { registerRouter } from './router.ts'
import { registerServe } from './serve.ts'
import { registerSettings } from './settings.ts'
import { registerTune } from './tune.ts'
import { registerUsage } from './usage.ts'

/** @returns the exit code: 0 done, 1 failed, 2 wrong usage */
export async function runCommandLine(
  args: readonly string[],
  surroundings: Surroundings,
): Promise<number> {
  try {
    await createProgram(surroundings).parseAsync(args, { from: 'user' })
    return 0
  } catch (error) {
    // Commander has already printed the problem, or the requested help.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    const lines = wordsFor(error).split('\n').map(withoutControls)
    surroundings.stderr.write(`modelport: ${lines.join('\n')}\n`)
    return isWrongUsage(error) ? 2 : 1
  }
}

function createProgram(surroundings: Surroundings): Command {
  const { env, stdout, stderr } = surroundings
  const program = new Command('modelport')
    .description('One local port in front of all your language models.')
    .option('--data-dir <folder>', 'the data folder', defaultDataDir(env))
    .option('--json', 'print one JSON value per line and nothing else')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void stdout.write(text),
      writeErr: (text) => void stderr.write(text),
    })
  const cli = createCli(program, surroundings)
  for (const register of groups) register(program, cli)
  return program
}

const groups = [
  registerServe,
  registerProvider,
  registerModel,
  registerLocal,
  registerCatalog,
  registerRouter,
  registerKey,
  registerAgent,
  registerUsage,
  registerRequests,
  registerFeedback,
  registerExplain,
  registerReplay,
  registerTune,
  registerSettings,
  registerExport,
  registerImport,
  registerBackup,
  registerRestore,
  registerDoctor,
]

interface GlobalOptions {
  dataDir: string
  json?: true
}

function createCli(program: Command, surroundings: Surroundings): Cli {
  const { env, stdin, stdout, stderr } = surroundings
  const isJson = () => program.opts<GlobalOptions>().json === true
  const workspaceOptions = () => ({
    dataDir: program.opts<GlobalOptions>().dataDir,
    cacheDir: defaultCacheDir(env),
    allowSessionSecrets: false,
    env,
  })
  return {
    env,
    stdin,
    workspaceOptions,
    output: createOutput({ stdout, stderr, isJson }),
    async inWorkspace(work) {
      // Loaded when needed: help and usage errors print in half the time without it.
      const { openWorkspace } = await import('../wiring/workspace.ts')
      const workspace = await openWorkspace(workspaceOptions())
      try {
        await work(workspace)
      } finally {
        await workspace.close()
      }
    },
  }
}

function isWrongUsage(error: unknown): boolean {
  if (error instanceof UsageError) return true
  return error instanceof DashboardError && error.code === 'invalid'
}

const expected = [
  UsageError,
  CommandFailed,
  ServiceError,
  DataFolderInUse,
  SecretStoreError,
  StorageConflict,
  StorageRejected,
  StorageUnavailable,
  DatabaseFromNewerVersion,
]

/** An expected failure in its own words; any other is a bug and shows its stack. */
function wordsFor(error: unknown): string {
  if (error instanceof DashboardError)
    return isWrongUsage(error) && error.field !== null
      ? `${error.field}: ${error.message}`
      : error.message
  if (!(error instanceof Error)) return String(error)
  const fileWords = fileErrorWords(error)
  if (fileWords !== null) return fileWords
  return expected.some((kind) => error instanceof kind)
    ? error.message
    : (error.stack ?? error.message)
}
