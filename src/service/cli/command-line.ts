/** The `modelport` command: one file per group of commands, this one joins them and turns errors into exit codes. */
import { homedir } from 'node:os'
import { resolve } from 'node:path'
import { Command, CommanderError } from 'commander'
import packageFile from '../../../package.json' with { type: 'json' }
import { DashboardError } from '../dashboard/dashboard.ts'
import { DataFolderInUse, defaultCacheDir, defaultDataDir } from '../data-folder/data-folder.ts'
import { ServiceError } from '../errors.ts'
import { fileErrorWords } from '../data-folder/file-errors.ts'
import type { ServerSecrets } from '../secrets/index.ts'
import { SecretStoreError } from '../secrets/secret-store.ts'
import {
  DatabaseFromNewerVersion,
  StorageConflict,
  StorageRejected,
  StorageUnavailable,
} from '../storage/storage.ts'
import { CommandFailed, ExitCode, UsageError, type Cli, type CliProcess } from './cli.ts'
import { databaseOption, type DatabaseOptionValue } from './database-option.ts'
import { withFileVariables } from './file-variables.ts'
import { createOutput, withoutControls } from './output.ts'
import { addServerOptions, keyOptions, type KeyOptionValues } from './server-options.ts'

/** @returns the exit code: 0 done, 1 failed, 2 wrong usage */
export async function runCommandLine(args: readonly string[], given: CliProcess): Promise<number> {
  try {
    const surroundings = { ...given, env: withFileVariables(given.env) }
    const program = createProgram(surroundings)
    const named = Object.keys(groups).filter((name) => args.includes(name))
    // Some commands have an option of this name themselves.
    if (named.length === 0) program.version(packageFile.version, '--version', 'print the version')
    const cli = createCli(program, surroundings)
    for (const register of await loadGroups(named)) register(program, cli)
    await program.parseAsync(args, { from: 'user' })
    return 0
  } catch (error) {
    // Commander has already printed the problem, or the requested help.
    if (error instanceof ExitCode) return error.code
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    const lines = wordsFor(error).split('\n').map(withoutControls)
    given.stderr.write(`modelport: ${lines.join('\n')}\n`)
    return isWrongUsage(error) ? 2 : 1
  }
}

function createProgram({ env, stdout, stderr }: CliProcess): Command {
  const program = new Command('modelport')
    .description('One local port in front of all your language models.')
    .option(
      '--data-dir <folder>',
      'the data folder',
      (folder: string) => resolve(folder),
      defaultDataDir(env),
    )
    .option('--json', 'print one JSON value per line and nothing else')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void stdout.write(text),
      writeErr: (text) => void stderr.write(text),
    })
  return addServerOptions(program, [databaseOption, ...keyOptions], env)
}

type Register = (program: Command, cli: Cli) => void

/** Loads the commands of a group, in the order of the help. A command pays only for its own group. */
const groups: Readonly<Record<string, () => Promise<Register>>> = {
  serve: async () => (await import('./serve.ts')).registerServe,
  provider: async () => (await import('./provider.ts')).registerProvider,
  model: async () => (await import('./model.ts')).registerModel,
  local: async () => (await import('./local.ts')).registerLocal,
  catalog: async () => (await import('./catalog.ts')).registerCatalog,
  router: async () => (await import('./router.ts')).registerRouter,
  key: async () => (await import('./key.ts')).registerKey,
  connect: async () => (await import('./connect.ts')).registerConnect,
  run: async () => (await import('./run.ts')).registerRun,
  mcp: async () => (await import('./mcp.ts')).registerMcp,
  agent: async () => (await import('./agent.ts')).registerAgent,
  sessions: async () => (await import('./sessions.ts')).registerSessions,
  chats: async () => (await import('./chats.ts')).registerChats,
  usage: async () => (await import('./usage.ts')).registerUsage,
  reconcile: async () => (await import('./reconcile.ts')).registerReconcile,
  requests: async () => (await import('./requests.ts')).registerRequests,
  feedback: async () => (await import('./feedback.ts')).registerFeedback,
  explain: async () => (await import('./explain.ts')).registerExplain,
  replay: async () => (await import('./replay.ts')).registerReplay,
  tune: async () => (await import('./tune.ts')).registerTune,
  connections: async () => (await import('./connections.ts')).registerConnections,
  settings: async () => (await import('./settings.ts')).registerSettings,
  export: async () => (await import('./export.ts')).registerExport,
  import: async () => (await import('./import.ts')).registerImport,
  backup: async () => (await import('./backup.ts')).registerBackup,
  restore: async () => (await import('./restore.ts')).registerRestore,
  'migrate-to': async () => (await import('./migrate-to.ts')).registerMigrateTo,
  'migrate-from': async () => (await import('./migrate-to.ts')).registerMigrateFrom,
  vault: async () => (await import('./vault.ts')).registerVault,
  trust: async () => (await import('./trust.ts')).registerTrust,
  untrust: async () => (await import('./trust.ts')).registerUntrust,
  doctor: async () => (await import('./doctor.ts')).registerDoctor,
}

/** @param named  none for help and for an unknown command, which need all groups */
function loadGroups(named: readonly string[]): Promise<Register[]> {
  const needed = named.length === 0 ? Object.keys(groups) : named
  return Promise.all(needed.flatMap((name) => groups[name]?.() ?? []))
}

interface GlobalOptions extends KeyOptionValues, DatabaseOptionValue {
  dataDir: string
  json?: true
}

function createCli(program: Command, surroundings: CliProcess): Cli {
  const { env, stdin, stdout, stderr, runtime } = surroundings
  const isJson = () => program.opts<GlobalOptions>().json === true
  const workspaceOptions = () => ({
    dataDir: program.opts<GlobalOptions>().dataDir,
    database: program.opts<GlobalOptions>().database,
    serverSecrets: toServerSecrets(program.opts<GlobalOptions>()),
    cacheDir: defaultCacheDir(env),
    allowSessionSecrets: false,
    env,
    home: { dir: env['HOME'] || homedir(), platform: process.platform, env },
    ...runtime,
  })
  return {
    env,
    stdin,
    stdout,
    workspaceOptions,
    output: createOutput({ stdout, stderr, isJson }),
    isInteractive: () => !isJson() && 'isTTY' in stdout && stdout.isTTY === true,
    async inWorkspace(work) {
      // Loaded when needed: help and usage errors print in half the time without it.
      const { openForCommand } = await import('../upkeep/open-for-command.ts')
      const workspace = await openForCommand(workspaceOptions(), packageFile.version)
      try {
        return await work(workspace)
      } finally {
        await workspace.close()
      }
    },
  }
}

function toServerSecrets(options: KeyOptionValues): ServerSecrets {
  const { secretsDir, vaultKeyFile: file, vaultKeyCommand: command, vendorKeys } = options
  return { secretsDir, file, command, usesVendorVariables: vendorKeys }
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
