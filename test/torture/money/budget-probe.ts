/** What is left of a budget, asked from outside: which request is still served, and which is refused. */
import { setTimeout as delay } from 'node:timers/promises'
import { fetch } from 'undici'
import { routerInputSchema, type RequestRecord } from '../../../src/shared/entities.ts'
import type { Budget, Mix } from './mix.ts'
import { probeModel, rowsOf, type MoneyBed, type SetUpMix } from './money-bed.ts'

/** The tag of the probes' rows. */
export const probeTag = 'probe'
/** Requests whose callers left may end later. */
const longestSettleMs = 60_000
const pauseMs = 20

export interface ProbedBudget {
  owner: 'key' | 'router'
  limitNanoUsd: number
  /**
   * Whether exactly that is left which its ledger rows leave of it: a request that can cost a nano-dollar more is refused,
   * and one that can cost just that is served. So the account is the ledger's sum, and nothing is reserved any more.
   */
  isExact: boolean
}

interface Probe {
  routerId: string
  key: string
  limitNanoUsd: number
  /** Rows in the ledger. */
  rows(): Promise<readonly RequestRecord[]>
}

/** Call it when all requests of the mix have ended. The mix's router has only the probes' model afterwards. */
export async function probeBudgets(
  bed: MoneyBed,
  { budgets }: Mix,
  made: SetUpMix,
): Promise<ProbedBudget[]> {
  const probed: ProbedBudget[] = []
  const ofKey = limitOf(budgets.key)
  if (ofKey !== null) {
    const routers = [made.routerId, bed.probeRouterId]
    const rows = async () => {
      const all = await Promise.all(routers.map((id) => rowsOf(bed, id)))
      return all.flat().filter(({ apiKeyId }) => apiKeyId === made.keyId)
    }
    const probe = { routerId: bed.probeRouterId, key: made.key, limitNanoUsd: ofKey, rows }
    probed.push({ owner: 'key', limitNanoUsd: ofKey, isExact: await settles(bed, probe) })
  }
  const ofRouter = limitOf(budgets.router)
  if (ofRouter !== null) {
    const plain = { name: 'Probed', strategy: 'priority', models: [probeModel], tier: 'enterprise' }
    const input = routerInputSchema.parse({ ...plain, ...budgets.router })
    await bed.service.dashboard.updateRouter(made.routerId, input)
    const rows = () => rowsOf(bed, made.routerId)
    const probe = { routerId: made.routerId, key: bed.adminKey, limitNanoUsd: ofRouter, rows }
    probed.push({ owner: 'router', limitNanoUsd: ofRouter, isExact: await settles(bed, probe) })
  }
  return probed
}

function limitOf({ budgetUsdPerDay, budgetUsdPerMonth }: Budget): number | null {
  const usd = budgetUsdPerDay ?? budgetUsdPerMonth
  return usd === null ? null : Math.round(usd * 1e9)
}

async function settles(bed: MoneyBed, probe: Probe): Promise<boolean> {
  const deadline = performance.now() + longestSettleMs
  while (performance.now() < deadline) {
    const rows = await probe.rows()
    const left = probe.limitNanoUsd - rows.reduce((sum, { costNanoUsd }) => sum + costNanoUsd, 0)
    if (bed.upstream.running() === 0 && (await isLeft(bed, probe, left))) return true
    await delay(pauseMs)
  }
  return false
}

async function isLeft(bed: MoneyBed, probe: Probe, leftNanoUsd: number): Promise<boolean> {
  if ((await statusOf(bed, probe, Math.max(0, leftNanoUsd) + 1)) !== 402) return false
  return leftNanoUsd < 1 || (await statusOf(bed, probe, leftNanoUsd)) === 200
}

/** @param nanoUsd  the most that the request can cost: a token of the probes' model costs one */
async function statusOf(
  { url, dispatcher }: MoneyBed,
  { routerId, key }: Probe,
  nanoUsd: number,
): Promise<number> {
  const messages = [{ role: 'user', content: 'Hello' }]
  const headers = {
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    'x-modelport-tag': probeTag,
  }
  const body = JSON.stringify({ model: 'auto', messages, max_tokens: nanoUsd })
  const path = `${url}${routerId}/v1/chat/completions`
  const answer = await fetch(path, { method: 'POST', dispatcher, headers, body })
  await answer.text()
  return answer.status
}
