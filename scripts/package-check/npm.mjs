/** The headless package on Node 24, installed by an ordinary user in an empty folder. */
import { chmod, cp, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findNodeHeaders } from '../setup/node-headers.mjs'
import { npmEnvironment } from '../setup/npm.mjs'
import { repositoryDir } from '../setup/paths.mjs'
import { SetupError, step } from '../setup/progress.mjs'
import { runCommand } from '../setup/run-command.mjs'
import { asNobody, copyWeights, runCli } from './seat.mjs'
import { useService } from './use.mjs'

/** @typedef {import('./seat.mjs').Seat} Seat */

/** @param {{ distDir: string, cacheDir: string }} built */
export async function checkNpm({ distDir, cacheDir }) {
  const tarball = (await readdir(distDir)).find((name) => /^modelport-\d.*\.tgz$/.test(name))
  if (tarball === undefined)
    throw new SetupError('There is no npm package in dist/.', {
      wayOut: 'run `npm run package -- dir npm` first.',
    })
  const folder = await mkdtemp(join(tmpdir(), 'modelport-npm-'))
  try {
    const seat = await step('npm install', () =>
      install(folder, { tarball: join(distDir, tarball), cacheDir }),
    )
    await copyWeights(seat, cacheDir)
    await step('Start, request, stop', async () => {
      const version = (await runCli(seat, ['--version'])).trim()
      await useService(seat, { args: ['serve'] })
      const detail = `modelport ${version} serve starts as nobody, answers, streams, stops`
      return { value: undefined, detail }
    })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** @param {string} folder @param {{ tarball: string, cacheDir: string }} source */
async function install(folder, { tarball, cacheDir }) {
  await chmod(folder, 0o755)
  const [home, nodeDir] = [join(folder, 'home'), join(folder, 'node')]
  await runCommand({ command: 'install', args: ['-d', '-o', 'nobody', '-m', '700', home] })
  await mkdir(nodeDir)
  await cp(join(repositoryDir, 'node_modules', 'node', 'bin', 'node'), join(nodeDir, 'node'))
  await cp(tarball, join(folder, 'modelport.tgz'))
  // keytar is compiled, and node-gyp would download Node's headers from nodejs.org.
  const headers = join(folder, 'headers')
  const include = join(await findNodeHeaders(cacheDir), 'include', 'node')
  await cp(include, join(headers, 'include', 'node'), { recursive: true })
  const registry = await runCommand({
    command: 'npm',
    args: ['config', 'get', 'registry', '--loglevel=error'],
    env: npmEnvironment(process.env),
  })
  const env = {
    // npm's own variables name folders of the user who runs this check.
    ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name))),
    PATH: `${nodeDir}:${process.env['PATH']}`,
    HOME: home,
    npm_config_registry: registry.trim(),
    npm_config_nodedir: headers,
  }
  const flags = ['--no-audit', '--no-fund', '--loglevel=error', '--prefix', home]
  const [command = '', ...args] = asNobody([
    'npm',
    'install',
    ...flags,
    join(folder, 'modelport.tgz'),
  ])
  await runCommand({ command, args, cwd: home, env })
  const node = await runCommand({ command: join(nodeDir, 'node'), args: ['--version'] })
  return { value: seatIn(home, nodeDir), detail: `npm install as nobody, Node ${node.trim()}` }
}

/** @param {string} home @param {string} nodeDir @returns {Seat} */
function seatIn(home, nodeDir) {
  const program = join(home, 'node_modules', '.bin', 'modelport')
  /** @param {readonly string[]} command */
  const asUser = (command) =>
    asNobody(['env', `PATH=${nodeDir}:${process.env['PATH']}`, ...command])
  return { root: '', home, app: program, cli: program, asUser, onDisplay: asUser }
}
