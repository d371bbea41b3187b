/** Checks the database for damage some seconds after the start and reports what it finds. */
import type { Maintenance } from './maintenance.ts'

/** Late enough that the start and the first requests do not compete for the disk. */
const delayMs = 10_000

interface IntegrityCheckOptions {
  maintenance: Pick<Maintenance, 'check'>
  /** @param problem  the first problem found, in the engine's words */
  onDamage(problem: string): void
  onError(error: unknown): void
}

/** @returns cancels a check that has not begun */
export function scheduleIntegrityCheck(options: IntegrityCheckOptions): { close(): void } {
  const { maintenance, onDamage, onError } = options
  const run = async () => {
    try {
      const [problem] = (await maintenance.check()).problems
      if (problem !== undefined) onDamage(problem)
    } catch (error) {
      onError(error)
    }
  }
  const timer = setTimeout(() => void run(), delayMs)
  timer.unref()
  return { close: () => clearTimeout(timer) }
}
