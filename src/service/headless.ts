/** The command line's entry: `bin/modelport.mjs` runs this file under a Node that is new enough. */
import { runCommandLine } from './cli/command-line.ts'

// Only the owner can read files created from here on.
process.umask(0o077)
process.exitCode = await runCommandLine(process.argv.slice(2), process)
