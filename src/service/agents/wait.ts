import { setTimeout as delay } from 'node:timers/promises'

/** Resolves after so many ms. @throws the signal's reason */
export async function wait(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal }).catch(() => {})
  signal.throwIfAborted()
}
