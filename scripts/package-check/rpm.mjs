/** The .rpm: built with `rpmbuild`, installed into an empty root, compared with the .deb, and removed again. */
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { buildRpm } from '../../packaging/linux-packages.mjs'
import { repositoryDir } from '../setup/paths.mjs'
import { SetupError, step } from '../setup/progress.mjs'
import { runCommand } from '../setup/run-command.mjs'
import { ensureSystemPackages } from '../setup/system-packages.mjs'

/** The file that names the package manager. */
const different = 'package-type'

/** @param {{ distDir: string, unpackedDir: string }} built */
export async function checkRpm({ distDir, unpackedDir }) {
  const deb = (await readdir(distDir)).find((name) => name.endsWith('.deb'))
  if (deb === undefined) throw new SetupError('There is no .deb in dist/ to compare with.')
  await ensureSystemPackages({ window: false, tests: false, packages: true })
  const folder = await mkdtemp(join(tmpdir(), 'modelport-rpm-'))
  try {
    const file = await step('rpmbuild', () => build(folder, unpackedDir))
    const root = join(folder, 'root')
    await step('rpm --install', () => install(root, file))
    await step('Same files as the .deb', () => compare(folder, join(distDir, deb)))
    await step('rpm --erase', () => erase(root))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** @param {string} folder @param {string} unpackedDir */
async function build(folder, unpackedDir) {
  const { version } = JSON.parse(await readFile(join(repositoryDir, 'package.json'), 'utf8'))
  const file = await buildRpm({ unpackedDir, version, outDir: folder })
  return { value: file, detail: basename(file) }
}

/** @param {string} root @param {readonly string[]} args */
function rpm(root, args) {
  return runCommand({ command: 'rpm', args: [`--root=${root}`, ...args] })
}

/** @param {string} root @param {string} file */
async function install(root, file) {
  await mkdir(root)
  await rpm(root, ['--initdb'])
  // The empty root has no libraries.
  await rpm(root, ['--install', '--nodeps', file])
  await rpm(root, ['--verify', '--nodeps', 'modelport'])
  const requires = (await rpm(root, ['--query', '--requires', 'modelport'])).trim().split('\n')
  const own = requires.filter((name) => !name.startsWith('rpmlib('))
  return { value: undefined, detail: `Installed and verified; it requires ${own.join(', ')}` }
}

/** @param {string} folder @param {string} deb */
async function compare(folder, deb) {
  const other = join(folder, 'deb')
  await runCommand({ command: 'dpkg-deb', args: ['--extract', deb, other] })
  const [own, wanted] = [await listFiles(join(folder, 'root')), await listFiles(other)]
  const differences = [...new Set([...own, ...wanted])].filter(
    (line) => own.includes(line) !== wanted.includes(line) && !line.endsWith(different),
  )
  if (differences.length > 0) throw new SetupError(`Different: ${differences.join(', ')}`)
  return { value: undefined, detail: `${own.length} files have the content and mode of the .deb's` }
}

/** Each file of the app with its mode, owner and hash, or where its link leads. @param {string} root */
async function listFiles(root) {
  const script = `find opt usr -type l -printf 'link %l %p\\n'
find opt usr -type f -printf '%m %u %g ' -exec sha256sum {} ';'`
  const listing = await runCommand({ command: 'sh', args: ['-euc', script], cwd: root })
  return listing.trim().split('\n')
}

/** @param {string} root */
async function erase(root) {
  await rpm(root, ['--erase', '--nodeps', 'modelport'])
  const find = ['opt', 'usr', '-iname', '*modelport*']
  const left = await runCommand({ command: 'find', args: find, cwd: root })
  if (left !== '') throw new SetupError(`rpm leaves files behind:\n${left}`)
  return { value: undefined, detail: 'rpm --erase leaves nothing' }
}
