/** What the commands are given, and how they fail. */
import type { Readable, Writable } from 'node:stream'
import type { Dashboard } from '../dashboard/dashboard.ts'
import type { Service, ServiceOptions } from '../service.ts'
import type { Ledger } from '../storage/storage.ts'
import type { Output } from './output.ts'

/** What every command but `serve` works on, beside a running service or without one. */
export interface Workspace {
  dashboard: Dashboard
  ledger: Ledger
  close(): Promise<void>
}

/** Where everything is kept. */
export interface Folders {
  dataDir: string
  cacheDir: string
}

export interface CommandLineOptions {
  env: Readonly<Record<string, string | undefined>>
  stdin: Readable
  stdout: Writable
  stderr: Writable
  openWorkspace(folders: Folders): Promise<Workspace>
  startService(options: ServiceOptions): Promise<Service>
}

/** What a group of commands is given. */
export interface Cli extends Pick<CommandLineOptions, 'env' | 'stdin' | 'startService'> {
  output: Output
  folders(): Folders
  /** Opens the data folder, hands it over, and closes it whatever happens. */
  inWorkspace(work: (workspace: Workspace) => Promise<void>): Promise<void>
}

/** The command was given something it cannot work with; exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** The command was understood and could not be done; exit code 1. */
export class CommandFailed extends Error {
  override readonly name = 'CommandFailed'
}
