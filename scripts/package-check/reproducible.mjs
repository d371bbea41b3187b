/** Two builds of one commit, from two clones in two folders, must have the same app.asar. */
import { extractFile, listPackage, statFile } from '@electron/asar'
import { createHash } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { repositoryDir } from '../setup/paths.mjs'
import { SetupError, step } from '../setup/progress.mjs'
import { runCommand } from '../setup/run-command.mjs'

const folderNames = ['first', 'second/in another folder']

/** Builds what is committed. @param {{ cacheDir: string }} built */
export async function checkReproducible({ cacheDir }) {
  const root = await mkdtemp(join(tmpdir(), 'modelport-reproducible-'))
  try {
    /** @type {string[]} */
    const archives = []
    for (const name of folderNames)
      archives.push(await step(`Build in ${name}`, () => buildClone(join(root, name), cacheDir)))
    const [first = '', second = ''] = archives
    if (hash(await readFile(first)) !== hash(await readFile(second)))
      throw new SetupError(`The builds differ: ${differences(first, second).join(', ')}`)
  } finally {
    await rm(root, { recursive: true, force: true })
  }
}

/** @param {string} folder @param {string} cacheDir */
async function buildClone(folder, cacheDir) {
  await runCommand({ command: 'git', args: ['clone', '--quiet', repositoryDir, folder] })
  // The lockfile pins the packages, so a second download would only cost time.
  const modules = ['-a', '--link', join(repositoryDir, 'node_modules'), folder]
  await runCommand({ command: 'cp', args: modules })
  await runCommand({
    command: 'npm',
    args: ['run', 'package', '--', 'dir'],
    cwd: folder,
    env: { ...process.env, MODELPORT_CACHE_DIR: cacheDir },
  })
  const archive = join(folder, 'dist', 'linux-unpacked', 'resources', 'app.asar')
  const detail = `${hash(await readFile(archive))}  app.asar built in ${folder}`
  return { value: archive, detail }
}

/** The files that are not the same in both archives. @param {string} first @param {string} second */
function differences(first, second) {
  const names = new Set([first, second].flatMap((file) => listPackage(file, { isPack: false })))
  return [...names].filter((name) => contentHash(first, name) !== contentHash(second, name))
}

/** @param {string} archive @param {string} name  with a slash in front */
function contentHash(archive, name) {
  try {
    const path = name.slice(1)
    const entry = statFile(archive, path)
    return 'files' in entry ? 'a folder' : hash(extractFile(archive, path))
  } catch {
    return 'missing'
  }
}

/** @param {Uint8Array} content */
function hash(content) {
  return createHash('sha256').update(content).digest('hex')
}
