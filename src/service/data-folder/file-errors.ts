/** Explains errors of files and folders: the path, the problem and what to do. */

/** A file or folder that Modelport needs cannot be used. */
export class FileProblem extends Error {
  override readonly name = 'FileProblem'
}

const chooseFolder = 'or choose another folder with --data-dir'

interface Problem {
  /** Prefixes of the error codes of Node.js and SQLite. */
  codes: readonly string[]
  words: (path: string) => string
}

const problems: readonly Problem[] = [
  {
    codes: ['EACCES', 'EPERM', 'SQLITE_CANTOPEN', 'SQLITE_PERM'],
    words: (path) =>
      `Modelport cannot open or change ${path}. Check that your user may write there, ${chooseFolder}.`,
  },
  {
    codes: ['EROFS', 'SQLITE_READONLY'],
    words: (path) => `${path} is read-only. Make it writable, ${chooseFolder}.`,
  },
  {
    codes: ['ENOSPC', 'EDQUOT', 'SQLITE_FULL'],
    words: (path) =>
      `The disk is full: ${path} cannot be written. Free some space, then try again.`,
  },
  {
    codes: ['EEXIST'],
    words: (path) =>
      `${path} is a file, but Modelport needs a folder there. Move the file away, then try again.`,
  },
  {
    codes: ['ENOTDIR'],
    words: (path) =>
      `${path} cannot be created, because part of the path is a file. Move that file away, ${chooseFolder}.`,
  },
  {
    codes: ['EISDIR'],
    words: (path) =>
      `${path} is a folder, but Modelport needs a file there. Move the folder away, then try again.`,
  },
  {
    codes: ['SQLITE_NOTADB', 'SQLITE_CORRUPT'],
    words: (path) => `${path} is damaged. Delete it, then try again.`,
  },
  {
    codes: ['EIO', 'SQLITE_IOERR'],
    words: (path) => `The disk reported an error for ${path}. Check the disk, then try again.`,
  },
]

/**
 * Explains the error of a file operation; null for every other error.
 * @param path  the file, if the error does not name it
 */
export function fileErrorWords(error: unknown, path: string | null = null): string | null {
  if (error instanceof FileProblem) return error.message
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return null
  const { code } = error
  const named = 'path' in error && typeof error.path === 'string' ? error.path : path
  if (named === null) return null
  if (isCreatingFolder(error) && code === 'ENOENT') {
    return `The folder ${named} cannot be created. Check that its parent folder exists and is not read-only, ${chooseFolder}.`
  }
  const problem = problems.find(({ codes }) => codes.some((start) => code.startsWith(start)))
  return problem?.words(named) ?? null
}

/** A `FileProblem` for the error of a file operation, else the error itself. */
export function asFileProblem(error: unknown, path: string): unknown {
  const words = fileErrorWords(error, path)
  return words === null ? error : new FileProblem(words, { cause: error })
}

function isCreatingFolder(error: Error): boolean {
  return 'syscall' in error && error.syscall === 'mkdir'
}
