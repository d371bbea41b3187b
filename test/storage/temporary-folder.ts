import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/**
 * A new folder.
 * @param atEnd  when it is removed: with the test, or `afterAll` for a group of tests
 */
export function temporaryFolder(atEnd: (end: () => void) => void = onTestFinished): string {
  const folder = mkdtempSync(join(tmpdir(), 'modelport-test-'))
  // The last line of a log can reach its file while the folder is removed.
  atEnd(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
  return folder
}
