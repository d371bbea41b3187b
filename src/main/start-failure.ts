import { app, dialog } from 'electron'
import { fileErrorWords } from '../service/service.ts'
import { reportBug } from './bugs.ts'

/** Shows why the app cannot start (a database of a newer version, a data folder in use), then ends it. */
export async function giveUp(error: unknown): Promise<void> {
  reportBug('start', error)
  const message = error instanceof Error ? error.message : String(error)
  const detail = fileErrorWords(error) ?? message
  await dialog.showMessageBox({ type: 'error', message: 'Modelport cannot start', detail })
  app.exit(1)
}
