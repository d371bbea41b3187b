/**
 * A service that gets into random states, and what is true of each: known from what was done to the service and from
 * its events, not from what a window reads.
 */
import { execFileSync } from 'node:child_process'
import { createServer, type AddressInfo } from 'node:net'
import { vi } from 'vitest'
import type { RequestRecord, RouterInput } from '../../../src/shared/entities.ts'
import { formatCount, formatRelativeTime, formatUsd } from '../../../src/shared/strings/format.ts'
import type { Chance } from '../../agents/random.ts'
import { errorReply, type FakeModel } from '../../fake-provider.ts'
import { hello, startTestService, type TestService } from '../../test-service.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** What Home and the banners must say. */
export interface Truth {
  banners: string[]
  points: string[]
}

export interface States {
  service: TestService['service']
  /** Changes one to three things. @returns what was done */
  change(chance: Chance): Promise<string[]>
  truth(): Promise<Truth>
}

interface Parts extends TestService {
  clock: Clock
  /** Finished requests, with the cost and status that the ledger has. */
  rows: RequestRecord[]
  taken: number
  router: RouterInput
}

interface Dial {
  name: string
  /** Whether it can be turned while the database cannot be written. */
  isFree?: boolean
  turn(parts: Parts, chance: Chance): Promise<string>
}

type AtEnd = (end: () => Promise<void>) => void

export async function startStates(atEnd: AtEnd): Promise<States> {
  const clock = startClock()
  const tested = await startTestService(
    {
      service: {
        now: clock.now,
        env: { MODELPORT_VAULT_PASSPHRASE: 'so that no keychain is asked' },
      },
    },
    atEnd,
  )
  const rows: RequestRecord[] = []
  tested.service.on('request:finished', (row) => void rows.push(row))
  const taken = await takePort(atEnd)
  const router: RouterInput = { name: 'Test', strategy: 'priority', models: ['fake:fake-model'] }
  const parts = { ...tested, clock, rows, taken, router }
  atEnd(async () => fillDisk(false))
  return {
    service: tested.service,
    truth: () => truthOf(parts),
    async change(chance) {
      const done: string[] = []
      for (let left = 1 + chance.below(3); left > 0; left -= 1) {
        const canWrite = tested.service.storageState().outage === null
        const [first, ...others] = dials.filter(({ isFree }) => canWrite || isFree)
        if (!first) break
        const dial = chance.pick([first, ...others])
        done.push(`${dial.name}: ${await dial.turn(parts, chance)}`)
      }
      return done
    },
  }
}

const dials: readonly Dial[] = [
  { name: 'provider', turn: turnProvider },
  { name: 'provider', turn: turnProvider },
  { name: 'provider’s key', turn: turnProviderKey },
  { name: 'budget', turn: turnBudget },
  { name: 'daily limit', turn: turnDailyLimit },
  { name: 'key', turn: turnKey },
  { name: 'pause', isFree: true, turn: turnPause },
  { name: 'port', isFree: true, turn: turnPort },
  { name: 'clock', isFree: true, turn: turnClock },
  { name: 'disk', isFree: true, turn: turnDisk },
]

const answers = {
  fine: {},
  'out of credit': { reply: errorReply(402, { code: 'insufficient_quota' }) },
  down: { fault: { kind: 'reset', afterEvents: 0 } },
  failing: { reply: errorReply(500) },
} satisfies Record<string, FakeModel>

async function turnProvider({ fake, service, ...parts }: Parts, chance: Chance): Promise<string> {
  const name = chance.pick(['fine', 'fine', 'out of credit', 'down', 'failing'] as const)
  fake.setModel('fake-model', answers[name])
  // What stopped it may be over: as after "Test" in the window.
  if (name === 'fine') await service.dashboard.testProvider('fake')
  await ask({ fake, service, ...parts })
  return name
}

async function turnProviderKey({ fake, service, ...parts }: Parts, chance: Chance) {
  const isAccepted = chance.isTrue(0.5)
  fake.setApiKey(isAccepted ? 'sk-fake-provider-key' : 'another')
  if (isAccepted) await service.dashboard.testProvider('fake')
  await ask({ fake, service, ...parts })
  return isAccepted ? 'accepted' : 'rejected'
}

async function changeRouter(parts: Parts, changes: Partial<RouterInput>): Promise<void> {
  Object.assign(parts.router, changes)
  await parts.service.dashboard.updateRouter(parts.routerId, parts.router)
}

async function turnBudget(parts: Parts, chance: Chance): Promise<string> {
  const spentUsd = today(parts).reduce((usd, { costNanoUsd }) => usd + costNanoUsd / 1e9, 0)
  const used = chance.pick([null, 1, 0.9, 0.1])
  const budgetUsdPerDay =
    used === null || spentUsd === 0 ? null : Number((spentUsd / used).toFixed(9))
  await changeRouter(parts, { budgetUsdPerDay })
  return `${used} used of ${budgetUsdPerDay}`
}

async function turnDailyLimit(parts: Parts, chance: Chance): Promise<string> {
  const dailyLimit = chance.pick([null, Math.max(1, countedToday(parts)), 100_000])
  await changeRouter(parts, { tier: 'enterprise', dailyLimit })
  return String(dailyLimit)
}

async function turnKey({ service: { dashboard }, clock }: Parts): Promise<string> {
  const known = (await dashboard.apiKeys()).find(
    ({ name, revokedAtMs }) => name === 'Soon' && revokedAtMs === null,
  )
  if (known) await dashboard.revokeApiKey(known.id)
  else {
    const expiresAtMs = clock.now() + 2.5 * dayMs
    await dashboard.createApiKey({ name: 'Soon', routers: 'all', expiresAtMs })
  }
  return known ? 'revoked' : 'one that expires soon'
}

async function turnPause({ service }: Parts, chance: Chance): Promise<string> {
  service.setPaused(chance.isTrue(0.5))
  return String(service.isPaused())
}

async function turnPort({ service, origin, taken }: Parts, chance: Chance): Promise<string> {
  const isTaken = chance.isTrue(0.5)
  await service.listen(isTaken ? taken : Number(new URL(origin).port))
  return isTaken ? 'taken' : 'free'
}

async function turnClock({ clock }: Parts, chance: Chance): Promise<string> {
  const offsetMs = chance.pick([0, 30 * hourMs, -30 * hourMs])
  clock.set(offsetMs)
  return `${offsetMs / hourMs} h`
}

async function turnDisk({ service }: Parts, chance: Chance): Promise<string> {
  const isFull = chance.isTrue(0.4)
  fillDisk(isFull)
  const { theme } = service.settings()
  // A write finds out.
  if (isFull)
    await service.dashboard
      .setSetting('theme', theme === 'dark' ? 'light' : 'dark')
      .catch(() => null)
  await vi.waitUntil(() => (service.storageState().outage !== null) === isFull, 60_000)
  return isFull ? 'full' : 'has space'
}

function fillDisk(isFull: boolean): void {
  execFileSync('prlimit', [
    '--pid',
    String(process.pid),
    `--fsize=${isFull ? '4096' : 'unlimited'}:`,
  ])
}

/** One request; its row is in the ledger when this resolves. */
async function ask({ service, post, rows }: Parts): Promise<void> {
  if (service.isPaused() || service.endpoint().status !== 'listening') return
  const answer = await post('chat/completions', hello)
  await answer.text()
  const id = answer.headers.get('x-request-id')
  // What was refused before a model was tried has no row.
  if (![402, 429].includes(answer.status))
    await vi.waitUntil(() => rows.some((row) => row.id === id), 60_000)
}

/** While the database cannot be written, finished requests wait in memory, and nobody can read them. */
async function readableRows({ service, rows }: Parts): Promise<RequestRecord[]> {
  if (service.storageState().outage === null) return rows
  const stored = await service.usage.requests({ limit: 1_000 })
  const ids = new Set(stored.map(({ id }) => id))
  return rows.filter(({ id }) => ids.has(id))
}

async function truthOf(all: Parts): Promise<Truth> {
  const parts = { ...all, rows: await readableRows(all) }
  const { service } = parts
  const endpoint = service.endpoint()
  const outage = service.storageState().outage
  return {
    banners: [
      ...(service.isPaused() ? ['Serving is paused. Requests of your programs get an error.'] : []),
      ...(endpoint.status === 'failed' && !service.isPaused() ? [endpoint.message] : []),
      ...(outage ? ['The database cannot be written, so Modelport is read-only'] : []),
    ],
    points: [
      ...(await providerPoints(parts)),
      ...failurePoints(parts),
      ...(await routerPoints(parts)),
      ...(await keyPoints(parts)),
    ],
  }
}

const words: Readonly<Record<string, string>> = {
  key_rejected: 'rejects its key',
  out_of_credit: 'has no credit left',
  unreachable: 'cannot be reached',
  error: 'is failing',
}

async function providerPoints({ service }: Parts): Promise<string[]> {
  const providers = await service.dashboard.providers()
  return providers.flatMap(({ id, health }) => {
    return health.status === 'failing' ? `${id} ${words[health.problem]}.` : []
  })
}

function failurePoints({ rows, clock }: Parts): string[] {
  const shown = rows.filter(({ startedAtMs }) => Math.abs(startedAtMs - clock.now()) < 12 * hourMs)
  const failed = shown.filter(({ status }) => status >= 500)
  if (failed.length === 0) return []
  const [some, all] = [failed, shown].map(({ length }) => formatCount(length))
  return [`${some} of ${all} requests failed in the last 24 hours.`]
}

async function routerPoints(parts: Parts): Promise<string[]> {
  const { name, budgetUsdPerDay = null, dailyLimit = null } = parts.router
  const spentUsd = today(parts).reduce((usd, { costNanoUsd }) => usd + costNanoUsd / 1e9, 0)
  // What the limit counts: not the requests of the ledger from before there was one.
  const uses = await parts.service.usage.daily()
  const counted = uses.find(({ routerId }) => routerId === parts.routerId)?.requests ?? 0
  return [
    ...(budgetUsdPerDay !== null && spentUsd >= budgetUsdPerDay * 0.8
      ? [`${name} has spent ${formatUsd(spentUsd)} of ${formatUsd(budgetUsdPerDay)} today.`]
      : []),
    ...(dailyLimit !== null && counted >= dailyLimit * 0.8
      ? [`${name} has used ${formatCount(counted)} of ${formatCount(dailyLimit)} requests today.`]
      : []),
  ]
}

async function keyPoints({ service, clock }: Parts): Promise<string[]> {
  const keys = await service.dashboard.apiKeys()
  return keys.flatMap(({ name, revokedAtMs, expiresAtMs }) =>
    revokedAtMs === null && expiresAtMs !== null && expiresAtMs > clock.now()
      ? `The key ${name} expires ${formatRelativeTime(expiresAtMs, clock.now())}.`
      : [],
  )
}

function today({ rows, clock }: Parts): RequestRecord[] {
  const day = (atMs: number) => Math.floor(atMs / dayMs)
  return rows.filter(({ startedAtMs }) => day(startedAtMs) === day(clock.now()))
}

function countedToday(parts: Parts): number {
  return today(parts).filter(({ status }) => status !== 429).length
}

interface Clock {
  now(): number
  set(offsetMs: number): void
}

/** The clock of the service and of the window. It begins two hours earlier, because a day of UTC must not end meanwhile. */
function startClock(): Clock {
  const realNow = Date.now
  const toMidnightMs = dayMs - (realNow() % dayMs)
  const startMs = toMidnightMs < 2 * hourMs ? -2 * hourMs : 0
  let offsetMs = startMs
  vi.spyOn(Date, 'now').mockImplementation(() => realNow() + offsetMs)
  return {
    now: () => Date.now(),
    set: (changeMs) => void (offsetMs = startMs + changeMs),
  }
}

async function takePort(atEnd: AtEnd): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  atEnd(async () => void server.close())
  // A listening TCP server's address is an AddressInfo.
  return (server.address() as AddressInfo).port
}
