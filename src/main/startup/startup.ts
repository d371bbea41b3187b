/** How the app starts with the computer, for the page Settings. */
import { app } from 'electron'
import type { StartupInput, StartupState } from '../../shared/app/startup.ts'
import type { MainWindow } from '../window.ts'
import { ownAppImage } from '../updates/installation-kind.ts'
import { createLoginItem, type LoginItemOptions } from './login-item.ts'

export interface Startup {
  readonly options: LoginItemOptions
  state(): StartupState
  /** @throws an error of the file system */
  change(wanted: StartupInput): StartupState
}

/** @param hasTray  null while that is being found out */
export function openStartup(window: MainWindow, hasTray: () => boolean | null): Startup {
  const options: LoginItemOptions = {
    app,
    platform: process.platform,
    env: process.env,
    command: ownCommand(),
    remembered: {
      startsHidden: () => window.remembered().startsHidden,
      setStartsHidden: (startsHidden) => window.remember({ startsHidden }),
    },
  }
  const item = createLoginItem(options)
  const state = () => ({ ...item.read(), hasTray: hasTray() })
  return {
    options,
    state,
    change(wanted) {
      item.write(wanted)
      return state()
    },
  }
}

/** An AppImage is mounted at a new place at each start; from a checkout, Electron starts the folder. */
function ownCommand(): readonly string[] {
  const program = ownAppImage(process.env, process.execPath) ?? process.execPath
  return app.isPackaged ? [program] : [program, app.getAppPath()]
}
