/** How the vendors of models keep prompts in their caches. */
import type { Candidate } from './candidate.ts'

export interface CacheRule {
  /** How long a prefix stays after its last use, where the request asks for nothing else. */
  lifetimeMs: number
  /** Whether the vendor promises it. Others keep what they have room for. */
  isPromised: boolean
  /** Whether the vendor writes, and charges for, every prompt; others write what the request marks. */
  writesUnasked: boolean
}

const minuteMs = 60_000
export const hourMs = 60 * minuteMs

const claude: CacheRule = { lifetimeMs: 5 * minuteMs, isPromised: true, writesUnasked: false }
/** "About 30 minutes", since GPT-5.6. */
const openAi: CacheRule = { lifetimeMs: 30 * minuteMs, isPromised: true, writesUnasked: true }
const others: CacheRule = { lifetimeMs: 5 * minuteMs, isPromised: false, writesUnasked: false }

const families: readonly (readonly [RegExp, CacheRule])[] = [
  [/claude/, claude],
  [/gpt-(5\.[6-9]|[6-9])(?![\d])/, openAi],
]

/** A model's name is read once. */
const known = new WeakMap<object, CacheRule>()

export function cacheRuleOf(candidate: Pick<Candidate, 'modelId'>): CacheRule {
  const found = known.get(candidate)
  if (found !== undefined) return found
  const rule = families.find(([family]) => family.test(candidate.modelId))?.[1] ?? others
  known.set(candidate, rule)
  return rule
}
