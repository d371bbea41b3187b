import { basename, join } from 'node:path'
import { app } from 'electron'
import { startAfterExit } from './app-image.ts'
import { ownAppImage } from './installation-kind.ts'

/** A restart into another version: the work is done after the service has closed, then the app starts again. */
export interface Restart {
  /** Quits the app. @param work  told whether the service closed in time; otherwise it may still write */
  after(work: (isClosed: boolean) => Promise<void>): void
  /** Call it when the service has closed. */
  whenClosed(isClosed: boolean): Promise<void>
}

export function createRestart(): Restart {
  let work: ((isClosed: boolean) => Promise<void>) | null = null
  return {
    after(next) {
      work = next
      app.quit()
    },
    async whenClosed(isClosed) {
      if (work === null) return
      try {
        await work(isClosed)
      } finally {
        startAgain()
      }
    },
  }
}

function startAgain(): void {
  const args = keptSwitches(process.argv)
  const appImage = ownAppImage(process.env, process.execPath)
  if (appImage === null)
    app.relaunch({ execPath: join(appFolder(), basename(process.execPath)), args })
  else startAfterExit(appImage, args)
}

/** The folder of the app's binary. */
export function appFolder(): string {
  return join(process.execPath, '..')
}

/** The app is started by its user, who wants its window. */
function keptSwitches(args: readonly string[]): string[] {
  return args.filter((argument) => argument === '--no-sandbox')
}
