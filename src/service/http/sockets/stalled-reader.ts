/**
 * A client that reads nothing keeps an upstream connection busy while its answer costs more and more.
 * The watch runs only while the socket is full, so a client that keeps up costs no timer.
 */
import type { ServerResponse } from 'node:http'

/** The same as the longest silence between two chunks of an upstream. */
export const defaultStallMs = 60_000

/**
 * @param onStalled  called once when no waiting data has been sent for `stallMs`
 * @returns a function that ends the watch
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
