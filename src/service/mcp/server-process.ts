/**
 * A stdio server's process as a transport of the SDK. The SDK's own one ends only the process that it started, and waits
 * for the time limit of a call when a message is too long; this one ends the whole tree and the connection.
 *
 * A server that starts processes in a session of their own escapes the tree on macOS and Linux.
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import {
  ReadBuffer,
  serializeMessage,
  type JSONRPCMessage,
  type Transport,
} from '@modelcontextprotocol/client'
import { withCommandProcessor, type Command } from './command-processor.ts'
import { limits } from './limits.ts'

/** How long a server has to end by itself after its input closed, and again after a signal. */
const endMs = 1_000

const shownErrorCharacters = 2_000

export class ServerProcess implements Transport {
  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: (message: JSONRPCMessage) => void
  /** The SDK takes a transport with `stderr` and `pid` for one of stdio, and waits less for an answer to its probe. */
  readonly stderr = null
  readonly #command: Command
  readonly #buffer = new ReadBuffer({ maxBufferSize: limits.messageBytes })
  #process: ChildProcess | null = null
  #errorText = ''
  #ending: Promise<void> | null = null

  constructor(command: Command) {
    this.#command = command
  }

  get pid(): number | null {
    return this.#process?.pid ?? null
  }

  /** The end of what the server wrote to its error output. */
  get errorText(): string {
    return this.#errorText
  }

  async start(): Promise<void> {
    const { command, args, options } = withCommandProcessor(this.#command)
    const started = spawn(command, args, {
      ...options,
      cwd: this.#command.cwd,
      env: this.#command.env,
      stdio: ['pipe', 'pipe', 'pipe'],
      windowsHide: true,
      // A process group of its own, so that a signal reaches what the server started.
      detached: process.platform !== 'win32',
    })
    this.#process = started
    started.once('exit', () => this.#endRest(started.pid))
    started.on('close', () => this.onclose?.())
    // A server that ended cannot be written to; `close` follows.
    started.stdin.on('error', () => {})
    started.stdout.on('data', (chunk: Buffer) => this.#read(chunk))
    started.stderr.on('data', (chunk: Buffer) => {
      this.#errorText = (this.#errorText + chunk.toString()).slice(-shownErrorCharacters)
    })
    await once(started, 'spawn')
    started.on('error', (error) => this.onerror?.(error))
  }

  async send(message: JSONRPCMessage): Promise<void> {
    this.#process?.stdin?.write(serializeMessage(message))
  }

  /** Resolves when the process and what it started have ended. */
  close(): Promise<void> {
    return (this.#ending ??= this.#end())
  }

  #read(chunk: Buffer): void {
    try {
      this.#buffer.append(chunk)
    } catch {
      this.#errorText = 'The server sent a message that is too long.'
      void this.close()
      return
    }
    for (;;) {
      try {
        const message = this.#buffer.readMessage()
        if (message === null) return
        this.onmessage?.(message)
      } catch (error) {
        // A line that is no message, such as a greeting. The next one may be.
        this.onerror?.(error instanceof Error ? error : new Error(String(error)))
      }
    }
  }

  /** Ends what a server started that has ended by itself. Its last output is read first, for as long as an end may take. */
  #endRest(pid: number | undefined): void {
    if (pid !== undefined) signalTree(pid, 'SIGKILL')
    setTimeout(() => void this.close(), endMs).unref()
  }

  async #end(): Promise<void> {
    const running = this.#process
    if (running?.pid === undefined) return
    const ended =
      running.exitCode === null && running.signalCode === null ? once(running, 'exit') : null
    running.stdin?.end()
    if (ended !== null && !(await isWithin(ended, endMs))) {
      signalTree(running.pid, 'SIGTERM')
      await isWithin(ended, endMs)
    }
    // What the server started may still run after it.
    signalTree(running.pid, 'SIGKILL')
    await ended
    running.stdout?.destroy()
    running.stderr?.destroy()
    this.#buffer.clear()
  }
}

async function isWithin(event: Promise<unknown>, limitMs: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), limitMs)
  })
  const isFirst = await Promise.race([event.then(() => true as const), late])
  clearTimeout(timer)
  return isFirst
}

/** Sends a signal to a process and all that it started. */
function signalTree(pid: number, signal: 'SIGTERM' | 'SIGKILL'): void {
  if (process.platform === 'win32') {
    spawn('taskkill', ['/pid', String(pid), '/t', '/f'], { stdio: 'ignore', windowsHide: true }).on(
      'error',
      () => {},
    )
    return
  }
  try {
    process.kill(-pid, signal)
  } catch {
    // None of them runs any more.
  }
}
