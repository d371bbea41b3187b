/** The real command line in its own processes, on temporary folders. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import { temporaryFolder } from '../storage/temporary-folder.ts'

const binary = fileURLToPath(new URL('../../bin/modelport.mjs', import.meta.url))

export interface Ran {
  code: number | null
  stdout: string
  stderr: string
}

interface RunOptions {
  env?: Record<string, string>
  stdin?: string
  /** Options of Node itself. */
  nodeArgs?: readonly string[]
  /** Another copy of the first file. */
  binaryFile?: string
}

/** A data folder with the commands that use it. They cannot reach a keyring of this computer. */
export function newModelport(dataDir = temporaryFolder()) {
  const start = (args: readonly string[], options: RunOptions = {}) => {
    const { env = {}, stdin = '', nodeArgs = [], binaryFile = binary } = options
    const child = spawn(process.execPath, [...nodeArgs, binaryFile, ...args], {
      env: { PATH: process.env['PATH'], HOME: dataDir, XDG_CONFIG_HOME: dataDir, ...env },
    })
    const output = { stdout: '', stderr: '' }
    for (const stream of ['stdout', 'stderr'] as const)
      child[stream].setEncoding('utf8').on('data', (text: string) => {
        output[stream] += text
      })
    child.stdin.end(stdin)
    const exited = new Promise<Ran>((resolve) => {
      child.once('close', (code) => resolve({ code, ...output }))
    })
    onTestFinished(async () => {
      child.kill('SIGKILL')
      await exited
    })
    return { child, exited }
  }
  const inFolder = (args: readonly string[]) => [...args, '--data-dir', dataDir]

  return {
    dataDir,
    /** Runs the command with exactly these arguments. */
    start,
    run: (args: readonly string[], options?: RunOptions) => start(inFolder(args), options).exited,
    /** The values printed with `--json`; rejects when the command failed. */
    async json(...args: string[]): Promise<Record<string, unknown>[]> {
      const { code, stdout, stderr } = await start(inFolder([...args, '--json'])).exited
      if (code !== 0) throw new Error(`exit ${code}: ${stderr}`)
      return stdout.split('\n').slice(0, -1).map(parseObject)
    },
    /** Starts `serve` on a free port, and resolves once it has printed its line. */
    async serve(options?: RunOptions) {
      const { child, exited } = start(inFolder(['serve', '--port', '0']), options)
      const line = await Promise.race([once(child.stdout, 'data'), exited.then(failToServe)])
      const { url, caFile, pid } = parseObject(String(line[0]))
      return { child, exited, url: String(url), caFile: String(caFile), pid: Number(pid) }
    },
  }
}

function failToServe({ stderr }: Ran): never {
  throw new Error(`serve ended: ${stderr}`)
}

function parseObject(line: string): Record<string, unknown> {
  // Test boundary: with --json, a command prints an object per line.
  return JSON.parse(line) as Record<string, unknown>
}
