/** The log of what went wrong: never a prompt, a key or a body, whatever an error carries. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import pino, { type Logger } from 'pino'

export interface Log {
  /** A bug of ours, or a part that failed unexpectedly. @param where  which part */
  failed(where: string, error: unknown): void
  /** Something a person may want to know of. @param fields  of ours: nothing of a request's content */
  noted(what: string, fields: Readonly<Record<string, string>>): void
  close(): void
}

/**
 * Writes `<dataDir>/logs/modelport.log`, one JSON line per event. Nothing the program does depends on
 * it: what cannot be written (a full disk), or comes after `close`, is lost.
 */
export function openLog(dataDir: string): Log {
  mkdirSync(join(dataDir, 'logs'), { recursive: true, mode: 0o700 })
  const destination = pino.destination({
    dest: join(dataDir, 'logs', 'modelport.log'),
    mode: 0o600,
    sync: false,
  })
  // An error nobody listens to would end the program.
  destination.on('error', () => {})
  let isOpen = true
  const logger: Logger = pino({ base: null }, destination)
  return {
    failed(where, error) {
      if (isOpen) logger.error({ where, error: describe(error) })
    },
    noted(what, fields) {
      if (isOpen) logger.info({ what, ...fields })
    },
    close() {
      if (isOpen) destination.end()
      isOpen = false
    },
  }
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
