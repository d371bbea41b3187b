/** Models with random prices that bill random tokens, for tests of caps. */
import { costNanoUsd } from '../../src/service/catalog/cost.ts'
import type { Candidate } from '../../src/service/routing/candidate.ts'
import { candidate as sampleCandidate } from '../routing/sample-candidates.ts'
import type { AskOutcome, Question } from '../../src/service/tuning/asker.ts'
import { mostPromptTokens } from '../../src/service/tuning/highest-cost.ts'

export type Random = () => number

export function between(random: Random, least: number, most: number): number {
  return least + Math.floor(random() * (most - least + 1))
}

export function randomCandidate(random: Random, index: number): Candidate {
  const usd = () => Math.round(random() * 40_000) / 1_000
  const cacheWriteUsdPerMtok = random() < 0.3 ? usd() : null
  const tier = { inputUsdPerMtok: usd(), outputUsdPerMtok: usd(), fromPromptTokens: 600 }
  const price = {
    inputUsdPerMtok: random() < 0.1 ? 0 : usd(),
    outputUsdPerMtok: usd(),
    cacheWriteUsdPerMtok,
    tiers: random() < 0.3 ? [tier] : [],
  }
  const makers = ['gpt', 'claude', 'gemini']
  const modelId = `p${index % 2}:${makers[between(random, 0, 2)]}-${index}`
  return sampleCandidate({ modelId, price, isLocal: random() < 0.1 })
}

/** What providers bill in the end, whatever Modelport hears of it. */
export interface Bill {
  nanoUsd: number
}

const verdict = JSON.stringify({
  kind: 'trivia',
  first_acceptable: true,
  second_acceptable: false,
  better: 'first',
})

/** Bills random tokens within the limits that the request sets, and fails in every way. */
export function randomAsker(random: Random, bill: Bill, onCrash: () => void) {
  return async ({ candidate, body, isJudge }: Question): Promise<AskOutcome> => {
    await Promise.resolve()
    const promptTokens = between(random, 0, mostPromptTokens(body))
    const isWritten = random() < 0.5
    const outputTokens = random() < 0.3 ? (body.max_tokens ?? 0) : between(random, 0, 200)
    const billedNanoUsd = costNanoUsd(candidate.price, {
      inputTokens: isWritten ? 0 : promptTokens,
      cacheReadTokens: 0,
      cacheWriteTokens: isWritten ? promptTokens : 0,
      outputTokens,
    })
    const fate = random()
    if (fate < 0.04) {
      bill.nanoUsd += billedNanoUsd
      onCrash()
      return await new Promise<never>(() => {})
    }
    if (fate < 0.1) {
      const isBilled = random() < 0.5
      if (isBilled) bill.nanoUsd += billedNanoUsd
      const retryAfterMs = random() < 0.7 ? 1 : null
      const costNanoUsdHeard = isBilled || random() < 0.5 ? null : 0
      const failure = { retryAfterMs, reason: 'model' as const, message: 'planted' }
      return { kind: 'failed', costNanoUsd: costNanoUsdHeard, ...failure }
    }
    bill.nanoUsd += billedNanoUsd
    const text = !isJudge ? (random() < 0.5 ? 'right' : 'wrong') : random() < 0.8 ? verdict : '{'
    return {
      kind: 'answered',
      text,
      isCut: false,
      costNanoUsd: billedNanoUsd,
      latencyMs: 1,
      outputTokens,
    }
  }
}
