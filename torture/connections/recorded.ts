/** Runs a program in a network of its own (record.py) and returns what it sent to other computers. */
import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'

const root = join(import.meta.dirname, '../..')

const lineSchema = z.union([
  z.strictObject({ mark: z.string() }),
  z.strictObject({ question: z.string() }),
  z.strictObject({ protocol: z.string(), to: z.string(), port: z.number().nullable() }),
])

export interface Recorded {
  /** What the program printed. */
  output: string
  code: number | null
  /** Between marks. */
  parts: ReadonlyMap<string, Part>
}

interface Part {
  /** Names that were asked for. */
  questions: string[]
  /** `models.dev:443` */
  addresses: string[]
}

export interface RecordOptions {
  /** `closed`: there is no route but loopback. */
  network: 'open' | 'closed'
  env?: Readonly<Record<string, string>>
}

export async function record(
  command: readonly string[],
  { network, env = {} }: RecordOptions,
): Promise<Recorded> {
  const folder = await mkdtemp(join(tmpdir(), 'modelport-packets-'))
  const file = join(folder, 'packets.jsonl')
  try {
    const recorder = ['python3', join(import.meta.dirname, 'record.py'), file, network]
    const child = spawn('unshare', ['--net', '--mount', '--', ...recorder, ...command], {
      cwd: root,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let output = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
    const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
    return { output, code, parts: readParts(await readFile(file, 'utf8')) }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function readParts(text: string): Recorded['parts'] {
  const parts = new Map<string, Part>()
  let part: Part = { questions: [], addresses: [] }
  parts.set('', part)
  for (const line of text.split('\n').filter(Boolean)) {
    const read = lineSchema.parse(JSON.parse(line))
    if ('mark' in read) parts.set(read.mark, (part = { questions: [], addresses: [] }))
    else if ('question' in read) part.questions.push(read.question)
    else part.addresses.push(`${read.to}:${read.port}`)
  }
  return parts
}

/** Those that are not on this computer. */
export function outside({ addresses }: { addresses: readonly string[] }): string[] {
  return addresses.filter((address) => !/^(127\.|::1:)/.test(address))
}
