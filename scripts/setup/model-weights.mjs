import { fileURLToPath } from 'node:url'
import { displayPath, node24Path } from './paths.mjs'
import { SetupError } from './progress.mjs'
import { CommandError, runCommand } from './run-command.mjs'

/**
 * Ensures that the local model's weights are present. The app also starts without them and shows what to do, so
 * missing weights are a failure only if `required`.
 * @param {{ cacheDir: string, required: boolean }} options
 * @returns {Promise<import('./progress.mjs').StepResult<void>>}
 */
export async function ensureModelWeights({ cacheDir, required }) {
  try {
    const line = await runCommand({
      command: node24Path,
      args: [fileURLToPath(new URL('fetch-weights.ts', import.meta.url)), cacheDir],
      env: { ...process.env, NODE_USE_ENV_PROXY: '1' },
    })
    // fetch-weights.ts prints nothing else.
    const { path, source, already } =
      /** @type {{ path: string, source: string, already: boolean }} */ (JSON.parse(line))
    return { value: undefined, already, detail: `Local model from ${source}: ${displayPath(path)}` }
  } catch (error) {
    const reason = error instanceof CommandError ? error.output : String(error)
    const wayOut =
      'set MODELPORT_LOCAL_MODEL_FILE to a .gguf file, or start again where the network reaches one of the two.'
    if (required)
      throw new SetupError(`The local model's weights are not available. ${reason}`, {
        wayOut,
        cause: error,
      })
    return {
      value: undefined,
      already: true,
      detail: `No local model, the app starts without it (${reason}). Fix: ${wayOut}`,
    }
  }
}
