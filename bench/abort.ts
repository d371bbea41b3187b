/**
 * Clients that disconnect at random moments from streamed and whole answers: how soon the upstream request is
 * aborted, and whether the ledger has one row for each with the usage so far.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ChildProcess } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import { estimateTokens, readNeeds } from '../src/service/chat/admission/request-needs.ts'
import type { RequestRecord } from '../src/shared/entities.ts'
import type { ChatRequest } from '../src/shared/chat/chat.ts'
import { open, requestBytes, type Target } from './load.ts'
import { isAccount, planWords, sharedNowMs, type Account } from './plan.ts'
import { median, quantile } from './quantile.ts'
import { row } from './row.ts'
import type { Measurement } from './measurement.ts'
import { startServer, stop } from './servers/start.ts'
import { pieceText } from './servers/upstream-answers.ts'
import { benchPrice, openOwnWorkspace, startModelport } from './targets.ts'

const aborts = 1_000
const atOnce = 20
/**
 * A stream and a whole answer both take 600 ms, so that every client disconnects earlier, even on a busy computer.
 */
const streamed = { pieces: 60, everyMs: 10 }
const whole = { pieces: 1, everyMs: 600 }
const soonestMs = 5
const latestMs = 250
/** A request that the upstream has not reported by then was never sent to it. */
const accountLimitMs = 2_000
/** A piece sent within this time before the client disconnected may have arrived afterwards. */
const onTheWayMs = 20

interface Abort {
  tag: string
  body: ChatRequest
  closedAtMs: number
  /** Null if the upstream received no request. */
  account: Account | null
}

export async function run(): Promise<Measurement[]> {
  const folder = await mkdtemp(join(tmpdir(), 'modelport-bench-'))
  const upstream = await startServer('upstream.ts')
  const service = await startModelport(folder, `http://127.0.0.1:${upstream.port}`)
  const accountOf = collectAccounts(upstream.child)
  const made: Abort[] = []
  const tags = Array.from({ length: aborts }, (_, number) => `abort-${number}`).values()
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (const tag of tags) made.push(await askAndLeave(service.target, tag, accountOf))
    }),
  )
  await stop(service.child)
  await stop(upstream.child)
  const rows = await readRows(folder)
  await rm(folder, { recursive: true })
  return [...measureClosing(made), ...measureLedger(made, rows)]
}

type AccountOf = (tag: string) => Promise<Account | null>

function collectAccounts(upstream: ChildProcess): AccountOf {
  const accounts = new Map<string, Account>()
  const waiting = new Map<string, (account: Account) => void>()
  upstream.on('message', (message: unknown) => {
    if (!isAccount(message)) return
    accounts.set(message.tag, message)
    waiting.get(message.tag)?.(message)
  })
  return async (tag) => {
    const told = accounts.get(tag)
    if (told) return told
    const toBeTold = new Promise<Account>((resolve) => {
      waiting.set(tag, resolve)
    })
    return await Promise.race([toBeTold, pause(accountLimitMs, null, { ref: false })])
  }
}

async function askAndLeave(target: Target, tag: string, accountOf: AccountOf): Promise<Abort> {
  const isStreamed = Number(tag.split('-')[1]) % 2 === 0
  const plan = planWords({ ...(isStreamed ? streamed : whole), tag })
  const body: ChatRequest = {
    model: 'auto',
    stream: isStreamed,
    messages: [{ role: 'user', content: `Tell me a long story. ${plan}` }],
  }
  const headers = { ...target.headers, 'user-agent': tag }
  const socket = await open(target)
  socket.on('error', () => {}).resume()
  socket.write(requestBytes({ ...target, headers }, JSON.stringify(body)))
  await pause(soonestMs + Math.random() * (latestMs - soonestMs))
  const closedAtMs = sharedNowMs()
  socket.destroy()
  return { tag, body, closedAtMs, account: await accountOf(tag) }
}

/** The ledger's rows by the client names in their requests. */
async function readRows(dataDir: string): Promise<Map<string, RequestRecord[]>> {
  const workspace = await openOwnWorkspace(dataDir)
  const { ledger } = workspace.storage
  const rows = new Map<string, RequestRecord[]>()
  for (const { id } of await ledger.list({ limit: aborts * 2 })) {
    const found = await ledger.get(id)
    const client = found?.detail.client ?? ''
    if (found) rows.set(client, [...(rows.get(client) ?? []), found.record])
  }
  await workspace.close()
  return rows
}

function measureClosing(made: readonly Abort[]): Measurement[] {
  const asked = made.filter(({ account }) => account)
  const late = asked.filter(({ account }) => account?.isWhole)
  const tookMs = asked.map(({ account, closedAtMs }) => (account?.endedAtMs ?? NaN) - closedAtMs)
  const closed = 'upstream closed after'
  return [
    row('callers that left', [made.length, ''], { target: { atLeast: aborts } }),
    row('after the upstream was asked', [asked.length, ''], { target: { atLeast: aborts * 0.95 } }),
    row('answers the upstream sent to their end', [late.length, ''], { target: { atMost: 0 } }),
    row(`${closed}, p50`, [median(tookMs), 'ms']),
    row(`${closed}, p99`, [quantile(tookMs, 0.99), 'ms'], { target: { atMost: 50 } }),
    row(`${closed}, slowest`, [Math.max(...tookMs), 'ms']),
  ]
}

function measureLedger(
  made: readonly Abort[],
  rows: ReadonlyMap<string, readonly RequestRecord[]>,
): Measurement[] {
  const rowsOf = ({ tag }: Abort) => rows.get(tag) ?? []
  const count = (isRight: (record: RequestRecord, abort: Abort) => boolean) =>
    made.filter((abort) => rowsOf(abort).some((record) => isRight(record, abort))).length
  const once = made.filter((abort) => rowsOf(abort).length === 1).length
  const all = [...rows.values()].reduce((sum, { length }) => sum + length, 0)
  const each = { atLeast: aborts }
  return [
    row('with exactly one row in the ledger', [once, ''], { target: each }),
    row('rows in the ledger', [all, ''], { target: { atMost: aborts } }),
    row('with status 499', [count(({ status }) => status === 499), ''], { target: each }),
    row('priced right', [count(isPricedRight), ''], { target: each }),
    row('of these with a cost', [count((record) => record.costNanoUsd > 0), '']),
  ]
}

/**
 * The provider's usage of an aborted stream never arrives, so tokens are estimated from the prompt and the pieces
 * received. Before the first piece, the prompt alone is charged, and nothing where the upstream was not asked.
 */
function isPricedRight(record: RequestRecord, { body, closedAtMs, account }: Abort): boolean {
  if (!account && record.costNanoUsd === 0) return true
  const sentAtMs = body.stream ? (account?.sentAtMs ?? []) : []
  const least = sentAtMs.filter((atMs) => atMs < closedAtMs - onTheWayMs).length
  const possible = Array.from({ length: sentAtMs.length - least + 1 }, (_, more) => least + more)
  return possible.some(
    (pieces) => record.costNanoUsd === costNanoUsd(body, sentAtMs.slice(0, pieces)),
  )
}

function costNanoUsd(body: ChatRequest, sentAtMs: readonly number[]): number {
  const characters = sentAtMs.reduce((sum, atMs, number) => sum + pieceText(number, atMs).length, 0)
  // One dollar per million tokens is a thousand nano-dollars per token.
  const input = readNeeds(body).promptTokens * benchPrice.inputUsdPerMtok
  const output = estimateTokens(characters) * benchPrice.outputUsdPerMtok
  return (input + output) * 1_000
}
