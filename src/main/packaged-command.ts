/** The command line inside a package: Electron runs it, because the package holds no other Node.js. */
import { runCommandLine } from '../service/cli/command-line.ts'
import { forkModelProcess } from './model-process.ts'
import { sqliteBinding } from './paths.ts'

/** @returns the exit code */
export function runPackagedCommand(args: readonly string[]): Promise<number> {
  // Only the user may read the files that a command writes.
  process.umask(0o077)
  const { env, stdin, stdout, stderr } = process
  const runtime = { sqliteBinding: sqliteBinding(), forkModelProcess }
  return runCommandLine(args, { env, stdin, stdout, stderr, runtime })
}
