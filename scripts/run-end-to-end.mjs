import { join } from 'node:path'
import { onVirtualDisplay } from './setup/display.mjs'
import { inKeyringSession, withFreshHome } from './setup/keyring.mjs'
import { repositoryDir } from './setup/paths.mjs'
import { SetupError } from './setup/progress.mjs'
import { runInForeground } from './setup/run-in-foreground.mjs'

/**
 * Runs Playwright on the built app in real Electron, on a display of its own with an unlocked keyring of its own.
 * @param {import('./setup/prepare.mjs').Setup} setup
 * @param {object} options
 * @param {readonly string[]} options.args Playwright's arguments
 * @param {string} [options.reportFile] where its JSON report goes
 * @param {(line: string) => void} [options.onStdoutLine] receives what it prints instead of showing it
 * @returns {Promise<number>} Playwright's exit code
 */
export async function runEndToEnd({ node24, desktop }, { args, reportFile, onStdoutLine }) {
  if (!desktop) throw new SetupError('No Electron was prepared.')
  const playwright = join(repositoryDir, 'node_modules', '@playwright', 'test', 'cli.js')
  const [command, ...commandArgs] = onVirtualDisplay(
    inKeyringSession([node24, playwright, 'test', ...args]),
  )
  return withFreshHome((freshHome) =>
    runInForeground({
      command,
      args: commandArgs,
      cwd: repositoryDir,
      env: {
        ...desktop.env,
        ...freshHome,
        MODELPORT_ELECTRON: desktop.electron,
        ...(reportFile === undefined ? {} : { MODELPORT_E2E_REPORT: reportFile }),
      },
      wholeGroup: true,
      ...(onStdoutLine === undefined ? {} : { onStdoutLine }),
    }),
  )
}
