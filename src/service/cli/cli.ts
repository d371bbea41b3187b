/** What the commands are given, and how they fail. */
import type { Readable, Writable } from 'node:stream'
import type { Workspace, WorkspaceOptions } from '../wiring/workspace.ts'
import type { Output } from './output.ts'

/** The process around the command line. */
export interface Surroundings {
  env: Readonly<Record<string, string | undefined>>
  stdin: Readable
  stdout: Writable
  stderr: Writable
}

/** What a group of commands is given. */
export interface Cli extends Pick<Surroundings, 'env' | 'stdin'> {
  output: Output
  workspaceOptions(): WorkspaceOptions
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
