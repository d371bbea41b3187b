/**
 * `reasoning_effort` and `reasoning` as each family of models takes them behind Converse: Claude's thinking as
 * at Anthropic itself, and the models' own fields for Amazon's Nova 2 and OpenAI's open models.
 */
import type { ChatRequest, WireFields } from '../../../../shared/chat/chat.ts'
import type { LeftOut } from '../../left-out.ts'
import { thinkingOf } from '../../anthropic/thinking.ts'
import { traitsOf } from '../../anthropic/traits.ts'
import { fieldsOf, stringOf } from '../../../json-fields.ts'
import type { BedrockTraits } from './traits.ts'

export interface ModelReasoning {
  /** The models' own fields. */
  fields: WireFields
  /** Converse's own field; null without one. */
  effort: string | null
  /** Why the model takes no `temperature`, `top_p` and `top_k`; null when it does. */
  refusesSampling: string | null
  /** Takes `temperature` or `top_p`, but not both. */
  samplesOne: boolean
}

interface ReasoningContext {
  model: string
  traits: BedrockTraits
  /** Whether `tool_choice` forces a call. */
  isForced: boolean
  /** Whether the turn that the model continues began without its thinking. */
  lacksThinking: boolean
  leftOut: LeftOut
}

/** Assumed length of an answer without a limit of its own, in tokens. */
const longestAnswerTokens = 64_000

export function reasoningOf(body: ChatRequest, context: ReasoningContext): ModelReasoning {
  switch (context.traits.family) {
    case 'claude':
      return claudeThinking(body, context)
    case 'nova':
      return ofEffort(body, context, novaEfforts(body))
    case 'gpt-oss':
      return ofEffort(body, context, {
        most: 'high',
        fieldsFor: (reasoning_effort) => ({ reasoning_effort }),
      })
    default:
      return ofEffort(body, context, null)
  }
}

function claudeThinking(body: ChatRequest, context: ReasoningContext): ModelReasoning {
  const traits = traitsOf(anthropicName(context.model))
  const maxTokens = body.max_completion_tokens ?? body.max_tokens ?? longestAnswerTokens
  const { thinking, effort } = thinkingOf(body, { ...context, traits, maxTokens })
  const isThinking = thinking?.type === 'enabled' || thinking?.type === 'adaptive'
  const whileThinking = isThinking ? 'the model does not accept it while it thinks' : null
  return {
    fields: thinking === undefined ? {} : { thinking },
    effort: effort ?? null,
    refusesSampling: traits.samples ? whileThinking : 'the model does not accept it',
    samplesOne: true,
  }
}

/** `us.anthropic.claude-sonnet-5-20260301-v1:0` as `claude-sonnet-5-20260301`. */
function anthropicName(model: string): string {
  return model.replace(/^.*anthropic\./, '').replace(/(-v\d+)?(:\d+)?$/, '')
}

const efforts = ['low', 'medium', 'high'] as const
type Effort = (typeof efforts)[number]

interface OwnEfforts {
  most: Effort
  /** The model's own fields. */
  fieldsFor: (effort: Effort) => WireFields
}

/** With effort `high`, Nova 2 refuses a limit of the answer (github.com/UKGovernmentBEIS/inspect_ai/issues/3767). */
function novaEfforts({ max_completion_tokens, max_tokens }: ChatRequest): OwnEfforts {
  const isLimited = (max_completion_tokens ?? max_tokens ?? null) !== null
  return {
    most: isLimited ? 'medium' : 'high',
    fieldsFor: (maxReasoningEffort) => ({
      reasoningConfig: { type: 'enabled', maxReasoningEffort },
    }),
  }
}

/** @param own  null for models without an effort */
function ofEffort(
  body: ChatRequest,
  { leftOut }: ReasoningContext,
  own: OwnEfforts | null,
): ModelReasoning {
  const reasoning = fieldsOf(body['reasoning'])
  if ((reasoning['max_tokens'] ?? null) !== null) {
    leftOut.leave('reasoning.max_tokens', 'the model takes no budget')
  }
  const wanted = body.reasoning_effort ?? stringOf(reasoning['effort'])
  const none = { fields: {}, effort: null, refusesSampling: null, samplesOne: false }
  if (wanted === null) return none
  const effort = nearest(wanted, own?.most ?? 'high')
  if (own === null || effort === null) {
    // Models behind Converse do not think unless they are asked to, or always do.
    if (wanted !== 'none') leftOut.leave('reasoning_effort', 'the model takes no effort')
    return none
  }
  if (effort !== wanted) {
    leftOut.send('reasoning_effort', `sent_as_${effort}`, 'the nearest effort that the model takes')
  }
  return { ...none, fields: own.fieldsFor(effort) }
}

function nearest(wanted: string, most: Effort): Effort | null {
  if (wanted === 'minimal') return 'low'
  if (wanted === 'high' || wanted === 'xhigh' || wanted === 'max') return most
  return efforts.find((effort) => effort === wanted) ?? null
}
