/** The real command line on temporary folders: in this process, or in one of its own where only that shows more. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { Readable, Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import { runCommandLine } from '../../src/service/cli/command-line.ts'
import { temporaryFolder } from '../storage/temporary-folder.ts'

export const binary = fileURLToPath(new URL('../../bin/modelport.mjs', import.meta.url))

// Commands must not reach a keyring of this computer, nor create files that others can read.
process.env['DBUS_SESSION_BUS_ADDRESS'] = 'disabled:'
process.umask(0o077)

/** Opens the vault at once. A passphrase takes a third of a second for each command. */
export const vaultKey = { MODELPORT_VAULT_KEY: Buffer.alloc(32, 7).toString('base64') }

export interface Ran {
  code: number | null
  stdout: string
  stderr: string
}

interface RunOptions {
  env?: Record<string, string>
  stdin?: string
}

interface StartOptions extends RunOptions {
  /** Options of Node itself. */
  nodeArgs?: readonly string[]
  /** Path of a copy of the first file. */
  binaryFile?: string
}

/** A data folder with the commands that use it. They cannot reach a keyring of this computer. */
export function newModelport(dataDir = temporaryFolder()) {
  const environment = (env: Record<string, string> = {}) => ({
    PATH: process.env['PATH'],
    // Compiled once for all processes of the tests.
    NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
    HOME: dataDir,
    XDG_CONFIG_HOME: dataDir,
    XDG_CACHE_HOME: join(dataDir, '.cache'),
    ...env,
  })
  const start = (args: readonly string[], options: StartOptions = {}) => {
    const { env, stdin = '', nodeArgs = [], binaryFile = binary } = options
    const child = spawn(process.execPath, [...nodeArgs, binaryFile, ...args], {
      env: environment(env),
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
  const run = (args: readonly string[], { env, stdin = '' }: RunOptions = {}) =>
    runHere(inFolder(args), environment(env), stdin)

  return {
    dataDir,
    /** Of its processes. */
    environment,
    /** Starts a process with exactly these arguments. */
    start,
    /** Runs the command in this process: the same program without the start of one. */
    run,
    /** Runs the command in a process of its own. */
    runProcess: (args: readonly string[], options?: StartOptions) =>
      start(inFolder(args), options).exited,
    /** The values printed with `--json`; rejects when the command failed. */
    async json(...args: string[]): Promise<Record<string, unknown>[]> {
      const { code, stdout, stderr } = await run([...args, '--json'])
      if (code !== 0) throw new Error(`exit ${code}: ${stderr}`)
      return stdout.split('\n').slice(0, -1).map(parseObject)
    },
    /** Starts `serve` on a free port, and resolves once it has printed its line. */
    async serve(options?: StartOptions) {
      const { child, exited } = start(inFolder(['serve', '--port', '0']), options)
      const line = await Promise.race([once(child.stdout, 'data'), exited.then(failToServe)])
      const { url, caFile, pid } = parseObject(String(line[0]))
      return { child, exited, url: String(url), caFile: String(caFile), pid: Number(pid) }
    },
  }
}

/** What the command's process would print and exit with. */
async function runHere(
  args: readonly string[],
  env: Record<string, string | undefined>,
  stdin: string,
): Promise<Ran> {
  const [stdout, stderr] = [collected(), collected()]
  const code = await runCommandLine(args, {
    env,
    stdin: Readable.from(stdin === '' ? [] : [Buffer.from(stdin)]),
    stdout: stdout.stream,
    stderr: stderr.stream,
  })
  return { code, stdout: stdout.text(), stderr: stderr.text() }
}

function collected() {
  const chunks: Buffer[] = []
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk)
      done()
    },
  })
  return { stream, text: () => Buffer.concat(chunks).toString('utf8') }
}

function failToServe({ stderr }: Ran): never {
  throw new Error(`serve ended: ${stderr}`)
}

function parseObject(line: string): Record<string, unknown> {
  // Test boundary: with --json, a command prints an object per line.
  return JSON.parse(line) as Record<string, unknown>
}
