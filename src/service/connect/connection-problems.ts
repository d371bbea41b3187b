/**
 * Refused connections and requests, so that a person who connects a tool sees why nothing arrives. Equal ones are
 * counted together. Anybody on this computer can cause them, so the list is bounded and told at most once a
 * second.
 */
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import type { ConnectionProblem } from '../../shared/app/connect.ts'
import { problemWords } from './problem-words.ts'
import { readIfThere, replaceFile } from '../data-folder/durable-file.ts'

const mostProblems = 32
/** Times kept of each problem, for the count of the last minute. */
const mostTimes = 100
const forgottenAfterMs = 3_600_000
const minuteMs = 60_000
const quietMs = 1_000

const refusalSchema = z.object({
  kind: z.enum([
    'certificate_refused',
    'plain_http',
    'wrong_key',
    'origin_refused',
    'host_refused',
    'router_refused',
    'wrong_address',
  ]),
  client: z.string().max(200).nullable(),
  detail: z.string().max(300).nullable(),
})
/** A refusal as the endpoint reports it. */
export type Refusal = z.infer<typeof refusalSchema>

const storedSchema = refusalSchema.extend({
  count: z.int(),
  /** Unix ms, oldest first. */
  timesMs: z.array(z.int()).min(1).max(mostTimes),
})
type Stored = z.infer<typeof storedSchema>

export interface ConnectionProblemsOptions {
  dataDir: string
  now(): number
  /** Called with all problems some time after a change. */
  onNews(problems: readonly ConnectionProblem[]): void
  /** Called when the list for the command line could not be written. */
  onError(error: unknown): void
}

export class ConnectionProblems {
  readonly #options: ConnectionProblemsOptions
  #problems: readonly Stored[] = []
  /** Whether this process is the service; other processes read its note. */
  #isRecording = false
  #timer: NodeJS.Timeout | null = null
  #writing: Promise<void> = Promise.resolve()

  constructor(options: ConnectionProblemsOptions) {
    this.#options = options
  }

  /** Records from now on. The note of a service that was killed is deleted. */
  async start(): Promise<void> {
    this.#isRecording = true
    await rm(noteFile(this.#options.dataDir), { force: true })
  }

  add({ kind, client, detail }: Refusal): void {
    const nowMs = this.#options.now()
    const isSame = (each: Refusal) =>
      each.kind === kind && each.client === client && each.detail === detail
    const known = this.#problems.find(isSame)
    const timesMs = [...(known?.timesMs ?? []), nowMs].slice(-mostTimes)
    const others = this.#problems.filter(
      (each) => each !== known && (each.timesMs.at(-1) ?? 0) > nowMs - forgottenAfterMs,
    )
    const problem = { kind, client, detail, count: (known?.count ?? 0) + 1, timesMs }
    this.#problems = [problem, ...others].slice(0, mostProblems)
    this.#tell()
  }

  /** Problems, newest first; those of the running service, if this process is another one. */
  async list(): Promise<ConnectionProblem[]> {
    const stored = this.#isRecording ? this.#problems : await readNote(this.#options.dataDir)
    return this.#shown(stored)
  }

  /** Deletes the note, which would be outdated without a service. */
  async close(): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer)
    await this.#writing
    if (this.#isRecording) await rm(noteFile(this.#options.dataDir), { force: true })
  }

  async #shown(problems: readonly Stored[]): Promise<ConnectionProblem[]> {
    // Loaded when needed: the registry brings the parsers of all tools' files.
    const { recogniseClient } = await import('./recognise-client.ts')
    const { dataDir, now } = this.#options
    const caFile = join(dataDir, 'tls', 'ca.pem')
    return problems.map(({ kind, client, detail, count, timesMs }) => {
      const tool = recogniseClient(client)
      return {
        kind,
        client,
        tool,
        detail,
        count,
        lastMinute: timesMs.filter((timeMs) => timeMs > now() - minuteMs).length,
        lastAtMs: timesMs.at(-1) ?? 0,
        message: problemWords({ kind, client, tool, detail }, caFile),
      }
    })
  }

  #tell(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = null
      this.#writing = this.#writing.then(() => this.#publish()).catch(this.#options.onError)
    }, quietMs).unref()
  }

  async #publish(): Promise<void> {
    const { dataDir, onNews } = this.#options
    const problems = this.#problems
    await replaceFile(noteFile(dataDir), JSON.stringify(problems))
    onNews(await this.#shown(problems))
  }
}

function noteFile(dataDir: string): string {
  return join(dataDir, 'refused-connections.json')
}

async function readNote(dataDir: string): Promise<Stored[]> {
  try {
    const text = await readIfThere(noteFile(dataDir))
    return text === null ? [] : z.array(storedSchema).max(mostProblems).parse(JSON.parse(text))
  } catch {
    // Another version's note; the next refusal replaces it.
    return []
  }
}
