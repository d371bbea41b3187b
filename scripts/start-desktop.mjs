import { repositoryDir } from './setup/paths.mjs'
import { runInForeground } from './setup/run-in-foreground.mjs'
import { findSandboxComplaint, sandboxArguments } from './setup/sandbox.mjs'

/**
 * Opens the app and stays until its window is closed.
 * @param {import('./setup/prepare.mjs').Desktop} desktop
 * @returns {Promise<number>} Electron's exit code
 */
export async function startDesktop({ electron, env }) {
  /** @type {string | null} */
  let complaint = null
  const exitCode = await runInForeground({
    command: electron,
    args: [...sandboxArguments(), repositoryDir],
    cwd: repositoryDir,
    env,
    onStderrLine: (line) => {
      complaint ??= findSandboxComplaint(line)
    },
  })
  if (exitCode !== 0 && complaint !== null) process.stderr.write(`\n${complaint}\n`)
  return exitCode
}
