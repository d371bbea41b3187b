/** A timer may be early by less, which is the same moment. */
const earlyMs = 5

/**
 * Looks again and again for what another process may have changed. Everything in this process looks at the same
 * moments, so that a computer at rest is woken once for all of it.
 * @param periodMs  a multiple of half a second
 * @returns stops it
 */
export function lookEvery(periodMs: number, look: () => void): () => void {
  let timer: NodeJS.Timeout
  const wait = () => {
    const restMs = periodMs - (performance.now() % periodMs)
    const waitMs = Math.ceil(restMs < earlyMs ? restMs + periodMs : restMs)
    timer = setTimeout(() => {
      wait()
      look()
    }, waitMs).unref()
  }
  wait()
  return () => clearTimeout(timer)
}
