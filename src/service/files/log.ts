/** The log of what went wrong: never a prompt, a key or a body, whatever an error carries. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { finished } from 'node:stream/promises'
import pino, { type Logger } from 'pino'
import { createStream, type RotatingFileStream } from 'rotating-file-stream'
import { asFileProblem } from './file-errors.ts'

export interface Log {
  /** A bug of ours, or a part that failed unexpectedly. @param where  which part */
  failed(where: string, error: unknown): void
  /** Something a person may want to know of. @param fields  of ours: nothing of a request's content */
  noted(what: string, fields: Readonly<Record<string, string>>): void
  /** Resolves when what was logged is in the file, or cannot be written. */
  close(): Promise<void>
}

const fileName = 'modelport.log'
/** With the one that is written to: 50 MiB at the most. */
const keptFiles = 5
/** After the disk was full: tried again with the first line that comes then. */
const retryMs = 10_000
const flushMs = 1_000

/**
 * Writes `<dataDir>/logs/modelport.log`, one JSON line per event. At 10 MiB the file becomes
 * `modelport.log.1`, that one `.2`, and so on. Nothing the program does depends on it: what cannot be
 * written (a full disk), or comes after `close`, is lost.
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
  return {
    failed(where, error) {
      logger()?.error({ where, error: describe(error) })
    },
    noted(what, fields) {
      logger()?.info({ what, ...fields })
    },
    async close() {
      const { stream } = file ?? {}
      file = null
      if (!stream || stream.destroyed) return
      stream.end()
      // The end of the program does not hang on a disk that does not answer. The clock is to keep the
      // program alive: with nothing else to do it would end in the middle of this, as a failure.
      const isFinished = new AbortController()
      const tooLate = sleep(flushMs, null, { signal: isFinished.signal }).catch(() => {})
      await Promise.race([finished(stream).catch(() => {}), tooLate])
      isFinished.abort()
    },
  }
}

interface LogFile {
  stream: RotatingFileStream
  /** Null once the file could not be written. */
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
  // An error nobody listens to would end the program.
  stream.on('error', () => {
    file.logger = null
    file.failedAtMs = performance.now()
  })
  return file
}

/**
 * Chosen fields only. An error's message is left out on purpose: a JSON parser quotes its input in it,
 * and the input is a prompt.
 */
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
