/** The context of a command, and the errors it fails with. */
import type { Readable, Writable } from 'node:stream'
import type { Workspace, WorkspaceOptions } from '../wiring/workspace.ts'
import type { Output } from './output.ts'

/** The process around the command line. */
export interface CliProcess {
  env: Readonly<Record<string, string | undefined>>
  stdin: Readable
  stdout: Writable
  stderr: Writable
  /** What another runtime than Node.js needs, such as Electron. */
  runtime?: Pick<WorkspaceOptions, 'sqliteBinding' | 'forkModelProcess'>
}

/** The context of a group of commands. */
export interface Cli extends Pick<CliProcess, 'env' | 'stdin' | 'stdout'> {
  output: Output
  /** Whether a person reads the output at a terminal. */
  isInteractive(): boolean
  workspaceOptions(): WorkspaceOptions
  /** Opens the data folder, runs the work, and always closes the folder. */
  inWorkspace<Result>(work: (workspace: Workspace) => Promise<Result>): Promise<Result>
}

/** An invalid argument or option; exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** The command ends with this exit code and says nothing more. */
export class ExitCode extends Error {
  override readonly name = 'ExitCode'
  readonly code: number

  constructor(code: number) {
    super(`exit ${code}`)
    this.code = code
  }
}

/** A valid command that failed; exit code 1. */
export class CommandFailed extends Error {
  override readonly name = 'CommandFailed'
}
