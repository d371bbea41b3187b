// `npm run e2e [-- playwright arguments]`: the end-to-end tests alone.
import { ensureBuild } from './setup/build.mjs'
import { prepare } from './setup/prepare.mjs'
import { runLauncher, step } from './setup/progress.mjs'
import { runEndToEnd } from './run-end-to-end.mjs'

await runLauncher(async () => {
  const setup = await prepare({
    window: true,
    tests: true,
    // Japanese and Chinese need fonts: CONTRIBUTING.md.
    languages: process.env['MODELPORT_E2E_LANGUAGES'] !== undefined,
  })
  await step('Build', () => ensureBuild())
  return runEndToEnd(setup, { args: process.argv.slice(2) })
})
