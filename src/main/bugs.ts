import type { Service } from '../service/service.ts'

let log: Service['log'] | null = null

/** Writes unexpected errors to the service's log file as well from now on. */
export function reportBugsTo(service: Pick<Service, 'log'>): void {
  log = service.log
}

/**
 * Writes an unexpected error to the log file, and as one JSON line to standard error. The error's message is
 * left out: it may quote the user's input, such as a prompt or a key.
 * @param where  which part failed
 */
export function reportBug(where: string, error: unknown): void {
  log?.failed(where, error)
  const name = error instanceof Error ? error.name : typeof error
  const stack = error instanceof Error ? (error.stack ?? '') : ''
  const frames = stack.split('\n').filter((line) => line.startsWith('    at '))
  process.stderr.write(`${JSON.stringify({ level: 'error', where, name, frames })}\n`)
}
