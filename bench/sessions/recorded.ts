/** Recorded sessions as numbers: one JSON a line with `id`, `columns` and `steps`. Files of the same form may be added. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'

export interface RecordedStep {
  promptTokens: number
  outputTokens: number
  /** Of the prompt. */
  readTokens: number
  writtenTokens: number
  startedMs: number
  endedMs: number
  /** Whether a person's message came before. */
  startsTurn: boolean
  /** By a reader of names and command patterns; null in generated sessions. */
  class: string | null
  /** The catalogue's model whose prices count. */
  modelId: string
  /** Names of the tools that it called. */
  tools: readonly string[]
}

export interface RecordedSession {
  id: string
  steps: readonly RecordedStep[]
}

export interface SessionSet {
  name: string
  sessions: readonly RecordedSession[]
}

const lineSchema = z.object({
  id: z.string(),
  columns: z.array(z.string()),
  steps: z.array(z.array(z.unknown())),
})

/** A step of a recording without times. */
const drawnStepMs = 10_000

/** A set for each file; none without a folder. */
export async function recordedSessions(folder: string | undefined): Promise<SessionSet[]> {
  if (folder === undefined) return []
  const names = (await readdir(folder)).filter((name) => name.endsWith('.jsonl')).toSorted()
  return await Promise.all(
    names.map(async (name) => {
      const lines = (await readFile(join(folder, name), 'utf8')).trim().split('\n')
      return { name: name.replace(/\.(shared\.)?jsonl$/, ''), sessions: lines.map(readLine) }
    }),
  )
}

function readLine(line: string): RecordedSession {
  const { id, columns, steps } = lineSchema.parse(JSON.parse(line))
  const rows = steps.map((step) =>
    Object.fromEntries(columns.map((name, index) => [name, step[index]])),
  )
  return { id, steps: rows.map(readStep) }
}

function readStep(row: Record<string, unknown>, index: number): RecordedStep {
  const numberOf = (name: string) => (typeof row[name] === 'number' ? row[name] : null)
  const startedMs = numberOf('t') ?? index * drawnStepMs
  return {
    promptTokens: numberOf('p') ?? 0,
    outputTokens: numberOf('o') ?? 0,
    readTokens: numberOf('c') ?? 0,
    writtenTokens: numberOf('w') ?? 0,
    startedMs,
    endedMs: numberOf('t1') ?? startedMs + drawnStepMs,
    startsTurn: index === 0 || row['user'] === 1,
    modelId: modelOf(row['m']),
    class: typeof row['k'] === 'string' ? row['k'] : null,
    tools: typeof row['tools'] === 'string' ? row['tools'].split(',').filter(Boolean) : [],
  }
}

/** Recordings are older than the catalogue: the newest model of the same family. */
function modelOf(name: unknown): string {
  if (typeof name !== 'string') return 'google:gemini-3.1-pro-preview'
  if (name.includes('haiku')) return 'anthropic:claude-haiku-5-5'
  return name.includes('sonnet') ? 'anthropic:claude-sonnet-5-5' : 'anthropic:claude-opus-5-5'
}
