/** Runs a command line client to its end. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'

export interface Command {
  command: string
  args: readonly string[]
  cwd: string
  env: NodeJS.ProcessEnv
}

export interface Running {
  /** Resolves to the exit code; null when a signal ended the command. */
  ended: Promise<number | null>
  /** The end of what it printed. */
  printed(): string
  /** Interrupts the command like Ctrl-C. */
  interrupt(): void
}

const keptCharacters = 1_000_000

/** @param limitMs  after this time the command and its children are killed */
export function startCommand({ command, args, cwd, env }: Command, limitMs: number): Running {
  const child = spawn(command, args, {
    cwd,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (piece: Buffer) => {
      text = (text + piece.toString()).slice(-keptCharacters)
    })
  }
  child.on('error', (error) => (text += error.message))
  const signal = (name: NodeJS.Signals) => {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, name)
  }
  const limit = setTimeout(() => signal('SIGKILL'), limitMs)
  const ended = once(child, 'close').then(() => {
    clearTimeout(limit)
    return child.exitCode
  })
  return { ended, printed: () => text.trim(), interrupt: () => signal('SIGINT') }
}
