import type { ExplainedRequest } from '../../../../shared/requests/detail.ts'
import { formatCount, formatUsd } from '../../../../shared/strings/format.ts'
import { t } from '../../../../shared/strings/strings.ts'

/** `1,204 tokens · $0.0012, 83 % of the cost`; empty where the provider does not count reasoning. */
export function reasoningWords({
  record: { costNanoUsd },
  detail: { tokens, price },
}: {
  record: Pick<ExplainedRequest['record'], 'costNanoUsd'>
  detail: Pick<ExplainedRequest['detail'], 'tokens' | 'price'>
}): string {
  const count = tokens.reasoning
  if (count === null) return ''
  const words = t('{count, plural, one {1 token} other {{tokens} tokens}}', {
    count,
    tokens: formatCount(count),
  })
  if (price === null || costNanoUsd === 0) return words
  const costUsd = (count * price.outputUsdPerMtok) / 1e6
  const percent = Math.round((costUsd / costNanoUsd) * 1e11)
  return `${words} · ${t('{cost}, {percent} % of the cost', { cost: formatUsd(costUsd), percent })}`
}
