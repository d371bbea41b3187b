/** Reads the reasoning effort from the names by which sources list models. */
import { reasoningEfforts, type ReasoningEffort } from '../../src/shared/models/model-facts.ts'

export interface SourceName {
  /** Name without the effort. */
  base: string
  /** Null: the name does not state one. */
  effort: ReasoningEffort | null
}

/** Sources that distinguish only whether a model thinks: thinking counts as `high`. */
const suffixes: readonly [pattern: RegExp, effort: ReasoningEffort][] = [
  [/(-no-?thinking| \(non-thinking\)|-non-reasoning)$/, 'none'],
  [/( \(thinking-minimal\))$/, 'minimal'],
  ...reasoningEfforts.map((effort): [RegExp, ReasoningEffort] => [
    new RegExp(`(-thinking(-auto|-\\d+k)?)?-${effort}(-effort)?$`),
    effort,
  ]),
  [/ \(max\)$/, 'max'],
  [/(-thinking(-\d+k)?| \(thinking\)|-highthinking|-reasoning)$/, 'high'],
]

/** @param known  names that are a model of their own, although they end like an effort */
export function readSourceName(name: string, known: ReadonlySet<string>): SourceName {
  const lower = name.toLowerCase()
  if (known.has(lower)) return { base: lower, effort: null }
  for (const [pattern, effort] of suffixes) {
    if (pattern.test(lower)) return { base: lower.replace(pattern, ''), effort }
  }
  return { base: lower, effort: null }
}
