/**
 * An app in one file, an AppImage. The new one is copied beside it while the app runs and renamed over it after the app has
 * stopped: there is a complete file at every moment. Its name stays, because launchers and the autostart entry contain it.
 */
import { spawn } from 'node:child_process'
import { access, chmod, constants, copyFile, open, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Installation, RestartAfter } from './installation.ts'
import { UpdateProblem } from './update-problem.ts'

export function appImageInstallation(file: string, restartAfter: RestartAfter): Installation {
  const next = nextFile(file)
  const discard = () => rm(next, { force: true })
  return {
    needsPassword: false,
    discard,
    async assertReplaceable() {
      try {
        await access(dirname(file), constants.W_OK)
      } catch (error) {
        throw new UpdateProblem('read_only', { cause: error })
      }
    },
    async prepare(verified, signal) {
      try {
        await copyFile(verified.file, next)
        await chmod(next, (await stat(file)).mode & 0o777)
        await syncFile(next)
        signal.throwIfAborted()
      } catch (error) {
        await discard()
        throw error
      }
    },
    async install() {
      restartAfter(() => rename(next, file))
    },
  }
}

/** Left by a download that was neither installed nor skipped before the app stopped. */
export const nextFile = (file: string) => `${file}.next`

async function syncFile(file: string): Promise<void> {
  const handle = await open(file, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/**
 * Starts a program when this process has ended. Electron's own relaunch runs from the mounted AppImage, which is
 * unmounted when the app ends; a shell that reads until then does not.
 */
export function startAfterExit(program: string, args: readonly string[]): void {
  const script = 'read -r _; exec "$0" "$@" </dev/null'
  const child = spawn('/bin/sh', ['-c', script, program, ...args], {
    // This process never writes to the pipe; the system closes it at the end.
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
    cwd: '/',
  })
  child.unref()
}
