import { repositoryDir } from './setup/paths.mjs'
import { runInForeground } from './setup/run-in-foreground.mjs'
import { findSandboxComplaint, sandboxArguments } from './setup/sandbox.mjs'

/**
 * Opens the app and stays until its window is closed.
 * @param {import('./setup/prepare.mjs').Desktop} desktop
 * @returns {Promise<number>} Electron's exit code
 */
export async function startDesktop({ electron, env }) {
  /** @type {string[]} */
  const complaints = []
  const exitCode = await runInForeground({
    command: electron,
    args: [...sandboxArguments(), repositoryDir],
    cwd: repositoryDir,
    env,
    onStderrLine: (line) => {
      const complaint = findSandboxComplaint(line)
      if (complaint !== null) complaints.push(complaint)
    },
  })
  if (exitCode !== 0 && complaints[0]) process.stderr.write(`\n${complaints[0]}\n`)
  return exitCode
}
