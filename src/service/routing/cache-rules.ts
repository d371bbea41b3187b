/** How the vendors of models keep prompts in their caches. */
import type { Candidate } from './candidate.ts'

export interface CacheRule {
  /** How long a prefix stays after its last use, where the request asks for nothing else. */
  lifetimeMs: number
  /** Whether the vendor promises it. Others keep what they have room for. */
  isPromised: boolean
  /** Whether the vendor writes, and charges for, every prompt; others write what the request marks. */
  writesUnasked: boolean
  /** Reads whole blocks of so many tokens only; 1 where a prefix ends anywhere. */
  blockTokens: number
}

const minuteMs = 60_000
export const hourMs = 60 * minuteMs

const claude: CacheRule = {
  lifetimeMs: 5 * minuteMs,
  isPromised: true,
  writesUnasked: false,
  blockTokens: 1,
}
/** "About 30 minutes", since GPT-5.6. */
const openAi: CacheRule = {
  lifetimeMs: 30 * minuteMs,
  isPromised: true,
  writesUnasked: true,
  blockTokens: 128,
}
const others: CacheRule = {
  lifetimeMs: 5 * minuteMs,
  isPromised: false,
  writesUnasked: false,
  blockTokens: 1,
}
/** "Cache hits occur in increments of 128 tokens", as OpenAI's guide to prompt caching says. */
const olderOpenAi: CacheRule = { ...others, blockTokens: 128 }
/** Google documents no block; its implicit cache read multiples of about 2,032 in 10,460 public steps. */
const gemini: CacheRule = { ...others, blockTokens: 2_032 }

const families: readonly (readonly [RegExp, CacheRule])[] = [
  [/claude/, claude],
  [/gpt-(5\.[6-9]|[6-9])(?![\d])/, openAi],
  [/gpt-/, olderOpenAi],
  [/gemini/, gemini],
]

/** A model's name is read once. */
const known = new WeakMap<object, CacheRule>()

/** What a vendor reads of a prefix while it is in its cache. */
export function readableTokens(
  candidate: Pick<Candidate, 'modelId'>,
  prefixTokens: number,
): number {
  const { blockTokens } = cacheRuleOf(candidate)
  return prefixTokens - (prefixTokens % blockTokens)
}

export function cacheRuleOf(candidate: Pick<Candidate, 'modelId'>): CacheRule {
  const found = known.get(candidate)
  if (found !== undefined) return found
  const rule = families.find(([family]) => family.test(candidate.modelId))?.[1] ?? others
  known.set(candidate, rule)
  return rule
}
