/** The command line's entry: `bin/modelport.mjs` runs this file under a Node that is new enough. */
import { runCommandLine } from './cli/command-line.ts'
import { openWorkspace } from './open-workspace.ts'
import { startService } from './start-service.ts'

// Whatever is created from here on is its owner's alone.
process.umask(0o077)

const { env, stdin, stdout, stderr } = process
process.exitCode = await runCommandLine(process.argv.slice(2), {
  env,
  stdin,
  stdout,
  stderr,
  openWorkspace,
  startService,
})
