import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { app } from 'electron'

/**
 * The folder everything is kept in, made when missing: `MODELPORT_DATA_DIR`, else the system's folder
 * for this app. Chromium's own files go to a folder below it. To be called before anything else asks
 * Electron for a path.
 */
export function chooseDataDir(): string {
  const dataDir = process.env['MODELPORT_DATA_DIR'] || app.getPath('userData')
  const browserDir = join(dataDir, 'browser')
  mkdirSync(browserDir, { recursive: true, mode: 0o700 })
  app.setPath('userData', dataDir)
  app.setPath('sessionData', browserDir)
  return dataDir
}
