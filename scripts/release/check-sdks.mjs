/** Installs the SDKs' packages into empty projects, as their users do, and imports them. */
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { npmEnvironment } from '../setup/npm.mjs'
import { node24Path } from '../setup/paths.mjs'
import { SetupError } from '../setup/progress.mjs'
import { runCommand } from '../setup/run-command.mjs'

/** @param {string} outDir  has the packages */
export async function checkSdks(outDir) {
  const folder = await mkdtemp(join(tmpdir(), 'modelport-empty-'))
  try {
    const names = await readdir(outDir)
    const find = (/** @type {RegExp} */ pattern) => {
      const name = names.find((one) => pattern.test(one))
      if (name === undefined) throw new SetupError(`dist/ has no file like ${pattern.source}.`)
      return join(outDir, name)
    }
    await checkNode(join(folder, 'node'), find(/^modelport-sdk-.*\.tgz$/))
    await checkPython(join(folder, 'wheel'), find(/\.whl$/))
    await checkPython(join(folder, 'source'), find(/^modelport-[\d.]+\.tar\.gz$/))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
  const detail = 'SDKs: the npm package, the wheel and the source, each in an empty project'
  return { value: undefined, detail }
}

/** @param {string} folder @param {string} tarball */
async function checkNode(folder, tarball) {
  await mkdir(folder)
  await writeFile(join(folder, 'package.json'), '{"private":true,"type":"module"}')
  const flags = ['--no-audit', '--no-fund', '--loglevel=error', '--ignore-scripts']
  await runCommand({
    command: 'npm',
    args: ['install', ...flags, tarball, 'openai@7'],
    cwd: folder,
    env: npmEnvironment(process.env),
  })
  for (const load of ["await import('@modelport/sdk')", "require('@modelport/sdk')"]) {
    const program = `const { Modelport } = ${load}; if (typeof Modelport !== 'function') process.exit(1)`
    const type = load.startsWith('await') ? 'module' : 'commonjs'
    const args = [`--input-type=${type}`, '--eval', program]
    await runCommand({ command: node24Path, args, cwd: folder })
  }
}

/** @param {string} folder @param {string} file */
async function checkPython(folder, file) {
  await runCommand({ command: 'python3', args: ['-m', 'venv', folder] })
  const python = join(folder, 'bin', 'python')
  await runCommand({ command: python, args: ['-m', 'pip', 'install', '--quiet', file] })
  await runCommand({
    command: python,
    args: ['-c', 'from modelport import Modelport, router_meta'],
  })
}
