/**
 * A client's own program, in its own process: it gets one task a line on its standard input and answers each with
 * one line.
 */
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import type { Capability, Door } from './check.ts'
import type { Command } from './command.ts'

export interface Task {
  door: Door
  do: Exclude<Capability, 'errors' | 'turn'>
  /** `https://localhost:<port>/api/router/<id>` */
  routerUrl: string
  apiKey: string
  model: string
  prompt: string
  maxTokens: number
  /** What the tool returns. */
  toolResult: string
}

/** What the program made of a task: its result, or the error that the client threw. */
export type Outcome =
  | { result: Readonly<Record<string, unknown>> }
  | { error: { type: string; status: number | null; message: string } }

export interface Program {
  /** @throws Error when the program ends or takes too long */
  run(task: Task): Promise<Outcome>
  /** Ends the program. */
  close(): void
}

const taskLimitMs = 60_000
const shownOutput = 600

/** A program that ended or was killed is started again for the next task. */
export function startProgram(command: Command): Program {
  let running: RunningProgram | null = null
  return {
    run: async (task) => {
      running ??= start(command)
      const answer = await running.ask(`${JSON.stringify(task)}\n`)
      if (answer !== null) return readOutcome(answer)
      const complaints = running.complaints()
      running = null
      throw new Error(`the program ended: ${complaints}`)
    },
    close: () => running?.kill(),
  }
}

interface RunningProgram {
  /** Resolves to its next line; null when the program ended or took too long. */
  ask(line: string): Promise<string | null>
  /** The end of its standard error. */
  complaints(): string
  kill(): void
}

function start({ command, args, cwd, env }: Command): RunningProgram {
  const child = spawn(command, args, { cwd, env, stdio: 'pipe' })
  let complaints = ''
  child.stderr.on('data', (text: Buffer) => {
    complaints = (complaints + text.toString()).slice(-shownOutput)
  })
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
  child.on('error', (error) => (complaints += error.message))
  child.stdin.on('error', () => {})
  return {
    ask: async (line) => {
      child.stdin.write(line)
      const limit = setTimeout(() => {
        complaints += ` (it took more than ${taskLimitMs / 1000} s)`
        child.kill('SIGKILL')
      }, taskLimitMs)
      const { done, value } = await lines.next()
      clearTimeout(limit)
      return done === true ? null : value
    },
    complaints: () => complaints.trim(),
    kill: () => void child.kill(),
  }
}

/** Written by our own programs in clients/programs. */
function readOutcome(line: string): Outcome {
  return JSON.parse(line) as Outcome
}
