/**
 * Checks the database for damage in the background: quickly some seconds after the start, and in full every day. Each
 * check has its own thread and connection, so neither the event loop nor writes wait for it.
 */
import type { CheckDepth, Maintenance } from './maintenance.ts'

/** Late enough that the start and the first requests do not compete for the disk. */
const quickAfterMs = 10_000
/** Time after a start until the full check. Most starts of a desktop app are followed by a day without another. */
const fullAfterMs = 30 * 60_000
const everyMs = 24 * 60 * 60_000

interface IntegrityCheckOptions {
  maintenance: Pick<Maintenance, 'check'>
  /** Whether the data is in PostgreSQL, whose checks find no damage: a full one would read all rows for nothing. */
  isShared: boolean
  /** @param problem  the first problem found, in the engine's words; null when there is none */
  onResult(problem: string | null): void
  onError(error: unknown): void
}

/** @returns cancels the checks that have not begun */
export function scheduleIntegrityCheck(options: IntegrityCheckOptions): { close(): void } {
  const run = (depth: CheckDepth) => void runCheck(options, depth)
  const timers = [setTimeout(run, quickAfterMs, 'quick')]
  if (!options.isShared)
    timers.push(setTimeout(run, fullAfterMs, 'full'), setInterval(run, everyMs, 'full'))
  for (const timer of timers) timer.unref()
  return {
    close() {
      for (const timer of timers) clearTimeout(timer)
    },
  }
}

async function runCheck(
  { maintenance, onResult, onError }: IntegrityCheckOptions,
  depth: CheckDepth,
): Promise<void> {
  try {
    const [problem = null] = (await maintenance.check(depth)).problems
    onResult(problem)
  } catch (error) {
    onError(error)
  }
}
