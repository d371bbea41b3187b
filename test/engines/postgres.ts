/** A PostgreSQL server of a test's own, as Debian ships it. */
import { execFileSync } from 'node:child_process'
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  freePort,
  isListening,
  ordinaryUser,
  startServer,
  type ServerProcess,
} from './server-process.ts'

export interface Engine extends ServerProcess {
  port: number
  /** Ends it and deletes its files. */
  remove(): Promise<void>
}

const role = 'modelport'

/** @param durable  whether a commit waits for the disk, as in production; a test of statements does not need it */
export async function startPostgres({ durable }: { durable: boolean }): Promise<Engine> {
  const port = await freePort()
  const folder = ownFolder('postgres')
  const programs = programsFolder()
  const asRole = ['--username', role, '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync']
  execFileSync(join(programs, 'initdb'), ['--pgdata', folder, ...asRole], {
    stdio: 'pipe',
    cwd: folder,
    ...ordinaryUser,
  })
  const settings = [
    'listen_addresses=127.0.0.1',
    `unix_socket_directories=${folder}`,
    'max_connections=200',
    ...(durable ? [] : ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off']),
  ]
  const server = await startServer({
    name: 'PostgreSQL',
    command: join(programs, 'postgres'),
    args: ['-D', folder, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])],
    user: ordinaryUser,
    isReady: () => isAnswering(programs, port),
  })
  return { ...server, port, remove: () => removeServer(server, folder) }
}

/** URL of the database that every server has, or of another one. */
export function postgresUrl(port: number, database = 'postgres'): string {
  return `postgres://${role}@127.0.0.1:${port}/${database}`
}

/** A folder of the user that runs the engines. */
export function ownFolder(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `modelport-${name}-`))
  if (ordinaryUser) chownSync(folder, ordinaryUser.uid, ordinaryUser.gid)
  return folder
}

export async function removeServer(server: ServerProcess, folder: string): Promise<void> {
  await server.end('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
}

async function isAnswering(programs: string, port: number): Promise<boolean> {
  if (!(await isListening(port))) return false
  try {
    const args = ['-h', '127.0.0.1', '-p', String(port)]
    execFileSync(join(programs, 'pg_isready'), args, { stdio: 'pipe' })
    return true
  } catch {
    return false
  }
}

/** Debian keeps the programs of each version in a folder. @throws Error with the package to install */
function programsFolder(): string {
  const root = '/usr/lib/postgresql'
  const versions = existsSync(root) ? readdirSync(root) : []
  const folders = versions
    .toSorted((a, b) => Number(b) - Number(a))
    .map((version) => join(root, version, 'bin'))
  const found = folders.find((folder) => existsSync(join(folder, 'postgres')))
  if (found === undefined)
    throw new Error('PostgreSQL is missing. Install it: apt-get install postgresql')
  return found
}
