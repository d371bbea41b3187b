import { spawn } from 'node:child_process'
import { app } from 'electron'

/** The end of this process for another version: the work is done after the service has closed. */
export interface Restart {
  /** Quits the app. @param work  told whether the service closed in time; otherwise it may still write */
  after(work: (isClosed: boolean) => void): void
  /** Call it when the service has closed. */
  whenClosed(isClosed: boolean): Promise<void>
}

export function createRestart(): Restart {
  let work: ((isClosed: boolean) => void) | null = null
  return {
    after(next) {
      work = next
      app.quit()
    },
    async whenClosed(isClosed) {
      work?.(isClosed)
    },
  }
}

/**
 * Starts the app again, as its user would, with its window.
 * @param appImage  the file to start; null for this program
 */
export function startAgain(appImage: string | null): void {
  const args = process.argv.filter((argument) => argument === '--no-sandbox')
  if (appImage === null) app.relaunch({ execPath: process.execPath, args })
  // Electron's own relaunch runs from the mounted AppImage, which is unmounted when the app ends.
  else spawn(appImage, args, { detached: true, stdio: 'ignore', cwd: '/' }).unref()
}
