/**
 * The load of a usual day: requests arrive at a fixed rate, whether or not earlier ones were answered. Half of them
 * are streamed.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { Pool } from 'undici'
import type { Target } from './load.ts'
import { streamedBody } from './stream-load.ts'

export interface SteadyAnswer {
  /** `x-request-id`. */
  id: string
  /** Whether it was a 200 with the complete answer. */
  isRight: boolean
  tookMs: number
}

const body = streamedBody({ pieces: 5, everyMs: 20, tag: null })
const bodies = [
  { body, ending: 'data: [DONE]\n\n' },
  { body: body.replace('"stream":true', '"stream":false'), ending: '}' },
] as const

/** Connections: enough for all requests that wait if nothing is answered for some seconds. */
const connections = 2_000

/** @returns each answer, in the order of completion */
export async function askSteadily(
  target: Target,
  requestsPerSecond: number,
  durationMs: number,
): Promise<SteadyAnswer[]> {
  const pool = new Pool(`https://localhost:${target.port}`, {
    connect: { ca: target.ca ?? '' },
    connections,
  })
  const answers: SteadyAnswer[] = []
  const asked: Promise<void>[] = []
  const startedAt = performance.now()
  const count = Math.round((requestsPerSecond * durationMs) / 1000)
  while (asked.length < count) {
    const dueAt = startedAt + (asked.length * 1000) / requestsPerSecond
    // A timer may be late. Then the due requests are sent together.
    const earlyMs = dueAt - performance.now()
    if (earlyMs > 0) await pause(earlyMs)
    const one = ask(pool, target, bodies[asked.length % 2 === 0 ? 0 : 1])
    asked.push(one.then((answer) => void answers.push(answer)))
  }
  await Promise.all(asked)
  await pool.close()
  return answers
}

async function ask(
  pool: Pool,
  { path, headers, marker }: Target,
  { body: asking, ending }: (typeof bodies)[number],
): Promise<SteadyAnswer> {
  const startedAt = performance.now()
  const answer = await pool.request({
    path,
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: asking,
  })
  const text = await answer.body.text()
  return {
    id: String(answer.headers['x-request-id']),
    isRight: answer.statusCode === 200 && text.includes(marker) && text.endsWith(ending),
    tookMs: performance.now() - startedAt,
  }
}
