/**
 * A failure nobody expected, with its stack, as one JSON line on standard error: what the app was
 * asked with never is in it, for a prompt or a key could be.
 */
export function reportBug(where: string, error: unknown): void {
  const { name, message, stack } = error instanceof Error ? error : new Error(String(error))
  const line = JSON.stringify({ level: 'error', time: Date.now(), where, name, message, stack })
  process.stderr.write(`${line}\n`)
}
