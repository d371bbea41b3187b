/** Reads the end of the log, with the fields that may be shared. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'

const mostLines = 200

const errorSchema: z.ZodType<LoggedError> = z.lazy(() =>
  z.object({
    name: z.string().optional(),
    code: z.string().optional(),
    frames: z.array(z.string()).optional(),
    cause: errorSchema.optional(),
  }),
)

interface LoggedError {
  name?: string | undefined
  code?: string | undefined
  frames?: string[] | undefined
  cause?: LoggedError | undefined
}

/** An allow-list: a field that is not here, such as a web page's origin, is left out. */
const lineSchema = z.object({
  level: z.int(),
  time: z.int(),
  where: z.string().optional(),
  what: z.string().optional(),
  requestId: z.string().optional(),
  provider: z.string().optional(),
  kind: z.string().optional(),
  status: z.string().optional(),
  message: z.string().optional(),
  reason: z.string().optional(),
  problem: z.string().optional(),
  sinceLastLine: z.string().optional(),
  sinceStart: z.string().optional(),
  error: errorSchema.optional(),
})

/** @param nameOf  the name of a provider in the bundle */
export async function readLogLines(
  dataDir: string,
  nameOf: (providerId: string) => string,
): Promise<string[]> {
  const files = ['modelport.log.1', 'modelport.log']
  const texts = await Promise.all(files.map((name) => readIfThere(join(dataDir, 'logs', name))))
  const lines = texts
    .join('')
    .split('\n')
    .filter((line) => line !== '')
  return lines.slice(-mostLines).map((line) => shown(line, nameOf))
}

function shown(line: string, nameOf: (providerId: string) => string): string {
  const parsed = lineSchema.safeParse(parse(line))
  if (!parsed.success) return '(a line in another form)'
  const { time, level, provider, ...fields } = parsed.data
  const named = provider === undefined ? {} : { provider: nameOf(provider) }
  const kind = level >= 50 ? 'error' : 'note'
  return `${new Date(time).toISOString()} ${kind} ${JSON.stringify({ ...named, ...fields })}`
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    // The last line of a process that was killed.
    return null
  }
}

async function readIfThere(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return ''
    throw error
  }
}
