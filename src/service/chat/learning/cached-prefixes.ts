/** What the vendors of a conversation's models still have in their caches, and how much of it they really read. */
import { cacheRuleOf, readableTokens } from '../../routing/cache-rules.ts'
import type { CachedPrefix } from '../../routing/candidate.ts'

/** Models, and efforts of a model, that are remembered besides the last one of a conversation. */
const mostOthers = 3
/** What remains of the older answers' weight with each answer. */
const kept = 0.98

export interface DatedPrefix extends Omit<CachedPrefix, 'ageMs' | 'readShare'> {
  atMs: number
}

/** An answer as it is remembered. */
export interface PrefixAnswer extends Omit<CachedPrefix, 'ageMs' | 'readShare'> {
  /** Prompt tokens that were read from the cache; null or absent when the vendor did not say. */
  readTokens?: number | null
}

/** The prefixes of a conversation after another answer, the newest first; undefined for none. */
export function othersAfter(
  before: (DatedPrefix & { others?: readonly DatedPrefix[] }) | undefined,
  { modelId, effort }: Pick<CachedPrefix, 'modelId' | 'effort'>,
): readonly DatedPrefix[] | undefined {
  if (before === undefined) return undefined
  const isSame = (one: DatedPrefix) => one.modelId === modelId && one.effort === effort
  const { others: known = [], ...last } = before
  if (known.length === 0 && isSame(last)) return undefined
  return [last, ...known].filter((one) => !isSame(one)).slice(0, mostOthers)
}

/** How much of the expected tokens each model read lately, of vendors that promise nothing. */
export class ReadShares {
  /** Faded sums, so that long prompts weigh more, as they do in the cost. */
  readonly #tokens = new Map<string, { read: number; expected: number }>()

  /** @returns undefined for a vendor that promises a lifetime, and before its first answer that counts */
  of(modelId: string): number | undefined {
    const tokens = this.#tokens.get(modelId)
    return tokens && tokens.read / tokens.expected
  }

  /** @param before  the model's own prefix, if it can still be cached */
  answered(
    candidate: Pick<PrefixAnswer, 'modelId' | 'promptTokens' | 'readTokens'>,
    before: Pick<CachedPrefix, 'promptTokens'> | null,
  ): void {
    const { modelId, promptTokens, readTokens = null } = candidate
    if (before === null || readTokens === null || promptTokens < before.promptTokens) return
    if (cacheRuleOf(candidate).isPromised) return
    const readable = readableTokens(candidate, before.promptTokens)
    if (readable === 0) return
    const { read, expected } = this.#tokens.get(modelId) ?? { read: 0, expected: 0 }
    this.#tokens.set(modelId, {
      read: read * kept + Math.min(readTokens, readable),
      expected: expected * kept + readable,
    })
  }
}
