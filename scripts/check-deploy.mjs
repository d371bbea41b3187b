/**
 * `npm run deploy:check`: checks the files of deploy/ and the systemd unit with their tools and schemas. They may use
 * only options that `modelport serve` has.
 */
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeOnce } from './setup/cache.mjs'
import { reportCount } from './setup/figures.mjs'
import { ensureNpmDependencies } from './setup/npm-dependencies.mjs'
import { findCacheDir, node24Path, repositoryDir } from './setup/paths.mjs'
import { runLauncher, step } from './setup/progress.mjs'
import { runCommand } from './setup/run-command.mjs'
import { ensureSystemPackages } from './setup/system-packages.mjs'

const deployDir = join(repositoryDir, 'deploy')
const composeFile = join(deployDir, 'compose.yaml')
const kubernetesDir = join(deployDir, 'kubernetes')
const unitFile = join(repositoryDir, 'packaging', 'headless', 'modelport.service')

/** Packages with the schemas: the first those of Kubernetes, the second that of the Compose specification. */
const checkers = ['kubernetes-validate==1.37.0', 'check-jsonschema==0.39.0']

await runLauncher(async () => {
  const cacheDir = join(findCacheDir(process.env), 'deploy-check')
  await mkdir(cacheDir, { recursive: true })
  const needs = { window: false, tests: false, deploy: true }
  await step('System packages', () => ensureSystemPackages(needs))
  await step('npm dependencies', () => ensureNpmDependencies(findCacheDir(process.env)))
  const programs = await step('Schemas', () => installCheckers(cacheDir))
  const manifestCount = await step('Kubernetes manifests', () => checkKubernetes(programs))
  await step('Compose file', () => checkCompose(programs))
  await step('HAProxy', () => inTemporaryFolder(checkHaproxy))
  await step('systemd unit', () => inTemporaryFolder(checkUnit))
  const optionCount = await step('Options', checkOptions)
  reportCount('valid Kubernetes manifests', manifestCount)
  reportCount('other valid files', 3)
  reportCount('options of serve in them', optionCount)
  return 0
})

/**
 * @param {string} cacheDir
 * @returns {Promise<import('./setup/progress.mjs').StepResult<string>>} its folder of programs
 */
async function installCheckers(cacheDir) {
  const venv = join(cacheDir, checkers.join('-').replaceAll('==', '-'))
  // A virtual environment names its own folder, so it is installed in place; the mark says that it is complete.
  const isNew = await makeOnce({
    path: `${venv}.complete`,
    make: async (mark) => {
      await rm(venv, { recursive: true, force: true })
      await runCommand({ command: 'python3', args: ['-m', 'venv', venv] })
      const quietly = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check']
      const python = join(venv, 'bin', 'python')
      await runCommand({ command: python, args: [...quietly, ...checkers] })
      await writeFile(mark, '')
    },
  })
  return { value: join(venv, 'bin'), already: !isNew, detail: 'Schemas are installed' }
}

/** @param {string} programs */
async function checkKubernetes(programs) {
  const files = await manifests()
  await runCommand({
    command: join(programs, 'kubernetes-validate'),
    args: ['--strict', ...files],
  })
  return { value: files.length, detail: `Kubernetes manifests: ${files.length} files are valid` }
}

async function manifests() {
  const names = await readdir(kubernetesDir)
  return names.filter((name) => name.endsWith('.yaml')).map((name) => join(kubernetesDir, name))
}

/** @param {string} programs */
async function checkCompose(programs) {
  await runCommand({
    command: join(programs, 'check-jsonschema'),
    args: ['--builtin-schema', 'vendor.compose-spec', composeFile],
  })
  return { value: undefined, detail: 'Compose file: compose.yaml is valid' }
}

/** @param {string} folder */
async function checkHaproxy(folder) {
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')]
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes']
  const subject = ['-subj', '/CN=localhost', '-days', '1']
  const files = ['-keyout', key, '-out', certificate]
  await runCommand({ command: 'openssl', args: ['req', '-x509', ...curve, ...subject, ...files] })
  const both = join(folder, 'both.pem')
  await writeFile(both, (await readFile(certificate, 'utf8')) + (await readFile(key, 'utf8')))
  const env = { ...process.env, CERTIFICATE_FILE: both }
  const args = ['-c', '-f', join(deployDir, 'haproxy.cfg')]
  await runCommand({ command: '/usr/sbin/haproxy', args, env })
  return { value: undefined, detail: 'HAProxy: haproxy.cfg is valid' }
}

/** @param {string} folder */
async function checkUnit(folder) {
  // The command of the unit is not installed here, and systemd refuses a unit without it.
  const unit = (await readFile(unitFile, 'utf8')).replace(
    /^ExecStart=\S+ /m,
    'ExecStart=/bin/echo ',
  )
  const copy = join(folder, 'modelport.service')
  await writeFile(copy, unit)
  await runCommand({ command: 'systemd-analyze', args: ['verify', '--man=no', copy] })
  return { value: undefined, detail: 'systemd unit: modelport.service is valid' }
}

/** The program has each option that the files give to `serve`. */
async function checkOptions() {
  const binary = join(repositoryDir, 'bin', 'modelport.mjs')
  const help = (/** @type {string[]} */ ...args) =>
    runCommand({ command: node24Path, args: [binary, ...args, '--help'] })
  const texts = (await help()) + (await help('serve'))
  const files = [...(await manifests()), composeFile, unitFile]
  const used = new Set()
  for (const file of files) {
    const text = await readFile(file, 'utf8')
    for (const [, option] of text.matchAll(/(?:- |serve )(--[a-z-]+)[= ]/g)) used.add(option)
  }
  const unknown = [...used].filter((option) => !texts.includes(`${option} `))
  if (unknown.length > 0) throw new Error(`modelport serve has no ${unknown.join(', ')}`)
  return { value: used.size, detail: `Options: all ${used.size} exist` }
}

/**
 * @template T
 * @param {(folder: string) => Promise<T>} work
 * @returns {Promise<T>}
 */
async function inTemporaryFolder(work) {
  const folder = await mkdtemp(join(tmpdir(), 'modelport-deploy-'))
  try {
    return await work(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
