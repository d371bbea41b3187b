/** Notes what an answer has while it passes: the name of its model, reasoning, text and log probabilities. */
import type { ChatUsage, WireFields } from '../../../shared/chat/chat.ts'
import type { Candidate } from '../../routing/candidate.ts'
import type { WholeAnswer } from '../answer/collect.ts'
import type { ChatCall, Plan } from '../chat-call.ts'
import type { AnswerFacts } from './answer-checks.ts'

interface AnswerPart {
  namedModel?: string
  extras?: WireFields
}

interface PartChoice {
  delta: { content?: unknown; [field: string]: unknown }
  logprobs?: unknown
}

const reasoningFields = ['reasoning', 'reasoning_content', 'reasoning_details'] as const

/** What an upstream says is kept, so it must not be long. */
const longestName = 200

export class SeenAnswer {
  namedModel: string | null = null
  fingerprint: string | null = null
  hasReasoning = false
  hasText = false
  hasLogprobs = false

  heard(part: AnswerPart, choices: readonly PartChoice[]): void {
    this.namedModel ??= part.namedModel?.slice(0, longestName) ?? null
    const fingerprint = part.extras?.['system_fingerprint']
    if (typeof fingerprint === 'string') this.fingerprint = fingerprint.slice(0, longestName)
    for (const { delta, logprobs } of choices) {
      if (delta.content && !this.hasText) this.#textBegins(delta.content)
      if (logprobs) this.hasLogprobs = true
      if (!this.hasReasoning && reasoningFields.some((name) => delta[name]))
        this.hasReasoning = true
    }
  }

  /** Servers without a parser for reasoning write it into the text. */
  #textBegins(content: unknown): void {
    this.hasText = true
    this.hasReasoning ||= typeof content === 'string' && content.trimStart().startsWith('<think')
  }

  whole(answer: WholeAnswer): void {
    const choices = answer.choices.map(({ message, logprobs }) => ({ delta: message, logprobs }))
    this.heard(answer, choices)
  }
}

interface AnsweredCall {
  call: Pick<ChatCall, 'requestId' | 'body'>
  plan: Pick<Plan, 'prompt'>
  candidate: Candidate
  /** Null when the provider reported none. */
  usage: ChatUsage | null
  atMs: number
}

/** Models whose ordinary answers bill so many times the tokens of their text reason. */
const reasonersRatio = 1.5

export function factsOf(seen: SeenAnswer, answered: AnsweredCall): AnswerFacts {
  const { call, plan, candidate, usage, atMs } = answered
  const { modelId, effort, otherEfforts, outputRatio } = candidate
  const { body, requestId } = call
  const { namedModel, fingerprint, hasText, hasLogprobs } = seen
  const reasoningTokens = usage?.completion_tokens_details?.reasoning_tokens ?? 0
  return {
    requestId,
    modelId,
    atMs,
    body,
    namedModel,
    fingerprint,
    estimatedTokens: isOwnText(body, plan, usage) ? plan.prompt.promptTokens : null,
    reportedTokens: usage?.prompt_tokens ?? null,
    completionTokens: usage?.completion_tokens ?? null,
    effort: effort ?? requestedEffort(body),
    mayReason: effort !== null || otherEfforts.length > 0 || outputRatio > reasonersRatio,
    hasReasoning: seen.hasReasoning || reasoningTokens > 0,
    hasText,
    hasLogprobs,
  }
}

/** Whether the prompt is the caller's text alone: media and the results of a vendor's own tools are counted, too. */
function isOwnText(
  body: ChatCall['body'],
  { prompt }: AnsweredCall['plan'],
  usage: ChatUsage | null,
): boolean {
  if (prompt.media !== undefined || usage?.['server_tool_use'] || body['web_search_options'])
    return false
  return (body.tools ?? []).every(({ type }) => type === 'function' || type === 'custom')
}

function requestedEffort({ reasoning_effort }: ChatCall['body']): string | null {
  return typeof reasoning_effort === 'string' ? reasoning_effort : null
}
