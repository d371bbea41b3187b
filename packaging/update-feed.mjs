/** The feed of updates: the file in a package that names it, and the signed list of packages that it serves. */
import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  sign,
} from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { stringify } from 'yaml'

/** What electron-updater looks for, without the dot. */
export const packageExtensions = ['tar.gz', 'deb', 'rpm', 'AppImage', 'zip', 'exe']

/**
 * Writes `app-update.yml`, which gives a build updates from this feed only.
 * @param {string} outDir
 * @param {{ url: string, publicKey: string }} feed  the key in base64 (DER)
 * @returns {Promise<string>} the file
 */
export async function writeFeedSource(outDir, { url, publicKey }) {
  const file = join(outDir, 'app-update.yml')
  const source = { provider: 'generic', url, publicKey, updaterCacheDirName: 'modelport-updater' }
  await writeFile(file, stringify(source))
  return file
}

/** @returns {{ privateKey: string, publicKey: string }} PEM, and base64 (DER) for the build */
export function newUpdateKey() {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  return {
    privateKey: privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
    publicKey: publicKey.export({ format: 'der', type: 'spki' }).toString('base64'),
  }
}

/** @param {string} privateKey  PEM @returns {string} the public key for the build, in base64 (DER) */
export function publicKeyOf(privateKey) {
  const key = createPublicKey(createPrivateKey(privateKey))
  return key.export({ format: 'der', type: 'spki' }).toString('base64')
}

/**
 * Writes the list of packages and its signature.
 * @param {{ version: string, files: readonly string[], outDir: string, privateKey: string, notes: string | null, date: Date }} release
 * @returns {Promise<string[]>} both files
 */
export async function writeFeed({ version, files, outDir, privateKey, notes, date }) {
  const listed = await Promise.all(files.map((file) => describeFile(file)))
  const text = stringify({
    version,
    files: listed,
    releaseDate: date.toISOString(),
    ...(notes === null ? {} : { releaseNotes: notes }),
  })
  const list = join(outDir, feedName())
  const signature = sign(null, Buffer.from(text), createPrivateKey(privateKey))
  await writeFile(list, text)
  await writeFile(`${list}.sig`, `${signature.toString('base64')}\n`)
  return [list, `${list}.sig`]
}

/** As electron-updater names it. */
export function feedName(platform = process.platform, arch = process.arch) {
  if (platform === 'darwin') return 'latest-mac.yml'
  if (platform === 'win32') return 'latest.yml'
  return arch === 'x64' ? 'latest-linux.yml' : `latest-linux-${arch}.yml`
}

/** @param {string} file */
async function describeFile(file) {
  const hash = createHash('sha512')
  await pipeline(createReadStream(file), hash)
  const { size } = await stat(file)
  return { url: basename(file), sha512: hash.digest('base64'), size }
}
