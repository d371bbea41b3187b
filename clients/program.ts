/**
 * A client's own program, in its own process: it gets one task a line on its standard input and answers each with
 * one line.
 */
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import type { Capability, Door } from './check.ts'

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

interface Command {
  command: string
  args: readonly string[]
  cwd: string
  env: NodeJS.ProcessEnv
}

export function startProgram({ command, args, cwd, env }: Command): Program {
  const child = spawn(command, args, { cwd, env, stdio: 'pipe' })
  let complaints = ''
  child.stderr.on('data', (text: Buffer) => {
    complaints = (complaints + text.toString()).slice(-shownOutput)
  })
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
  const ended = () => new Error(`the program ended: ${complaints.trim()}`)
  child.on('error', (error) => (complaints += error.message))
  child.stdin.on('error', () => {})
  return {
    run: async (task) => {
      child.stdin.write(`${JSON.stringify(task)}\n`)
      const limit = setTimeout(() => child.kill('SIGKILL'), taskLimitMs)
      const { done, value } = await lines.next()
      clearTimeout(limit)
      if (done === true) throw ended()
      // Written by our own programs in clients/programs.
      return JSON.parse(value) as Outcome
    },
    close: () => void child.kill(),
  }
}
