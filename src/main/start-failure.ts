import { app, dialog } from 'electron'
import { reportBug } from './bugs.ts'

/** Says that the app cannot even open its window, then ends it. The window shows every other failure of a start. */
export async function giveUp(error: unknown): Promise<void> {
  reportBug('start', error)
  const detail = 'Start it from a terminal to see the error.'
  await dialog.showMessageBox({ type: 'error', message: 'Modelport cannot start', detail })
  app.exit(1)
}
