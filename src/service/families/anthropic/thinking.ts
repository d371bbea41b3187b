/**
 * `reasoning_effort` and `reasoning: {effort, max_tokens, enabled}` as the thinking that the model takes:
 * adaptive with an effort, or a budget. Where a model takes only the other of the two, one is translated to
 * the other.
 */
import type { ThinkingConfigParam } from '@anthropic-ai/sdk/resources/messages'
import type { ChatRequest } from '../../../shared/chat/chat.ts'
import { fieldsOf, stringOf } from '../../json-fields.ts'
import type { LeftOut } from '../left-out.ts'
import { budgetOf, effortFor, efforts, type Effort } from '../efforts.ts'
import type { ModelTraits } from './traits.ts'

export interface Thinking {
  thinking?: ThinkingConfigParam
  effort?: Effort
}

export interface ThinkingContext {
  traits: ModelTraits
  /** The answer's limit, which includes thinking; null without one. */
  maxTokens: number | null
  /** Whether `tool_choice` forces a tool. */
  isForced: boolean
  /** Whether the turn that the model continues began without its thinking. */
  lacksThinking: boolean
  leftOut: LeftOut
}

/** The least that the API takes. */
export const leastBudget = 1024
/** Largest share of a limited answer for a thinking budget that stands for an effort; the rest is for the text. */
const mostOfAnswer = 0.8

export function thinkingOf(body: ChatRequest, context: ThinkingContext): Thinking {
  const own = fieldsOf(body['thinking'])
  // The vendor's own field, from a caller that knows the model.
  if (stringOf(own['type']) !== null) return { thinking: own as unknown as ThinkingConfigParam }
  const { effort, budget, isOff } = requested(body)
  if (isOff) return turnedOff(context)
  if (effort === null && budget === null) return {}
  const wanted = nearest(effort ?? effortFor(budget ?? 0), context.traits.efforts)
  const level = wanted === null ? {} : { effort: wanted }
  if (budget !== null && context.traits.takesBudget)
    return { ...manual(budget, 1, context), ...levelFor(effort, level) }
  if (context.traits.adapts) {
    noteChange({ effort, budget, wanted }, context.leftOut)
    // Newer models leave the text out unless a request wants it.
    return { thinking: { type: 'adaptive', display: 'summarized' }, ...level }
  }
  if (!context.traits.takesBudget) {
    context.leftOut.leave('reasoning_effort', 'the model does not think')
    return {}
  }
  return { ...manual(budgetOf[effort ?? 'medium'], mostOfAnswer, context), ...level }
}

interface Requested {
  effort: Effort | null
  /** Tokens. */
  budget: number | null
  isOff: boolean
}

function requested(body: ChatRequest): Requested {
  const reasoning = fieldsOf(body['reasoning'])
  const named = body.reasoning_effort ?? stringOf(reasoning['effort'])
  const tokens = reasoning['max_tokens']
  const budget = typeof tokens === 'number' && tokens > 0 ? tokens : null
  const isOff = budget === null && (named === 'none' || reasoning['enabled'] === false)
  const known = named === 'minimal' ? 'low' : (efforts.find((one) => one === named) ?? null)
  const effort = known ?? (reasoning['enabled'] === true ? 'medium' : null)
  return { effort, budget, isOff }
}

/** A budget alone names no effort. */
function levelFor(effort: Effort | null, level: { effort?: Effort }): { effort?: Effort } {
  return effort === null ? {} : level
}

function turnedOff({ traits, leftOut }: ThinkingContext): Thinking {
  switch (traits.off) {
    case 'silence':
      return {}
    case 'never':
      leftOut.send('reasoning_effort', 'sent_as_low', 'the model always thinks')
      return { effort: 'low' }
    default:
      return { thinking: { type: traits.off } }
  }
}

/** @param share  of the answer's limit that the budget may take; all but one token for an exact budget */
function manual(
  budget: number,
  share: number,
  { maxTokens, isForced, lacksThinking, leftOut }: ThinkingContext,
): Thinking {
  const most =
    maxTokens === null ? Infinity : Math.min(Math.floor(maxTokens * share), maxTokens - 1)
  const budget_tokens = Math.min(Math.max(budget, leastBudget), most)
  if (budget_tokens < leastBudget) {
    leftOut.leave('reasoning_effort', 'max_tokens leaves no room for thinking')
    return {}
  }
  if (isForced) {
    leftOut.leave('reasoning_effort', 'the model does not think before a forced tool call')
    return {}
  }
  if (lacksThinking) {
    leftOut.leave('reasoning_effort', 'the tool call of this turn came without its thinking')
    return {}
  }
  return { thinking: { type: 'enabled', budget_tokens } }
}

/** The effort itself, else the next lower one that the model takes, else the lowest. */
function nearest(effort: Effort, taken: readonly Effort[]): Effort | null {
  const place = efforts.indexOf(effort)
  return taken.findLast((one) => efforts.indexOf(one) <= place) ?? taken[0] ?? null
}

function noteChange(
  {
    effort,
    budget,
    wanted,
  }: { effort: Effort | null; budget: number | null; wanted: Effort | null },
  leftOut: LeftOut,
): void {
  if (wanted === null) return
  if (budget !== null) {
    leftOut.send(
      'reasoning.max_tokens',
      `sent_as_effort_${wanted}`,
      'the model takes an effort in place of a budget',
    )
  } else if (effort !== wanted) {
    leftOut.send('reasoning_effort', `sent_as_${wanted}`, 'the nearest effort that the model takes')
  }
}
