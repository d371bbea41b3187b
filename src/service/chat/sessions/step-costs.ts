import type { ChatUsage } from '../../../shared/chat/chat.ts'
import type { SessionStep } from '../../../shared/requests/session-step.ts'
import { costNanoUsd, priceRow, type BilledTokens } from '../../catalog/cost.ts'
import { withSurcharges } from '../../catalog/surcharges.ts'
import type { Candidate } from '../../routing/candidate.ts'
import { billedTokens } from '../metering/token-classes.ts'

const none = { read: 0, written: 0, uncached: 0, output: 0 }
const noTokens: BilledTokens = {
  inputTokens: 0,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  outputTokens: 0,
}

/** Tokens and nano-dollars of an answer in four parts, whose sum is what the answer cost. */
export function stepCosts({
  candidate,
  usage,
}: {
  candidate: Candidate | null
  usage: ChatUsage
}): Pick<SessionStep, 'tokens' | 'costs'> {
  if (candidate === null) return { tokens: none, costs: none }
  const billed = billedTokens(usage)
  const row = priceRow(candidate.price, usage.prompt_tokens)
  const { cacheReadTokens, cacheWriteTokens, cacheWrite1hTokens = 0, inputTokens } = billed
  const read = costNanoUsd(row, { ...noTokens, cacheReadTokens })
  const written = costNanoUsd(row, { ...noTokens, cacheWriteTokens, cacheWrite1hTokens })
  const uncached = costNanoUsd(row, { ...noTokens, inputTokens })
  const whole = withSurcharges(costNanoUsd(candidate.price, billed), usage)
  return {
    tokens: {
      read: cacheReadTokens,
      written: cacheWriteTokens,
      uncached: inputTokens,
      output: billed.outputTokens,
    },
    costs: { read, written, uncached, output: whole - read - written - uncached },
  }
}
