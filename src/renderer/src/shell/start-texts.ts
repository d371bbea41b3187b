import type { StartProblem } from '../../../shared/app/start-state.ts'
import { t } from '../../../shared/strings/strings.ts'

interface StartText {
  title: string
  wayOut: string
}

/** What keeps the app from starting, and what the user can do. */
export const startTexts: Record<StartProblem, StartText> = {
  newer_database: {
    title: t('This database needs a newer Modelport'),
    wayOut: t(
      'A newer version has used this data folder, and this one changed nothing. Install the newer version again, or restore a backup from before the upgrade.',
    ),
  },
  database_locked: {
    title: t('Another program has locked the database'),
    wayOut: t(
      'Close programs that have modelport.db open, such as a database viewer or a backup tool. Then try again.',
    ),
  },
  disk_full: {
    title: t('The disk is full'),
    wayOut: t(
      'Modelport cannot write its database. Free some space, then try again. No data is lost.',
    ),
  },
  damaged: {
    title: t('The database is damaged'),
    wayOut: t(
      'Restore a copy: newer requests that can still be read are added. The damaged database is kept, whatever you choose.',
    ),
  },
  folder_in_use: {
    title: t('Another Modelport uses this data folder'),
    wayOut: t('Stop it, for example “modelport serve” in a terminal, then try again.'),
  },
  no_access: {
    title: t('Modelport cannot use its data folder'),
    wayOut: t('Check that your user may read and change the folder and its files. Then try again.'),
  },
  unexpected: {
    title: t('Modelport could not start'),
    wayOut: t(
      'Something unexpected happened. Try again; if it happens again, the log has the details.',
    ),
  },
}
