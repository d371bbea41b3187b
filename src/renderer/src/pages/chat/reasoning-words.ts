import type { ExplainedRequest } from '../../../../shared/requests/detail.ts'
import { formatCount, formatUsd } from '../../../../shared/strings/format.ts'
import { t } from '../../../../shared/strings/strings.ts'

interface ReasonedRequest {
  record: Pick<ExplainedRequest['record'], 'costNanoUsd'>
  detail: Pick<ExplainedRequest['detail'], 'tokens' | 'price'>
}

/**
 * `1,204 tokens · $0.0012, 83 % of the cost`; empty where a provider does not count reasoning.
 * @param requests  all of the answer: with calls of tools, it takes several
 */
export function reasoningWords(requests: readonly ReasonedRequest[]): string {
  const counts = requests.map(({ detail }) => detail.tokens.reasoning)
  if (counts.length === 0 || counts.includes(null)) return ''
  const count = sum(counts.map(Number))
  const words = t('{count, plural, one {1 token} other {{tokens} tokens}}', {
    count,
    tokens: formatCount(count),
  })
  const costs = requests.map(costUsdOf)
  const wholeUsd = sum(requests.map(({ record }) => record.costNanoUsd)) / 1e9
  if (costs.includes(null) || wholeUsd === 0) return words
  const costUsd = sum(costs.map(Number))
  const percent = Math.round((costUsd / wholeUsd) * 100)
  return `${words} · ${t('{cost}, {percent} % of the cost', { cost: formatUsd(costUsd), percent })}`
}

/** Null where the price is not known. */
function costUsdOf({ detail: { tokens, price } }: ReasonedRequest): number | null {
  if (price === null || tokens.reasoning === null) return null
  return (tokens.reasoning * price.outputUsdPerMtok) / 1e6
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
