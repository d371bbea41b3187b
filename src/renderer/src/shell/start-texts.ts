import type { StartProblem } from '../../../shared/start-state.ts'

interface StartText {
  title: string
  wayOut: string
}

/** What keeps the app from starting, and what the user can do. */
export const startTexts: Record<StartProblem, StartText> = {
  newer_database: {
    title: 'This database needs a newer Modelport',
    wayOut:
      'A newer version has used this data folder, and this one changed nothing. Install the newer version again, or restore a backup from before the upgrade.',
  },
  database_locked: {
    title: 'Another program has locked the database',
    wayOut:
      'Close programs that have modelport.db open, such as a database viewer or a backup tool. Then try again.',
  },
  disk_full: {
    title: 'The disk is full',
    wayOut:
      'Modelport cannot write its database. Free some space, then try again. No data is lost.',
  },
  damaged: {
    title: 'The database is damaged',
    wayOut:
      'Restore a backup with “modelport restore FILE”: the data folder has daily backups. Then try again.',
  },
  folder_in_use: {
    title: 'Another Modelport uses this data folder',
    wayOut: 'Stop it, for example “modelport serve” in a terminal, then try again.',
  },
  no_access: {
    title: 'Modelport cannot use its data folder',
    wayOut: 'Check that your user may read and change the folder and its files. Then try again.',
  },
  unexpected: {
    title: 'Modelport could not start',
    wayOut:
      'Something unexpected happened. Try again; if it happens again, the log has the details.',
  },
}
