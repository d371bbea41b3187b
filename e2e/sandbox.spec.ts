// The kernel's sandbox around the page. As root, Chromium has none, but `process.sandboxed` is still true. So
// if the tests run as root, the app is started as the user `nobody`, from copies that this user may read.
import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmod, chown, copyFile, cp, mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from './fixtures.ts'

const run = promisify(execFile)
const repositoryDir = fileURLToPath(new URL('..', import.meta.url))
const nobody = 65_534

test('the kernel confines the page’s process', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'modelport-sandbox-'))
  const app = process.getuid?.() === 0 ? await startAsNobody(folder) : startAsUser(folder)
  try {
    await expect.poll(() => pageStatus(app.pid ?? 0), { timeout: 60_000 }).toMatch(/^Seccomp:\t2$/m)
  } finally {
    app.kill()
    await once(app, 'exit')
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
})

function startAsUser(folder: string): ChildProcess {
  const env = { ...process.env, MODELPORT_DATA_DIR: join(folder, 'data') }
  return spawn(electronPath(), [repositoryDir], { env, stdio: 'ignore' })
}

async function startAsNobody(folder: string): Promise<ChildProcess> {
  await chmod(folder, 0o755)
  const home = join(folder, 'home')
  await mkdir(home)
  const runtime = join(folder, 'electron')
  // Hard links if the file system supports them, because copying a third of a gigabyte takes long.
  await run('cp', ['-al', dirname(electronPath()), runtime]).catch(() =>
    cp(dirname(electronPath()), runtime, { recursive: true }),
  )
  await copyApp(join(folder, 'app'))
  const env = await environmentOfNobody(home)
  await chown(home, nobody, nobody)
  const user = [`--reuid=${nobody}`, `--regid=${nobody}`, '--clear-groups']
  return spawn('setpriv', [...user, join(runtime, 'electron'), join(folder, 'app')], {
    env,
    stdio: 'ignore',
  })
}

/** The built app with the only package that its start needs. */
async function copyApp(appDir: string): Promise<void> {
  for (const part of ['out', 'package.json', 'node_modules/better-sqlite3']) {
    await cp(join(repositoryDir, part), join(appDir, part), { recursive: true })
  }
  await run('chmod', ['-R', 'a+rX', appDir])
}

async function environmentOfNobody(home: string): Promise<NodeJS.ProcessEnv> {
  const env: NodeJS.ProcessEnv = { ...process.env, HOME: home, XDG_RUNTIME_DIR: home }
  env['MODELPORT_DATA_DIR'] = join(home, 'data')
  const files = { XAUTHORITY: 'xauthority', MODELPORT_SQLITE_BINDING: 'binding.node' }
  for (const [variable, name] of Object.entries(files)) {
    const file = process.env[variable]
    if (file === undefined) continue
    env[variable] = join(home, name)
    await copyFile(file, join(home, name))
    await chmod(join(home, name), 0o644)
  }
  return env
}

/** What the kernel reports about the page's process; empty until the process exists. */
async function pageStatus(appPid: number): Promise<string> {
  for (const pid of await readdir('/proc')) {
    const commandLine = await readIfThere(`/proc/${pid}/cmdline`)
    if (!commandLine.includes('--type=renderer')) continue
    if (await isBelow(pid, appPid)) return readIfThere(`/proc/${pid}/status`)
  }
  return ''
}

async function isBelow(pid: string, ancestor: number): Promise<boolean> {
  const parent = /^PPid:\t(\d+)$/m.exec(await readIfThere(`/proc/${pid}/status`))?.[1]
  if (parent === undefined || parent === '0') return false
  return Number(parent) === ancestor || isBelow(parent, ancestor)
}

/** Processes may end while their files are read. */
function readIfThere(file: string): Promise<string> {
  return readFile(file, 'utf8').catch(() => '')
}

function electronPath(): string {
  const path = process.env['MODELPORT_ELECTRON']
  if (path === undefined) throw new Error('MODELPORT_ELECTRON is not set: run `npm run e2e`.')
  return path
}
