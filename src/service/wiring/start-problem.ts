/** Why the service could not start, as a problem that the window knows. */
import type { StartProblem } from '../../shared/app/start-state.ts'
import { DataFolderInUse } from '../data-folder/data-folder.ts'
import { fileErrorWords } from '../data-folder/file-errors.ts'
import { DatabaseFromNewerVersion, StorageUnavailable } from '../storage/storage-errors.ts'

const byCode: readonly (readonly [RegExp, StartProblem])[] = [
  [/^SQLITE_(BUSY|LOCKED)/, 'database_locked'],
  [/^(ENOSPC|EDQUOT|SQLITE_FULL)/, 'disk_full'],
  [/^(EACCES|EPERM|EROFS|SQLITE_CANTOPEN|SQLITE_READONLY|SQLITE_PERM)/, 'no_access'],
]

export interface FailedStart {
  problem: StartProblem
  message: string
}

export function startProblemOf(error: unknown): FailedStart {
  const problem = kindOf(error)
  const words = fileErrorWords(error)
  if (words !== null) return { problem, message: words }
  // The text of an unexpected error is for the log.
  if (problem === 'unexpected' || !(error instanceof Error)) return { problem, message: unexpected }
  return { problem, message: error.message.replace(commandAdvice, '') }
}

/** The window offers the copies itself. */
const commandAdvice = / Restore a backup with “modelport restore FILE”.*$/

const unexpected = 'The log in the data folder has the details.'

function kindOf(error: unknown): StartProblem {
  if (error instanceof DatabaseFromNewerVersion) return 'newer_database'
  if (error instanceof DataFolderInUse) return 'folder_in_use'
  const known = byCode.find(([pattern]) => pattern.test(codeOf(error)))
  if (known) return known[1]
  // A damaged or emptied database is the only such failure without a code.
  const isDamaged = error instanceof StorageUnavailable && /is damaged|is empty/.test(error.message)
  return isDamaged ? 'damaged' : 'unexpected'
}

/** System code of the error, or of the file error that caused it. */
function codeOf(error: unknown): string {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if ('code' in cause && typeof cause.code === 'string') return cause.code
  }
  return ''
}
