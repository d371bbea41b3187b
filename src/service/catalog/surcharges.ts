/**
 * What vendors bill beside their prices per token, read from the usage that they report:
 * - Anthropic's web searches: $10 for 1,000, for every model (`web_searches_kcount` of @pydantic/genai-prices 0.1.8,
 *   compared 2026-11-22). OpenAI's `web_search` costs the same; its older `web_search_preview` costs $25 with models
 *   that do not reason (openai.com/api/pricing).
 * - Anthropic's inference in the United States only: 1.1 times all prices per token, for the models that take
 *   `inference_geo` (platform.claude.com/docs/en/build-with-claude/data-residency).
 */
import type { ChatUsage } from '../../shared/chat/chat.ts'

const nanoUsdPerWebSearch = 10_000_000
/** Price factor of inference in the US only, in tenths. */
const usInferenceFactor = 11n
/** Nano-dollars a call, by the type of a vendor's tool. */
const toolFees: readonly [types: RegExp, nanoUsd: number][] = [
  [/^web_search_preview/, 25_000_000],
  [/^web_search(_20|$)/, nanoUsdPerWebSearch],
  [/^(web_fetch|tool_search)/, 0],
]
/** Most searches of an answer; larger counts are errors. */
const mostWebSearches = 10_000

/** @param tokensNanoUsd  the cost of the tokens. @returns the cost with all surcharges, rounded half up */
export function withSurcharges(tokensNanoUsd: number, usage: ChatUsage): number {
  const isInUs = usage['inference_geo'] === 'us'
  const tokens = isInUs
    ? Number((BigInt(tokensNanoUsd) * usInferenceFactor + 5n) / 10n)
    : tokensNanoUsd
  return tokens + webSearches(usage) * nanoUsdPerWebSearch
}

/** What a call of a vendor's tool costs beside its tokens; null when the price is not known. */
export function toolFeeNanoUsd(type: string): number | null {
  return toolFees.find(([types]) => types.test(type))?.[1] ?? null
}

/** The price of tokens in the United States only. */
export function inUs(nanoUsd: number): number {
  return Math.ceil((nanoUsd * Number(usInferenceFactor)) / 10)
}

function webSearches({ server_tool_use: used }: ChatUsage): number {
  const count = (used as { web_search_requests?: unknown } | null | undefined)?.web_search_requests
  return Number.isSafeInteger(count) ? Math.min(Math.max(0, Number(count)), mostWebSearches) : 0
}
