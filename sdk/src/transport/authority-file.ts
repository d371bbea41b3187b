/** Finds the certificate of Modelport's local authority, and notices when it was replaced. */
import { readFileSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

/** Modelport's data folder on this computer, the same for the desktop app and `modelport serve`. */
export function defaultAuthorityFile(): string {
  return join(applicationsFolder(), 'Modelport', 'tls', 'ca.pem')
}

function applicationsFolder(): string {
  const { APPDATA, XDG_CONFIG_HOME } = process.env
  switch (process.platform) {
    case 'darwin':
      return join(homedir(), 'Library', 'Application Support')
    case 'win32':
      return APPDATA || join(homedir(), 'AppData', 'Roaming')
    default:
      return XDG_CONFIG_HOME || join(homedir(), '.config')
  }
}

/** An authority's certificate as PEM; `version` differs after the file was replaced. */
export interface Authority {
  version: string
  pem: string
}

/**
 * Reads the file again only when it changed.
 * @returns a function that gives null while the file is missing or cannot be read
 */
export function watchAuthority(file: string): () => Authority | null {
  let last: Authority | null = null
  return () => {
    try {
      const { mtimeMs, size, ino } = statSync(file)
      const version = `${mtimeMs} ${size} ${ino}`
      if (last?.version !== version) last = { version, pem: readFileSync(file, 'utf8') }
      return last
    } catch {
      // Modelport never ran here, or the runtime forbids the file. The platform's own trust then decides.
      return null
    }
  }
}
