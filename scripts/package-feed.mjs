/**
 * `npm run package:feed -- --key FILE [--notes FILE]`: writes the signed list of the packages in dist/, for the server
 * that the build names. `--new-key FILE` creates the key instead.
 */
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { parseArgs } from 'node:util'
import {
  newUpdateKey,
  packageExtensions,
  publicKeyOf,
  writeFeed,
} from '../packaging/update-feed.mjs'
import { repositoryDir } from './setup/paths.mjs'
import { print, runLauncher, SetupError } from './setup/progress.mjs'

const outDir = join(repositoryDir, 'dist')

await runLauncher(async () => {
  const { key, 'new-key': newKey, notes } = readOptions()
  if (newKey !== undefined) await createKey(newKey)
  else if (key !== undefined) await createFeed(key, notes)
  else
    throw new SetupError('There is no key to sign with.', {
      wayOut: 'name its file with --key FILE, or create one with --new-key FILE.',
    })
  return 0
})

function readOptions() {
  const text = /** @type {const} */ ({ type: 'string' })
  return parseArgs({ options: { key: text, 'new-key': text, notes: text } }).values
}

/** @param {string} file */
async function createKey(file) {
  const { privateKey, publicKey } = newUpdateKey()
  await writeFile(file, privateKey, { mode: 0o600, flag: 'wx' })
  print(
    `The private key is ${file}. Keep it secret and safe: without it there are no more updates.`,
  )
  print(`MODELPORT_UPDATE_PUBLIC_KEY=${publicKey}`)
}

/** @param {string} keyFile @param {string | undefined} notesFile */
async function createFeed(keyFile, notesFile) {
  const { version } = JSON.parse(await readFile(join(repositoryDir, 'package.json'), 'utf8'))
  const privateKey = await readFile(keyFile, 'utf8')
  const files = (await readdir(outDir))
    .filter((name) => packageExtensions.some((extension) => name.endsWith(`.${extension}`)))
    .map((name) => join(outDir, name))
  if (files.length === 0)
    throw new SetupError('There are no packages in dist/.', {
      wayOut: 'run `npm run package` first.',
    })
  const notes = notesFile === undefined ? null : await readFile(notesFile, 'utf8')
  const date = new Date()
  const written = await writeFeed({ version, files, outDir, privateKey, notes, date })
  print(
    `Wrote ${written.map((file) => basename(file)).join(' and ')} for ${files.length} packages.`,
  )
  print(`They are valid for builds with MODELPORT_UPDATE_PUBLIC_KEY=${publicKeyOf(privateKey)}`)
}
