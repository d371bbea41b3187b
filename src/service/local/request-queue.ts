/** Admits one request at a time, in the order of arrival. */

export interface RequestQueue {
  /**
   * Resolves when the caller may proceed, with the function that admits the next one. Calling that function again
   * has no effect.
   * @throws the signal's reason; the caller has then left the queue
   */
  enter(signal: AbortSignal): Promise<() => void>
}

export function createRequestQueue(): RequestQueue {
  const waiting: (() => void)[] = []
  let isBusy = false

  function admitNext(): void {
    const first = waiting.shift()
    if (first) first()
    else isBusy = false
  }

  function createLeave(): () => void {
    let hasLeft = false
    return () => {
      if (hasLeft) return
      hasLeft = true
      admitNext()
    }
  }

  async function enter(signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted()
    if (isBusy) await wait(signal)
    isBusy = true
    return createLeave()
  }

  function wait(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const goAhead = () => {
        signal.removeEventListener('abort', giveUp)
        resolve()
      }
      const giveUp = () => {
        waiting.splice(waiting.indexOf(goAhead), 1)
        // The signal's reason is the caller's own value, an Error by every convention.
        reject(signal.reason as Error)
      }
      waiting.push(goAhead)
      signal.addEventListener('abort', giveUp, { once: true })
    })
  }

  return { enter }
}
