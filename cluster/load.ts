/** Requests without a pause, through HAProxy. */
import { setTimeout as pause } from 'node:timers/promises'
import { newClient, type Answer, type AskOptions } from './router.ts'

export interface Load {
  answers: Answer[]
  /** Whole answers with status 200 since the start. */
  wholeCount(): number
  stop(): Promise<void>
}

/** @param request  of a request, by its number from 0 */
export function startLoad(connections: number, request: (nth: number) => AskOptions): Load {
  const ask = newClient()
  const answers: Answer[] = []
  const stopped = new AbortController()
  let sent = 0
  let whole = 0
  const askForever = async () => {
    while (!stopped.signal.aborted) {
      const answer = await ask(request((sent += 1)))
      answers.push(answer)
      if (isAcknowledged(answer)) whole += 1
      // Clients wait before they try again.
      else await pause(20)
    }
  }
  const running = Promise.all(Array.from({ length: connections }, askForever))
  return {
    answers,
    wholeCount: () => whole,
    async stop() {
      stopped.abort()
      await running
    },
  }
}

export function isAcknowledged({ status, isWhole }: Answer): boolean {
  return status === 200 && isWhole
}

/** How an answer that is not whole ended: `503 storage_unavailable`, `502`, or `cut`. */
export function endOf({ status, text, isWhole }: Answer): string {
  if (status === 0 || (status === 200 && !isWhole)) return 'cut'
  const code = /"code":"(\w+)"/.exec(text)?.[1]
  return code === undefined ? String(status) : `${status} ${code}`
}
