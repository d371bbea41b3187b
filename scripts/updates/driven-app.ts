/** The packaged app as an ordinary user starts it, used through the buttons of its window. */
import { spawn, type ChildProcessByStdio } from 'node:child_process'
import { existsSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { SetupError } from '../setup/progress.mjs'

const stepMs = 60_000
const pollMs = 150

export interface Facts {
  pid: number
  version: string
  execPath: string
}

export interface DrivenAppOptions {
  executable: string
  home: string
  env: NodeJS.ProcessEnv
}

const hasStarted = `modelport.call('start:state').then(({ value }) => value?.status === 'started')`

export class DrivenApp {
  readonly #executable: string
  readonly #socketFile: string
  readonly #session: ChildProcessByStdio<Writable, Readable, Readable>
  readonly #pids = new Set<number>()
  #output = ''

  /** Opens a session with a display, which outlives the app, so that a restart finds it. */
  constructor({ executable, home, env }: DrivenAppOptions) {
    this.#executable = executable
    this.#socketFile = join(env['MODELPORT_DATA_DIR'] ?? '', 'driver.sock')
    const asNobody = ['--reuid=nobody', '--regid=nogroup', '--clear-groups', '--']
    const onDisplay = ['dbus-run-session', '--', 'xvfb-run', '--auto-servernum']
    const shell = ['sh', '-c', 'while read -r program; do "$program" & done; sleep infinity']
    this.#session = spawn('setpriv', [...asNobody, ...onDisplay, ...shell], {
      cwd: home,
      env,
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: true,
    })
    for (const stream of [this.#session.stdout, this.#session.stderr])
      stream.on('data', (text: Buffer) => (this.#output += text.toString()))
  }

  async start(): Promise<Facts> {
    this.#session.stdin.write(`${this.#executable}\n`)
    const found = await this.#poll('the start', () => this.facts())
    await this.until('the service', hasStarted)
    return found
  }

  async facts(): Promise<Facts> {
    const found = await this.#ask<Facts>({ kind: 'facts' })
    this.#pids.add(found.pid)
    return found
  }

  async quit(): Promise<void> {
    const { pid } = await this.facts()
    await this.#ask({ kind: 'quit' })
    const hasEnded = () => Promise.resolve(isRunning(pid) ? null : true)
    await this.#poll('the end of the app', hasEnded)
  }

  /** Runs code in the window. */
  run<Value>(code: string): Promise<Value> {
    return this.#ask<Value>({ kind: 'run', code })
  }

  /** Waits until the code gives a value that is not null or false. */
  async until(what: string, code: string): Promise<void> {
    await this.#poll(what, async () => (await this.run<unknown>(code)) || null)
  }

  /** Clicks a button by its text as soon as it can be clicked. */
  async click(text: string): Promise<void> {
    const name = JSON.stringify(text)
    const find = `[...document.querySelectorAll('button')].findLast((b) => b.textContent.trim() === ${name} && !b.disabled)`
    await this.until(
      `the button ${name}`,
      `(() => { const b = ${find}; b?.click(); return b !== undefined })()`,
    )
  }

  /** Waits for another process of the app. */
  async restarted(before: Facts): Promise<Facts> {
    const found = await this.#poll('the restart', async () => {
      const facts = await this.facts()
      return facts.pid === before.pid ? null : facts
    })
    await this.until('the service', hasStarted)
    return found
  }

  end(): void {
    for (const pid of [...this.#pids, -(this.#session.pid ?? 0)]) kill(pid)
  }

  /** Errors count as "not yet": the app is starting, restarting or loading its page. */
  async #poll<Value>(what: string, read: () => Promise<Value | null>): Promise<Value> {
    const endMs = Date.now() + stepMs
    let last: unknown = null
    while (Date.now() < endMs) {
      try {
        const value = await read()
        if (value !== null) return value
      } catch (error) {
        last = error
      }
      await sleep(pollMs)
    }
    const log = this.#output.slice(-2_000)
    throw new SetupError(`${what} did not come within ${stepMs} ms.\n${log}`, { cause: last })
  }

  #ask<Value>(command: object): Promise<Value> {
    return askDriver<Value>(this.#socketFile, command)
  }
}

/** A process that ended stays in /proc until its parent reads its exit code, without its program. */
function isRunning(pid: number): boolean {
  return existsSync(`/proc/${pid}/exe`)
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended already.
  }
}

function askDriver<Value>(socketFile: string, command: object): Promise<Value> {
  return new Promise((resolve, reject) => {
    let text = ''
    const socket = connect(socketFile, () => socket.write(`${JSON.stringify(command)}\n`))
    socket.setEncoding('utf8').setTimeout(stepMs, () => socket.destroy(new Error('no answer')))
    socket.on('data', (piece: string) => (text += piece))
    socket.on('error', reject)
    socket.on('close', () => {
      if (text === '') return reject(new Error('no answer'))
      // Checked boundary: driver.mjs answers so.
      const { value, error } = JSON.parse(text) as { value: Value; error?: string }
      if (error === undefined) resolve(value)
      else reject(new Error(error))
    })
  })
}
