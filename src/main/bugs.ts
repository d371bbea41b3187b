/**
 * A failure nobody expected, as one JSON line on standard error. Its message is left out: it may quote
 * what a person typed, and that may be a prompt or a key.
 * @param where  which part failed
 */
export function reportBug(where: string, error: unknown): void {
  const name = error instanceof Error ? error.name : typeof error
  const stack = error instanceof Error ? (error.stack ?? '') : ''
  const frames = stack.split('\n').filter((line) => line.startsWith('    at '))
  process.stderr.write(`${JSON.stringify({ level: 'error', where, name, frames })}\n`)
}
