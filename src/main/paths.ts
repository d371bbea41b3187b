import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { app } from 'electron'

/**
 * Chooses the data folder and creates it if missing: `MODELPORT_DATA_DIR`, else the system's folder for this app.
 * Chromium's files are in a subfolder. Call this before anything else asks Electron for a path.
 */
export function chooseDataDir(): string {
  const dataDir = process.env['MODELPORT_DATA_DIR'] || app.getPath('userData')
  const browserDir = join(dataDir, 'browser')
  mkdirSync(browserDir, { recursive: true, mode: 0o700 })
  app.setPath('userData', dataDir)
  app.setPath('sessionData', browserDir)
  return dataDir
}

/**
 * The SQLite binding for an Electron that cannot load better-sqlite3's own: from the launcher, or in a package.
 * @returns undefined where better-sqlite3's own works
 */
export function sqliteBinding(): string | undefined {
  const packaged = join(process.resourcesPath, 'better-sqlite3.node')
  // A package loads only its own: the binding is code of this process.
  const given = app.isPackaged ? undefined : process.env['MODELPORT_SQLITE_BINDING']
  return given || (existsSync(packaged) ? packaged : undefined)
}
