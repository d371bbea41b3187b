/** The parts of an answered request that are kept until its sample is graded: in memory only. */
import type { ChatRequest } from '../../../shared/chat/chat.ts'
import type { AnsweredRequest } from '../../chat/learning/shadow-answers.ts'
import { promptOfBody } from '../kept-prompts.ts'
import type { SourcePrompt } from '../tuning-prompt.ts'

export interface SampledRequest extends Omit<AnsweredRequest, 'router' | 'body'> {
  routerId: string
  prompt: SourcePrompt
  /** The request's parameters that change an answer. */
  parameters: Omit<ChatRequest, 'messages'>
  /** The caller's own limit of the answer, in tokens; null without one. */
  maxTokens: number | null
}

const sentParameters = [
  'temperature',
  'top_p',
  'stop',
  'seed',
  'presence_penalty',
  'frequency_penalty',
] as const

/** Change no answer, or are for the caller alone. */
const leftOut: ReadonlySet<string> = new Set([
  'messages',
  'model',
  'max_tokens',
  'max_completion_tokens',
  'stream',
  'stream_options',
  'tools',
  'tool_choice',
  'parallel_tool_calls',
  'logprobs',
  'top_logprobs',
  'metadata',
  'user',
  'safety_identifier',
  'prompt_cache_key',
  'store',
])

/** @returns null for a request that is not sampled: more than text, several answers, or fields with unknown costs */
export function sampledRequest({
  router,
  body,
  ...answered
}: AnsweredRequest): SampledRequest | null {
  const isOrdinary = Object.entries(body).every(
    ([name, value]) =>
      value === null || value === undefined || isKnown(name) || isDefault(name, value),
  )
  const prompt = isOrdinary ? promptOfBody(body) : null
  if (prompt === null) return null
  const parameters = Object.fromEntries(
    sentParameters.flatMap((name) => ((body[name] ?? null) === null ? [] : [[name, body[name]]])),
  )
  const maxTokens = body.max_completion_tokens ?? body.max_tokens ?? null
  return { ...answered, routerId: router.id, prompt, parameters, maxTokens }
}

function isKnown(name: string): boolean {
  return leftOut.has(name) || sentParameters.some((sent) => sent === name)
}

function isDefault(name: string, value: unknown): boolean {
  return name === 'n' && value === 1
}
