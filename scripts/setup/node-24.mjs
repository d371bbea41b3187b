import { node24Path } from './paths.mjs'
import { readLockedVersion } from './npm.mjs'
import { reasonOf, SetupError } from './progress.mjs'
import { runCommand } from './run-command.mjs'

/**
 * Ensures that the project's own Node runs here. The machine's Node may be older: it runs only this launcher.
 * @returns {Promise<import('./progress.mjs').StepResult<string>>} the path of the executable
 */
export async function ensureNode24() {
  const wanted = await readLockedVersion('node')
  const version = await readVersion()
  if (version === `v${wanted}`)
    return { value: node24Path, already: true, detail: `Node ${wanted} is there` }
  throw new SetupError(
    `node_modules contains Node ${version}, but the lockfile requires ${wanted}.`,
    {
      wayOut: 'delete the folder node_modules and start again.',
    },
  )
}

async function readVersion() {
  try {
    return (await runCommand({ command: node24Path, args: ['--version'] })).trim()
  } catch (error) {
    throw new SetupError(`The project's Node 24 does not run: ${reasonOf(error)}`, {
      wayOut:
        'delete the folder node_modules and start again. A checkout needs Linux on x64 or arm64; macOS is untried.',
      cause: error,
    })
  }
}
