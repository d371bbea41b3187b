/** How much a router's models take and give, for tools that plan with it. */
import type { Model } from '../../shared/entities.ts'

/** Limits in tokens. Tools that know them shorten a conversation in time, instead of being refused. */
export interface TokenLimits {
  context: number | null
  output: number | null
}

/**
 * The limits to give to tools. The context is the longest of the models, because longer prompts go to that model. The
 * answer is the shortest, because tools ask for its full length and so rule out models with less.
 */
export function limitsOf(models: readonly Model[]): TokenLimits {
  const callers = models.filter(({ capabilities }) => capabilities.includes('tools'))
  const usable = callers.length > 0 ? callers : models
  const contexts = usable.flatMap(({ contextTokens }) => contextTokens ?? [])
  const outputs = usable.flatMap(({ maxOutputTokens }) => maxOutputTokens ?? [])
  return {
    context: contexts.length > 0 ? Math.max(...contexts) : null,
    output: outputs.length > 0 ? Math.min(...outputs) : null,
  }
}
