/** Writes `installation.json`: the SHA-256 of every file of an installation, which `modelport doctor` compares. */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { repositoryDir } from '../scripts/setup/paths.mjs'

export const listName = 'installation.json'

/** @param {string} folder  gets the list of what is in it now */
export async function writeInstallationList(folder) {
  const { version } = JSON.parse(await readFile(join(repositoryDir, 'package.json'), 'utf8'))
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = entries
    .filter((entry) => entry.isFile() && entry.name !== listName)
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted()
  /** @type {Record<string, string>} */
  const files = {}
  for (const path of paths)
    files[relative(folder, path).replaceAll(sep, '/')] = await sha256Of(path)
  await writeFile(join(folder, listName), `${JSON.stringify({ version, files }, null, 1)}\n`)
}

/** @param {string} file @returns {Promise<string>} hexadecimal */
export async function sha256Of(file) {
  const hash = createHash('sha256')
  await pipeline(createReadStream(file), hash)
  return hash.digest('hex')
}
