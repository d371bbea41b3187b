/** The command line's entry: `bin/modelport.mjs` runs this file under a Node that is new enough. */
import { runCommandLine } from './cli/command-line.ts'

// Only the owner can read files created from here on.
process.umask(0o077)
for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error: NodeJS.ErrnoException) => {
    // A reader such as `head` has closed the pipe. The command continues: a service serves, and a change is completed.
    if (error.code !== 'EPIPE') throw error
  })
process.exitCode = await runCommandLine(process.argv.slice(2), process)
