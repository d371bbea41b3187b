/** Writes small files of the app. Synchronous, because the process may be about to end. */
import { renameSync, writeFileSync } from 'node:fs'

/** A full disk leaves the file as it was. @throws the file system's error */
export function writeWhole(file: string, text: string): void {
  const draft = `${file}.draft`
  writeFileSync(draft, text)
  renameSync(draft, file)
}
