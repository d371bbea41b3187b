import { app, dialog } from 'electron'
import { reportBug } from './bugs.ts'
import { t } from '../shared/strings/strings.ts'

/** Says that the app cannot even open its window, then ends it. The window shows every other failure of a start. */
export async function giveUp(error: unknown): Promise<void> {
  reportBug('start', error)
  const detail = t('Start it from a terminal to see the error.')
  await dialog.showMessageBox({ type: 'error', message: t('Modelport cannot start'), detail })
  app.exit(1)
}
