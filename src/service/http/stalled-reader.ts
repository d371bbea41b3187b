/**
 * A reader that takes nothing of what waits for it holds an upstream's connection, and its answer goes
 * on to cost. It is watched only while the socket is full, so a reader that keeps up costs no timer.
 */
import type { ServerResponse } from 'node:http'

/** As long as an upstream may be silent between two chunks. */
export const defaultStallMs = 60_000

/**
 * @param onStalled  called once when for `stallMs` nothing of what waits has left
 * @returns ends the watch
 */
export function watchReader(
  response: Pick<ServerResponse, 'writableLength'>,
  stallMs: number,
  onStalled: () => void,
): () => void {
  let waiting = response.writableLength
  const timer = setInterval(() => {
    const before = waiting
    waiting = response.writableLength
    if (waiting < before) return
    clearInterval(timer)
    onStalled()
  }, stallMs)
  return () => clearInterval(timer)
}
