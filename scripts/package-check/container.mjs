/** The Containerfile: its steps in a fresh Debian root, and the program that it starts. */
import { reportCount } from '../setup/figures.mjs'
import { reasonOf, SetupError, step } from '../setup/progress.mjs'
import { runCommand } from '../setup/run-command.mjs'
import { enterRoot } from './debian-root.mjs'
import { asUser, withHeadlessRoot } from './headless-root.mjs'
import { copyWeights } from './seat.mjs'
import { useService } from './use.mjs'

/** @typedef {import('./seat.mjs').Seat} Seat */

/** @param {{ cacheDir: string }} built */
export async function checkContainer({ cacheDir }) {
  await withHeadlessRoot(cacheDir, async ({ root, recipe, env }) => {
    const seat = seatIn(root, recipe.user)
    await copyWeights(seat, cacheDir)
    await step('Start, request, health, stop', async () => {
      const [app = '', ...args] = recipe.program
      /** @param {readonly string[]} command */
      const checkHealth = (command) => findProblem(seat, command, env)
      await useService({ ...seat, app }, { args, env }, async () => {
        const problem = await checkHealth(recipe.healthcheck)
        if (problem !== null) throw new SetupError(`The running service is not healthy: ${problem}`)
      })
      if ((await checkHealth(recipe.healthcheck)) === null)
        throw new SetupError('The HEALTHCHECK succeeds after the service has stopped.')
      const detail = `${recipe.program.join(' ')} starts as ${recipe.user}, answers, streams, is healthy, stops`
      reportCount('steps of the container recipe', recipe.steps.length)
      reportCount(`services started as ${recipe.user}`, 1)
      return { value: undefined, detail }
    })
  })
}

/** @param {string} root @param {string} user @returns {Seat} */
function seatIn(root, user) {
  /** @param {readonly string[]} command */
  const inRoot = (command) => [enterRoot, 'pivot', root, ...asUser(user, command)]
  const cli = '/usr/local/bin/modelport'
  return { root, home: '/data', dataDir: '/data', app: cli, cli, asUser: inRoot, onDisplay: inRoot }
}

/**
 * @param {Seat} seat
 * @param {readonly string[]} healthcheck
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<string | null>} null when the check succeeds
 */
async function findProblem(seat, healthcheck, env) {
  const [command = '', ...args] = seat.asUser(healthcheck)
  return runCommand({ command, args, env: { ...env, HOME: seat.home } }).then(
    () => null,
    (error) => reasonOf(error),
  )
}
