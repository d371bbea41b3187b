/** Runs one mix against the service, and compares what was recorded with what the vendors bill. */
import type { RequestRecord } from '../../../src/shared/entities.ts'
import type { BilledCall } from './billed-call.ts'
import { probeBudgets, probeTag, type ProbedBudget } from './budget-probe.ts'
import { explain, type Explained, type Group } from './explain.ts'
import { judge } from './judge-call.ts'
import type { Mix } from './mix.ts'
import {
  callerOf,
  figuresOf,
  rowsOf,
  setUp,
  takeDown,
  type MoneyBed,
  type SetUpMix,
} from './money-bed.ts'
import { sendRequest } from './send-request.ts'

/** Requests at once. */
const atOnce = 60

export interface MixResult {
  mix: Mix
  /** One for each request. */
  outcomes: readonly string[]
  calls: readonly BilledCall[]
  attempts: number
  explained: readonly Explained[]
  budgets: readonly ProbedBudget[]
}

/** Runs a mix and removes its router, key and providers, so that hundreds of mixes stay fast. */
export async function runMix(bed: MoneyBed, mix: Mix): Promise<MixResult> {
  const { service, upstream } = bed
  await service.dashboard.setSetting('fastLane', mix.usesFastLane)
  const made = await setUp(bed, mix)
  const before = upstream.calls.length
  upstream.setWeather(mix.weather)
  const { outcomes, leftTicks } = await sendAll(bed, mix, made)
  upstream.setWeather({ ...mix.weather, faultShare: 0, slowness: 0 })
  const budgets = await probeBudgets(bed, mix, made)
  const rows = (await rowsOf(bed, made.routerId)).filter(({ tag }) => tag !== probeTag)
  const calls = upstream.calls.slice(before).filter(({ mark }) => mark !== '')
  const groups = new Groups(rows)
  for (const call of calls) {
    const leftTick = leftTicks.get(call.mark.replace('a', '')) ?? Infinity
    const goneTick = Math.min(upstream.closedTick(call.socket), leftTick)
    groups.add(call, judge(call, { ...figuresOf(made, call), goneTick }))
  }
  await takeDown(bed, mix, made)
  const explained = groups.all().map((group) => explain(withLost(group, mix, made)))
  const attempts = rows.reduce((sum, row) => sum + row.attempts, 0)
  return { mix, outcomes, calls, attempts, explained, budgets }
}

async function sendAll(bed: MoneyBed, { requests }: Mix, made: SetUpMix) {
  const leftTicks = new Map<string, number>()
  const caller = callerOf(bed, made, (mark) => leftTicks.set(mark, bed.upstream.tick()))
  const outcomes: string[] = []
  const waiting = requests.values()
  const sendSome = async () => {
    for (const request of waiting) outcomes.push(await sendRequest(caller, request))
  }
  await Promise.all(Array.from({ length: atOnce }, sendSome))
  return { outcomes, leftTicks }
}

type OpenGroup = Omit<Group, 'calls' | 'lostNanoUsd'> & { calls: Group['calls'][number][] }

/** The rows of an agent's steps have the execution's id, not the caller's tag. */
const agents = 'the agents'

class Groups {
  readonly #groups = new Map<string, OpenGroup>()

  constructor(rows: readonly RequestRecord[]) {
    for (const { tag, executionId, costNanoUsd, attempts } of rows) {
      const group = this.#of(executionId === null ? (tag ?? '') : agents)
      group.recordedNanoUsd += costNanoUsd
      group.attempts += attempts
    }
  }

  add(call: BilledCall, judged: ReturnType<typeof judge>): void {
    const { vendor, form, plan, end, mark } = call
    const about = `${vendor.name} ${form}: ${plan.fault ?? 'no fault'}, ${end}`
    this.#of(mark.includes('a') ? agents : mark).calls.push({ about, judged })
  }

  all(): OpenGroup[] {
    return [...this.#groups.values()]
  }

  #of(name: string): OpenGroup {
    const known = this.#groups.get(name) ?? { name, recordedNanoUsd: 0, attempts: 0, calls: [] }
    this.#groups.set(name, known)
    return known
  }
}

/** An attempt may end before its request has arrived whole; its prompt, or both texts of an embedding, are counted all the same. */
function withLost(group: OpenGroup, { requests }: Mix, { prices }: SetUpMix): Group {
  const { name, attempts, calls } = group
  if (attempts <= calls.length) return { ...group, lostNanoUsd: 0 }
  const isOwn = (mark: string, door: string) => (name === agents ? door === 'agent' : mark === name)
  const own = requests.filter(({ mark, door }) => isOwn(mark, door))
  const contexts = [...prices.values()].map(({ contextTokens }) => contextTokens)
  const mostLinked = own.some(({ later }) => later !== null) ? Math.max(...contexts) : 0
  const mostText = Math.max(0, ...own.map(({ prompt }) => prompt.length)) / 1.5 + 400
  const dearestUsd = Math.max(
    ...[...prices.values()].map(({ price }) => Math.max(price.input, price.cacheWrite)),
  )
  const lostNanoUsd = (attempts - calls.length) * (mostText + mostLinked) * dearestUsd * 1_000
  return { ...group, lostNanoUsd }
}
