/** A service with budgets, and the requests and counts that tests of them need. */
import type { RequestRecord } from '../../src/shared/entities.ts'
import type { FakeModelScript } from '../fake-provider.ts'
import { hello, startTestService, type TestService } from '../test-service.ts'

/** A token costs one cent and the prompt is free, so `max_tokens: 10` can cost ten cents. */
export const centPerToken = { inputUsdPerMtok: 0, outputUsdPerMtok: 10_000 }
export const tenTokens = { ...hello, max_tokens: 10 }
export const usage = (completion_tokens: number) => ({
  prompt_tokens: 5,
  completion_tokens,
  total_tokens: 5 + completion_tokens,
})

interface Budgeted {
  script?: FakeModelScript
  router?: {
    budgetUsdPerDay?: number
    budgetUsdPerMonth?: number
    requestsPerMinute?: number
    cacheTtlSeconds?: number
  }
  now?: () => number
}

/** One model at one cent per token, which answers with ten tokens. */
export async function startBudgeted({ script = { usage: usage(10) }, router = {}, now }: Budgeted) {
  const started = await startTestService({
    models: { 'fake-model': script },
    router,
    service: now ? { now } : {},
  })
  await price(started, 'fake-model', centPerToken)
  return started
}

export async function price(
  { service }: TestService,
  model: string,
  usdPerMtok: typeof centPerToken,
) {
  const figures = { ...usdPerMtok, contextTokens: 100_000 }
  await service.dashboard.saveModel({ id: `fake:${model}`, ...figures })
}

export async function outcomeOf(
  { post }: Pick<TestService, 'post'>,
  body: unknown = tenTokens,
): Promise<string> {
  const answer = await post('chat/completions', body)
  const text = await answer.text()
  if (answer.status === 200) return 'served'
  const { error } = JSON.parse(text) as { error: { code: string } }
  return `${answer.status} ${error.code}`
}

type MonthDayHour = [monthsLater: number, day: number, hour: number]

/** A day of a month that is so many months after the given time's, in UTC. */
export function utc(timeMs: number, [monthsLater, day, hour]: MonthDayHour): number {
  const time = new Date(timeMs)
  return Date.UTC(time.getUTCFullYear(), time.getUTCMonth() + monthsLater, day, hour)
}

export function count(outcomes: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const outcome of outcomes) counts[outcome] = (counts[outcome] ?? 0) + 1
  return counts
}

export const spent = (rows: readonly RequestRecord[]) =>
  rows.reduce((sum, { costNanoUsd }) => sum + costNanoUsd, 0)
