/**
 * A Debian root with the headless service: the steps of packaging/headless/Containerfile, carried out without a container
 * engine. Its base image, Debian with Node.js, is built from Debian's packages and the Node.js of this repository.
 */
import { globSync } from 'node:fs'
import { chmod, cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { findNodeHeaders } from '../setup/node-headers.mjs'
import { npmEnvironment } from '../setup/npm.mjs'
import { node24Path, repositoryDir } from '../setup/paths.mjs'
import { SetupError, step } from '../setup/progress.mjs'
import { runCommand } from '../setup/run-command.mjs'
import { ensureSystemPackages } from '../setup/system-packages.mjs'
import { readContainerfile } from './containerfile.mjs'
import { makeDebianRoot, runInRoot } from './debian-root.mjs'

export const headlessDir = join(repositoryDir, 'packaging', 'headless')
const baseImage = 'docker.io/library/node:24-slim'
/** PATH as the base image sets it. */
const path = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'
const authorityFile = '/run/certificate-authorities.pem'

/** @typedef {{ root: string, recipe: import('./containerfile.mjs').Recipe, env: NodeJS.ProcessEnv }} HeadlessRoot */

/**
 * Makes the root, calls `work` with it, and removes it.
 * @param {string} cacheDir
 * @param {(made: HeadlessRoot) => Promise<void>} work
 */
export async function withHeadlessRoot(cacheDir, work) {
  if (process.getuid?.() !== 0) throw new SetupError('Making a Debian root needs root.')
  await ensureSystemPackages({ window: false, tests: false, packages: true })
  const root = await mkdtemp(join(tmpdir(), 'modelport-headless-'))
  try {
    const recipe = readContainerfile(await readFile(join(headlessDir, 'Containerfile'), 'utf8'))
    await step('Base of the image', () => makeBase(root, recipe.base, cacheDir))
    const env = await step('Steps of the Containerfile', () => carryOut(root, recipe))
    await work({ root, recipe, env })
  } finally {
    await rm(root, { recursive: true, force: true })
  }
}

/** @param {string} root @param {string} base @param {string} cacheDir */
async function makeBase(root, base, cacheDir) {
  if (base !== baseImage) throw new SetupError(`There is no stand-in for the image ${base}.`)
  const { detail } = await makeDebianRoot(root)
  // A container engine writes it.
  await writeFile(join(root, 'etc', 'hosts'), '127.0.0.1 localhost\n::1 localhost\n')
  const local = join(root, 'usr', 'local')
  await cp(node24Path, join(local, 'bin', 'node'))
  const headers = join(await findNodeHeaders(cacheDir), 'include', 'node')
  await cp(headers, join(local, 'include', 'node'), { recursive: true })
  const modules = join(local, 'lib', 'node_modules')
  await mkdir(modules, { recursive: true })
  const own = await runCommand({ command: 'sh', args: ['-c', 'realpath "$(command -v npm)"'] })
  const folder = join(dirname(own.trim()), '..')
  await cp(folder, join(modules, 'npm'), { recursive: true, dereference: true })
  await symlink('../lib/node_modules/npm/bin/npm-cli.js', join(local, 'bin', 'npm'))
  await chmod(join(modules, 'npm', 'bin', 'npm-cli.js'), 0o755)
  const version = await runInRoot(root, ['node', '--version'], { PATH: path })
  return { value: undefined, detail: `${detail}, Node ${version.trim()}` }
}

/** @param {string} root @param {import('./containerfile.mjs').Recipe} recipe */
async function carryOut(root, recipe) {
  /** @type {NodeJS.ProcessEnv} */
  const env = { PATH: path }
  const network = await networkOf(root)
  let user = 'root'
  for (const { name, value } of recipe.steps) {
    if (name === 'USER') user = value
    else if (name === 'ENV') Object.assign(env, readVariables(value))
    else if (name === 'COPY') await copy(root, value)
    else
      await runInRoot(root, asUser(user, ['/bin/sh', '-c', value]), {
        HOME: '/root',
        ...network,
        ...env,
      })
  }
  const folder = join(root, 'opt', 'modelport')
  const size = await runCommand({ command: 'du', args: ['--summarize', '--block-size=M', folder] })
  const detail = `${recipe.steps.length} steps of the Containerfile; /opt/modelport has ${size.split('M')[0]} MB`
  return { value: env, detail }
}

/** How programs in the root reach this machine's package registries. @param {string} root */
async function networkOf(root) {
  const authorities = await npm(['config', 'get', 'cafile'])
  const file = authorities === 'null' ? process.env['NODE_EXTRA_CA_CERTS'] : authorities
  if (file) await cp(file, join(root, authorityFile))
  const proxies = Object.entries(process.env).filter(([name]) => /^(https?|no)_proxy$/i.test(name))
  return {
    ...Object.fromEntries(proxies),
    npm_config_registry: await npm(['config', 'get', 'registry']),
    ...(file ? { npm_config_cafile: authorityFile, NODE_EXTRA_CA_CERTS: authorityFile } : {}),
  }
}

/** @param {readonly string[]} args */
async function npm(args) {
  const env = npmEnvironment(process.env)
  return (await runCommand({ command: 'npm', args: [...args, '--loglevel=error'], env })).trim()
}

/** @param {string} value  such as `A=1 B=2` */
function readVariables(value) {
  return Object.fromEntries(
    [...value.matchAll(/(\w+)=(\S+)/g)].map(([, name, text]) => [name, text]),
  )
}

/** @param {string} root @param {string} value  a pattern and where its file goes */
async function copy(root, value) {
  const [pattern = '', target = ''] = value.split(/\s+/)
  const files = globSync(pattern, { cwd: repositoryDir })
  const [file] = files
  if (files.length !== 1 || file === undefined)
    throw new SetupError(`${files.length} files match ${pattern}.`, {
      wayOut: 'run `npm run package -- dir npm` first.',
    })
  const folder = target.endsWith('/') ? join(target, basename(file)) : target
  await cp(join(repositoryDir, file), join(root, folder))
}

/** @param {string} user @param {readonly string[]} command */
export function asUser(user, command) {
  if (user === 'root') return [...command]
  return ['setpriv', `--reuid=${user}`, `--regid=${user}`, '--init-groups', '--', ...command]
}
