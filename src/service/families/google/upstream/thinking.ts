/** How much the model thinks, from `reasoning_effort` and `reasoning`. */
import type { ChatRequest } from '../../../../shared/chat/chat.ts'
import { countOf, fieldsOf, stringOf } from '../../../json-fields.ts'
import type { LeftOut } from '../../left-out.ts'
import type { GeminiThinkingConfig } from './rest.ts'
import type { ModelTraits, ThinkingLevel } from './traits.ts'

type Thinking = NonNullable<ModelTraits['thinking']>
type Budget = Extract<Thinking, { kind: 'budget' }>
type Level = Extract<Thinking, { kind: 'level' }>

const levels: Readonly<Record<string, ThinkingLevel>> = {
  none: 'MINIMAL',
  minimal: 'MINIMAL',
  low: 'LOW',
  medium: 'MEDIUM',
  high: 'HIGH',
  xhigh: 'HIGH',
  max: 'HIGH',
}

/** The tokens of Google's own OpenAI endpoint (ai.google.dev/gemini-api/docs/openai#thinking). */
const budgets: Readonly<Record<string, number>> = {
  none: 0,
  minimal: 1024,
  low: 1024,
  medium: 8192,
  high: 24_576,
  xhigh: 32_768,
  max: 32_768,
}

interface Wanted {
  effort: string | null
  budgetTokens: number | null
  /** Whether the answer shows the thoughts. */
  isShown: boolean
}

/** @returns null when the model's own default holds */
export function thinkingConfig(
  body: ChatRequest,
  { thinking }: Pick<ModelTraits, 'thinking'>,
  leftOut: LeftOut,
): GeminiThinkingConfig | null {
  const wanted = readWanted(body)
  if (thinking === null) {
    refuse(wanted, leftOut)
    return null
  }
  if (wanted.budgetTokens !== null)
    return withBudget(wanted.budgetTokens, { thinking, wanted, leftOut })
  const effort = wanted.effort === null ? null : knownEffort(wanted.effort, leftOut)
  if (thinking.kind === 'level') return withLevel(effort, { thinking, wanted, leftOut })
  const tokens = effort === null ? null : (budgets[effort] ?? null)
  if (tokens !== null) return withBudget(tokens, { thinking, wanted, leftOut })
  return thinking.thinksByDefault && wanted.isShown ? { includeThoughts: true } : null
}

function readWanted(body: ChatRequest): Wanted {
  const reasoning = fieldsOf(body['reasoning'])
  const isOff = reasoning['enabled'] === false
  return {
    effort:
      stringOf(body.reasoning_effort) ?? stringOf(reasoning['effort']) ?? (isOff ? 'none' : null),
    budgetTokens: countOf(reasoning['max_tokens']),
    isShown: reasoning['exclude'] !== true,
  }
}

function refuse({ effort, budgetTokens }: Wanted, leftOut: LeftOut): void {
  const reason = 'the model does not think, or not as a request says'
  if (effort !== null && effort !== 'none') leftOut.leave('reasoning_effort', reason)
  if (budgetTokens !== null) leftOut.leave('reasoning', reason)
}

function knownEffort(effort: string, leftOut: LeftOut): string | null {
  if (effort in levels) return effort
  leftOut.leave('reasoning_effort', 'the provider has no such effort')
  return null
}

interface Context<Kind extends Thinking> {
  thinking: Kind
  wanted: Wanted
  leftOut: LeftOut
}

function withLevel(
  effort: string | null,
  { thinking, wanted, leftOut }: Context<Level>,
): GeminiThinkingConfig | null {
  const shown = wanted.isShown ? { includeThoughts: true } : {}
  if (effort === null) return wanted.isShown ? shown : null
  const level = nearestLevel(levels[effort] ?? 'HIGH', thinking)
  const asSent = level.toLowerCase()
  if (asSent !== effort) {
    leftOut.send('reasoning_effort', `sent_as_${asSent}`, 'the model has no such effort')
  }
  return { thinkingLevel: level, ...shown }
}

function nearestLevel(level: ThinkingLevel, { least, hasMedium }: Level): ThinkingLevel {
  if (level === 'MINIMAL') return least
  return level === 'MEDIUM' && !hasMedium ? 'HIGH' : level
}

/** Models with levels take an exact budget, too. */
function withBudget(
  tokens: number,
  { thinking, wanted, leftOut }: Context<Thinking>,
): GeminiThinkingConfig {
  const thinkingBudget = thinking.kind === 'level' ? tokens : nearestBudget(tokens, thinking)
  if (thinkingBudget !== tokens) {
    const parameter = wanted.budgetTokens === null ? 'reasoning_effort' : 'reasoning'
    leftOut.send(parameter, `sent_as_${thinkingBudget}`, 'the model takes no such budget')
  }
  const isShown = wanted.isShown && thinkingBudget > 0
  return { thinkingBudget, ...(isShown ? { includeThoughts: true } : {}) }
}

function nearestBudget(tokens: number, { leastTokens, mostTokens, canTurnOff }: Budget): number {
  if (tokens === 0 && canTurnOff) return 0
  return Math.min(Math.max(tokens, leastTokens), mostTokens)
}
