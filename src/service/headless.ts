/** The command line's entry: `bin/modelport.mjs` runs this file under a Node that is new enough. */
import { runCommandLine } from './cli/command-line.ts'

// Whatever is created from here on is its owner's alone.
process.umask(0o077)
process.exitCode = await runCommandLine(process.argv.slice(2), process)
