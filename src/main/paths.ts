/** Where the app keeps its things. The command line computes the same folders without Electron. */
import { homedir } from 'node:os'
import { join } from 'node:path'
import { app } from 'electron'

/**
 * Makes the data folder the one everything is kept in, Chromium's own files too (in a folder of their
 * own below it). To be called before anything else asks for it.
 * @returns `MODELPORT_DATA_DIR`, else the system's folder for this app's data
 */
export function chooseDataDir(): string {
  const dataDir = process.env['MODELPORT_DATA_DIR'] || app.getPath('userData')
  app.setPath('userData', dataDir)
  app.setPath('sessionData', join(dataDir, 'browser'))
  return dataDir
}

/** `MODELPORT_CACHE_DIR`, else the system's folder for what can be fetched again. */
export function findCacheDir(): string {
  return process.env['MODELPORT_CACHE_DIR'] || join(systemCacheDir(), 'modelport')
}

function systemCacheDir(): string {
  const { LOCALAPPDATA, XDG_CACHE_HOME } = process.env
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Caches')
  if (process.platform === 'win32') return LOCALAPPDATA || join(homedir(), 'AppData', 'Local')
  return XDG_CACHE_HOME || join(homedir(), '.cache')
}
