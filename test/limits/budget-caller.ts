/** Callers of routers with budgets, on the real storage and with the test's clock. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { Budgets } from '../../src/service/chat/admission/budgets.ts'
import type { Plan } from '../../src/service/chat/chat-call.ts'
import type { Candidate } from '../../src/service/routing/candidate.ts'
import { candidate, sampleEstimate } from '../routing/sample-candidates.ts'
import { BudgetAccounts } from '../../src/service/storage/sqlite/budget-accounts.ts'
import { openStorage } from '../../src/service/storage/sqlite/open-storage.ts'
import type { Ledger } from '../../src/service/storage/storage.ts'
import type { Budget } from '../../src/shared/routers/budget.ts'
import { sampleDetail, sampleRecord, sampleRouter } from '../storage/samples.ts'

export const noon = Date.UTC(2026, 10, 21, 12)
export const hourMs = 3_600_000
export const dayMs = 24 * hourMs
export const none: Budget = { budgetUsdPerDay: null, budgetUsdPerMonth: null }
export const perDay = (budgetUsdPerDay: number): Budget => ({ ...none, budgetUsdPerDay })
export const perMonth = (budgetUsdPerMonth: number): Budget => ({ ...none, budgetUsdPerMonth })

/** An answer of one token costs $1 and the prompt is free, so a request costs exactly $1. */
export const dollar = candidate({ price: { inputUsdPerMtok: 0, outputUsdPerMtok: 1_000_000 } })
export const gratis = candidate({
  modelId: 'p:gratis',
  price: { inputUsdPerMtok: 0, outputUsdPerMtok: 0 },
})

export function planOf(ranked = [dollar]): Plan {
  return {
    keepsFirst: false,
    identity: null,
    prompt: { promptTokens: 0 },
    ranked: ranked.map((one) => ({ ...estimated(one), candidate: one })),
    record: {
      ...sampleDetail().decision,
      ranked: ranked.map((one) => ({ ...estimated(one), reason: null })),
    },
  }
}

function estimated({ modelId, position }: Candidate) {
  return { model: modelId, position, estimate: sampleEstimate() }
}

/** Real storage, and a clock that the test sets. */
export async function startBudgets() {
  const dataDir = await mkdtemp(join(tmpdir(), 'modelport-test-'))
  const storage = await openStorage({ dataDir })
  onTestFinished(async () => {
    await storage.close()
    await rm(dataDir, { recursive: true })
  })
  const clock = { nowMs: noon }
  const keys: Record<string, Budget> = {}
  const rotations: Record<string, string[]> = {}
  const budgetOfKey = (id: string) => {
    const budget = keys[id]
    return budget === undefined ? null : { budget, keyIds: rotations[id] ?? [id] }
  }
  const open = (ledger: Pick<Ledger, 'costsByDay'> = storage.ledger) =>
    new Budgets({
      store: new BudgetAccounts(ledger),
      budgetOfKey,
      onRefused() {},
      now: () => clock.nowMs,
    })
  return { clock, keys, rotations, open, ledger: storage.ledger }
}

type Started = Awaited<ReturnType<typeof startBudgets>>

/** A caller whose requests cost what the test specifies. */
export function caller({ clock, ledger }: Pick<Started, 'clock' | 'ledger'>, budgets: Budgets) {
  let requests = 0
  const router = sampleRouter({ id: 'router_a' })
  return async (budget: Budget, over: { apiKeyId?: string; plan?: Plan; tokens?: number } = {}) => {
    const { apiKeyId = null, plan = planOf(), tokens = 1 } = over
    const requestId = `request-${(requests += 1)}`
    const call = {
      requestId,
      router: { ...router, ...budget },
      apiKeyId,
      body: { messages: [], max_tokens: tokens },
      startedAtMs: clock.nowMs,
    }
    const { startedAtMs } = call
    const { plan: funded, money } = await budgets.reserve(call, plan)
    const end = async (costUsd: number) => {
      const costNanoUsd = costUsd * 1e9
      const about = { id: requestId, routerId: router.id, apiKeyId, startedAtMs }
      const row = sampleRecord({ ...about, costNanoUsd })
      budgets.settle(row)
      await ledger.append(row, sampleDetail())
    }
    return { funded, money, end, release: () => budgets.release(requestId) }
  }
}

/** The budgets and a caller. */
export async function startCaller() {
  const started = await startBudgets()
  const budgets = started.open()
  return { ...started, budgets, ask: caller(started, budgets) }
}
