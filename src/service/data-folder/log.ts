/** The log of errors. It never contains a prompt, a key or a body, whatever an error contains. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { finished } from 'node:stream/promises'
import pino, { type Logger } from 'pino'
import { createStream, type RotatingFileStream } from 'rotating-file-stream'
import { asFileProblem } from './file-errors.ts'

export interface Log {
  /**
   * An unexpected error.
   * @param where  the part that failed
   * @param requestId  of the request that it ended
   */
  failed(where: string, error: unknown, requestId?: string): void
  /** Logs an event the user may want to know. @param fields  no content of a request */
  noted(what: string, fields: Readonly<Record<string, string>>): void
  /** Resolves when all lines are written, or cannot be written. */
  close(): Promise<void>
}

const fileName = 'modelport.log'
/** At most 50 MiB, including the current file. */
const keptFiles = 5
/** How long to wait after a failed write, such as on a full disk. */
const retryMs = 10_000
const flushMs = 1_000
/** Least time between equal entries: while a database is gone, several parts fail twice a second, for hours. */
const repeatMs = 60_000
const rememberedErrors = 100

/**
 * Writes `<dataDir>/logs/modelport.log`, one JSON line per event. At 10 MiB the file becomes
 * `modelport.log.1`, that one `.2`, and so on. Nothing depends on the log: lines that cannot be written (a full
 * disk) or that come after `close` are lost.
 * @throws FileProblem when the folder cannot be created
 */
export function openLog(dataDir: string): Log {
  const folder = join(dataDir, 'logs')
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
  } catch (error) {
    throw asFileProblem(error, folder)
  }
  let file: LogFile | null = openLogFile(folder)
  const logger = (): Logger | null => {
    if (file?.failedAtMs != null && performance.now() - file.failedAtMs > retryMs) {
      file = openLogFile(folder)
    }
    return file?.logger ?? null
  }
  const repeatsOf = repeatLimit()
  return {
    failed(where, error, requestId) {
      const line = { where, requestId, error: describe(error) }
      const repeats = repeatsOf(JSON.stringify(line))
      if (repeats !== null) logger()?.error(repeats === 0 ? line : { ...line, repeats })
    },
    noted(what, fields) {
      logger()?.info({ what, ...fields })
    },
    async close() {
      const { stream } = file ?? {}
      file = null
      if (!stream || stream.destroyed) return
      stream.end()
      // A disk that does not respond must not block the end of the program. The timer keeps the process alive:
      // without other work it would exit in the middle of this, as a failure.
      const isFinished = new AbortController()
      const tooLate = sleep(flushMs, null, { signal: isFinished.signal }).catch(() => {})
      await Promise.race([finished(stream).catch(() => {}), tooLate])
      isFinished.abort()
    },
  }
}

/**
 * Returns how often a line was left out since it was last written, or null to leave it out now: the same
 * error is written once a minute. Errors of two requests differ in the request's id.
 */
function repeatLimit(): (line: string) => number | null {
  const recent = new Map<string, { writtenAtMs: number; omitted: number }>()
  return (line) => {
    const nowMs = performance.now()
    const last = recent.get(line)
    if (last && nowMs - last.writtenAtMs < repeatMs) {
      last.omitted += 1
      return null
    }
    // Set again below, so that the first entry is the oldest one.
    recent.delete(line)
    const [oldest] = recent.keys()
    if (recent.size >= rememberedErrors && oldest !== undefined) recent.delete(oldest)
    recent.set(line, { writtenAtMs: nowMs, omitted: 0 })
    return last?.omitted ?? 0
  }
}

interface LogFile {
  stream: RotatingFileStream
  /** Null after a write failed. */
  logger: Logger | null
  failedAtMs: number | null
}

function openLogFile(folder: string): LogFile {
  const stream = createStream(fileName, {
    path: folder,
    mode: 0o600,
    size: '10M',
    rotate: keptFiles - 1,
  })
  const file: LogFile = { stream, logger: pino({ base: null }, stream), failedAtMs: null }
  // An unhandled error event would end the program.
  stream.on('error', () => {
    file.logger = null
    file.failedAtMs = performance.now()
  })
  return file
}

/** Describes an error by selected fields, without its message: a JSON parser quotes its input, which is a prompt. */
function describe(error: unknown): object {
  if (!(error instanceof Error)) return { type: typeof error }
  const frames = error.stack?.split('\n').filter((line) => line.startsWith('    at '))
  return {
    name: error.name,
    ...('code' in error ? { code: error.code } : {}),
    frames,
    ...(error.cause === undefined ? {} : { cause: describe(error.cause) }),
  }
}
