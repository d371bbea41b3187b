import { app, dialog } from 'electron'
import { reportBug } from './bugs.ts'

/** The app cannot start (a database of a newer version, a data folder in use): says so, then ends it. */
export async function giveUp(error: unknown): Promise<void> {
  reportBug('start', error)
  const detail = error instanceof Error ? error.message : String(error)
  await dialog.showMessageBox({ type: 'error', message: 'Modelport cannot start', detail })
  app.exit(1)
}
