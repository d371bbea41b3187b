import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'

/** Runs a file of `children/` in its own process, which is killed at the end of the test if it still runs. */
export interface Child {
  process: ChildProcess
  /** The output so far. */
  stdout: () => string
  /** Resolves when this many lines were printed. */
  printedLines: (count: number) => Promise<void>
  /** Resolves at the first output. */
  spoke: Promise<unknown>
  exited: Promise<number | null>
}

export function startChild(file: string, ...args: string[]): Child {
  const path = fileURLToPath(new URL(`children/${file}`, import.meta.url))
  const child = spawn(process.execPath, [path, ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
  let stdout = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text))
  const exited = new Promise<number | null>((resolve) => {
    child.once('close', resolve)
  })
  // Its folder is removed after this, and a process that still runs could add a file.
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await exited
  })
  return {
    process: child,
    stdout: () => stdout,
    async printedLines(count) {
      while (stdout.split('\n').length <= count) await once(child.stdout, 'data')
    },
    spoke: once(child.stdout, 'data'),
    exited,
  }
}
