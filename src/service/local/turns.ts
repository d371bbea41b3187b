/** One after the other, in the order of asking. */

export interface Turns {
  /**
   * Resolves when it is the caller's turn, with the function that ends the turn.
   * @throws the signal's reason; the place in the queue is then given up
   */
  take(signal: AbortSignal): Promise<() => void>
}

export function createTurns(): Turns {
  const waiting: (() => void)[] = []
  let isTaken = false

  function next(): void {
    const first = waiting.shift()
    if (first) first()
    else isTaken = false
  }

  /** A turn ends once, however often it is said. */
  function turn(): () => void {
    let isOver = false
    return () => {
      if (isOver) return
      isOver = true
      next()
    }
  }

  async function take(signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted()
    if (isTaken) await wait(signal)
    isTaken = true
    return turn()
  }

  function wait(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const enter = () => {
        signal.removeEventListener('abort', leave)
        resolve()
      }
      const leave = () => {
        waiting.splice(waiting.indexOf(enter), 1)
        // The signal's reason is the caller's own value, an Error by every convention.
        reject(signal.reason as Error)
      }
      waiting.push(enter)
      signal.addEventListener('abort', leave, { once: true })
    })
  }

  return { take }
}
