/** Answers one request as its plan says, and notes what was sent by when. */
import type { ServerResponse } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { answerOf, type FakeFormat, type RecordedRequest } from '../../upstreams/harness.ts'
import { eventsOf, wholeText, type AnswerEvent } from './answer-events.ts'
import type { BilledCall } from './billed-call.ts'
import { embeddingReply, embeddingTexts } from './embedding-replies.ts'

export interface Exchange {
  call: BilledCall
  request: RecordedRequest
  /** Null for embeddings. */
  format: FakeFormat | null
  response: ServerResponse
  tick(): number
}

/** Rounds in which a socket's bytes, or its end, get to the other side of the same process. */
export const ticksToArrive = 8
const longestHangMs = 30_000

export async function answerCall(exchange: Exchange): Promise<void> {
  const { call, response } = exchange
  const { plan } = call
  if (plan.fault === 'closed unread') return breakOff(exchange, 'unread')
  const status = /^status (\d+)$/.exec(plan.fault ?? '')?.[1]
  if (status !== undefined) return refuse(exchange, Number(status))
  if (plan.fault === 'reset') return breakOff(exchange, 'broke')
  if (plan.fault === 'hangs') return await hang(exchange)
  await delay(plan.firstByteMs)
  if (response.destroyed) return
  if (call.form === 'stream') await answerStream(exchange)
  else await answerWhole(exchange)
}

function refuse({ call, format, response, tick }: Exchange, status: number): void {
  call.end = 'refused'
  call.sent.push({ tokens: 0, report: null, tick: tick() })
  if (status === 429 && format !== null) {
    const { headers, body } = format.rateLimited
    response.writeHead(429, { ...headers, 'retry-after-ms': '200' }).end(body)
    return
  }
  const error = { message: 'an error', type: 'server_error', code: status, status: 'INTERNAL' }
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ type: 'error', error, message: 'an error' }))
}

function breakOff({ call, response }: Exchange, end: 'unread' | 'broke'): void {
  call.end = end
  response.socket?.resetAndDestroy()
}

/** The other side's time limit ends it, and no test waits longer than half a minute. */
async function hang({ response }: Exchange): Promise<void> {
  const over = new AbortController()
  response.once('close', () => over.abort())
  if (response.destroyed) return
  await delay(longestHangMs, undefined, { signal: over.signal }).catch(() => {})
  response.destroy()
}

async function answerStream(exchange: Exchange): Promise<void> {
  const { call, format, request, response } = exchange
  if (format === null) return
  const { vendor, plan, tokens } = call
  const events = eventsOf({ vendor, format, request, tokens, plan })
  const { headers } = format.stream(answerOf({}), request)
  const isCut = plan.fault !== null && plan.fault !== 'without usage'
  const isAtHead = plan.fault === 'cut at its head'
  const whole = isCut
    ? events.slice(0, isAtHead ? 0 : Math.min(plan.faultAfter, events.length - 1))
    : events
  response.writeHead(200, headers)
  response.flushHeaders()
  if (!(await sendEvents(exchange, whole))) return
  if (isCut) return await fail(exchange)
  call.end = 'answered'
  response.end()
}

/** @returns false when the other side closed */
async function sendEvents(exchange: Exchange, events: readonly AnswerEvent[]): Promise<boolean> {
  const { call, response, tick } = exchange
  for (const { bytes, tokens, report } of events) {
    if (call.plan.eventMs > 0) await delay(call.plan.eventMs)
    if (response.destroyed) return false
    response.write(bytes)
    call.sent.push({ tokens, report, tick: tick() })
  }
  return true
}

async function fail(exchange: Exchange): Promise<void> {
  const { call, response } = exchange
  const { plan, vendor } = call
  if (plan.fault === 'stalls midway') return await hang(exchange)
  if (plan.fault === 'error midway') {
    call.end = 'failed'
    return void response.end(vendor.failure)
  }
  if (!(await hasArrived(exchange))) return
  call.end = 'broke'
  if (plan.fault === 'malformed') response.end(vendor.garbage)
  else if (plan.fault === 'ends midway') response.end()
  else response.socket?.resetAndDestroy()
}

/** A reset takes back what was not read yet. @returns whether the connection is still open */
async function hasArrived({ tick, response }: Exchange): Promise<boolean> {
  const from = tick()
  while (tick() < from + ticksToArrive) await delay(1)
  return !response.destroyed
}

async function answerWhole(exchange: Exchange): Promise<void> {
  const { call, response, tick } = exchange
  const { plan, tokens } = call
  const made = (tokens.hidden + tokens.reasoning + tokens.text) / plan.tokensPerEvent
  await delay(made * plan.eventMs)
  if (response.destroyed) return
  const body = bodyOf(exchange)
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
  response.writeHead(200, headers)
  response.flushHeaders()
  if (plan.fault === null || plan.fault === 'without usage' || plan.fault === 'malformed') {
    call.end = plan.fault === 'malformed' ? 'broke' : 'answered'
    response.end(body)
    if (plan.fault === 'malformed') return
    const shown = (tokens.reasoning + tokens.text) * tokens.returned
    const report = plan.fault === null ? { outputTokens: totalOf(call) } : null
    call.sent.push({ tokens: shown, report, tick: tick() })
    return
  }
  if (plan.fault !== 'cut at its head') response.write(body.slice(0, body.length >> 1))
  if (plan.fault === 'stalls midway') return await hang(exchange)
  if (await hasArrived(exchange)) breakOff(exchange, 'broke')
}

function bodyOf({ call, format, request }: Exchange): string {
  const { vendor, plan, tokens } = call
  const text =
    format === null
      ? embeddingReply(
          request,
          embeddingTexts(request) ?? [],
          plan.fault === 'without usage' ? null : tokens.prompt,
        )
      : wholeText({ vendor, format, request, tokens, plan })
  return plan.fault === 'malformed' ? `${text.slice(0, text.length >> 1)}\u0000` : text
}

export function totalOf({ tokens }: Pick<BilledCall, 'tokens'>): number {
  return (tokens.hidden + tokens.reasoning + tokens.text) * tokens.choices
}
