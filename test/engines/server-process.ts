/** A server that a test can kill, and start again on its port and folder. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { createServer, connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

/** Debian's user without rights; PostgreSQL and PgBouncer refuse to run as root. */
export const ordinaryUser: { uid: number; gid: number } | null =
  process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : null

const usualReadyMs = 120_000

export interface ServerProcess {
  name: string
  /** Id of the running process. */
  pid(): number
  /** Ends the process and its children, and resolves when it is gone. */
  end(signal: NodeJS.Signals): Promise<void>
  /** Resolves when it answers again. */
  start(): Promise<void>
  /** What it has written. */
  output(): string
}

export interface ServerOptions {
  name: string
  command: string
  args: readonly string[]
  env?: Readonly<Record<string, string>>
  /** Runs it as this user; the caller's by default. */
  user?: { uid: number; gid: number } | null
  /** Whether it answers. */
  isReady(): Promise<boolean>
  /** How long it may take to answer; 30 s by default. */
  readyMs?: number
}

/** @throws Error with its output when it does not answer in time */
export async function startServer(options: ServerOptions): Promise<ServerProcess> {
  let child: ChildProcess | null = null
  let output = ''
  const start = async () => {
    const deadline = performance.now() + (options.readyMs ?? usualReadyMs)
    while (performance.now() < deadline) {
      child = run(options, (text) => {
        output = (output + text).slice(-20_000)
      })
      if (await isReadyBefore(child, options, deadline)) return
      await endGroup(child, 'SIGKILL')
      // A port or a lock of the killed process may still be taken.
      await pause(100)
    }
    throw new Error(`${options.name} does not answer:\n${output}`)
  }
  await start()
  return {
    name: options.name,
    pid: () => child?.pid ?? 0,
    end: async (signal) => {
      if (child) await endGroup(child, signal)
    },
    start,
    output: () => output,
  }
}

function run({ command, args, env, user }: ServerOptions, onText: (text: string) => void) {
  const child = spawn(command, args, {
    // A separate group, which ends together.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'], ...env },
    ...user,
  })
  child.once('error', (error) => onText(`${command}: ${error.message}\n`))
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', onText)
  return child
}

async function isReadyBefore(child: ChildProcess, { isReady }: ServerOptions, deadline: number) {
  while (performance.now() < deadline) {
    if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined)
      return false
    if (await isReady()) return true
    await pause(20)
  }
  return false
}

async function endGroup(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  const children = signal === 'SIGKILL' ? childrenOf(child.pid) : []
  process.kill(-child.pid, signal)
  for (const pid of children) killIfThere(pid)
  await ended
}

/** PostgreSQL's processes have groups of their own, and answer for a moment after their parent was killed (Linux). */
function childrenOf(pid: number): number[] {
  const file = `/proc/${pid}/task/${pid}/children`
  if (!existsSync(file)) return []
  return readFileSync(file, 'utf8').split(' ').filter(Boolean).map(Number)
}

function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It ended with its parent.
  }
}

/** Whether something listens on a port of this computer. */
export async function isListening(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  return new Promise((resolve) => {
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}

/**
 * A port that nothing listens on. It is below those that systems give to connections, and to servers that ask for any
 * port, so nothing takes it before the server of a test starts, or while it is restarted.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = 10_240 + Math.floor(Math.random() * 20_000)
    const server = createServer()
    const isFree = new Promise<boolean>((resolve) => {
      server.once('listening', () => resolve(true)).once('error', () => resolve(false))
    })
    server.listen(port, '127.0.0.1')
    if (!(await isFree)) continue
    server.close()
    await once(server, 'close')
    return port
  }
}
