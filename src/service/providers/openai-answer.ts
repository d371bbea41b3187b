/** An OpenAI-wire answer, whole or one event, read for the fields we use; the rest is tolerated. */
import { z } from 'zod'
import type { ChatUsage, FinishReason } from '../../shared/chat.ts'
import { ProviderError, type ProviderChunk, type UpstreamDelta } from './provider.ts'

const text = z.string().nullish()
const jsonObject = z.record(z.string(), z.unknown())

const toolCallSchema = z.object({
  index: z.number().int().nonnegative().nullish(),
  id: text,
  // Some send the arguments parsed, where their text belongs.
  function: z.object({ name: text, arguments: z.union([text, jsonObject]) }).nullish(),
})

const deltaSchema = z.object({
  content: text,
  refusal: text,
  reasoning: text,
  reasoning_content: text,
  tool_calls: z.array(toolCallSchema).nullish(),
})

const tokens = z.number().int().nonnegative()
const usageSchema = z.object({
  prompt_tokens: tokens,
  completion_tokens: tokens,
  prompt_tokens_details: z.object({ cached_tokens: tokens.nullish() }).nullish(),
  completion_tokens_details: z.object({ reasoning_tokens: tokens.nullish() }).nullish(),
})

const answerSchema = z.object({
  choices: z
    .array(
      z.object({
        index: z.number().int().nonnegative().nullish(),
        delta: deltaSchema.nullish(),
        message: deltaSchema.nullish(),
        finish_reason: text,
        logprobs: z.unknown().optional(),
      }),
    )
    .nullish(),
  // Some leave a count out or put null: not reported, which is no reason to lose the answer.
  usage: usageSchema.nullish().catch(null),
  error: z.object({ message: text }).nullish(),
})

type AnswerChoice = NonNullable<z.infer<typeof answerSchema>['choices']>[number]

const modelsSchema = z.object({ data: z.array(z.object({ id: z.string() })) })

/** @throws ProviderError invalid_response when it has not the form; unavailable when it is an error event */
export function readChunk(value: unknown): ProviderChunk {
  const parsed = answerSchema.safeParse(value)
  if (!parsed.success) throw new ProviderError('invalid_response', 'the answer has an unknown form')
  const { choices, usage, error } = parsed.data
  if (error) throw new ProviderError('unavailable', 'the provider reported an error mid-answer')
  return { choices: (choices ?? []).map(readChoice), usage: usage ? readUsage(usage) : null }
}

/** @throws ProviderError invalid_response */
export function readModelNames(value: unknown): string[] {
  const parsed = modelsSchema.safeParse(value)
  if (!parsed.success) {
    throw new ProviderError('invalid_response', 'the list of models has an unknown form')
  }
  return parsed.data.data.map((model) => model.id).toSorted()
}

function readChoice(choice: AnswerChoice, position: number): ProviderChunk['choices'][number] {
  const { index, delta, message, finish_reason, logprobs } = choice
  return {
    index: index ?? position,
    delta: readDelta(delta ?? message ?? {}),
    finish_reason: finish_reason ? readFinishReason(finish_reason) : null,
    ...(logprobs === undefined || logprobs === null ? {} : { logprobs }),
  }
}

function readDelta(delta: z.infer<typeof deltaSchema>): UpstreamDelta {
  const read: UpstreamDelta = {}
  if (delta.content) read.content = delta.content
  if (delta.refusal) read.refusal = delta.refusal
  if (delta.reasoning) read.reasoning = delta.reasoning
  if (delta.reasoning_content) read.reasoning_content = delta.reasoning_content
  if (delta.tool_calls) {
    read.tool_calls = delta.tool_calls.map((call) => ({
      ...(call.index === null || call.index === undefined ? {} : { index: call.index }),
      ...(call.id ? { id: call.id, type: 'function' as const } : {}),
      function: {
        ...(call.function?.name ? { name: call.function.name } : {}),
        arguments: textOf(call.function?.arguments),
      },
    }))
  }
  return read
}

function textOf(value: string | Record<string, unknown> | null | undefined): string {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : (value ?? '')
}

const finishReasons: ReadonlySet<string> = new Set<FinishReason>([
  'stop',
  'length',
  'tool_calls',
  'content_filter',
  'function_call',
])

/** Upstreams have words of their own (`eos`, `end_turn`); callers know only OpenAI's. */
function readFinishReason(reason: string): FinishReason {
  return isFinishReason(reason) ? reason : 'stop'
}

function isFinishReason(reason: string): reason is FinishReason {
  return finishReasons.has(reason)
}

function readUsage(usage: z.infer<typeof usageSchema>): ChatUsage {
  const { prompt_tokens, completion_tokens } = usage
  const cached_tokens = usage.prompt_tokens_details?.cached_tokens
  const reasoning_tokens = usage.completion_tokens_details?.reasoning_tokens
  return {
    prompt_tokens,
    completion_tokens,
    total_tokens: prompt_tokens + completion_tokens,
    ...(cached_tokens === undefined || cached_tokens === null
      ? {}
      : { prompt_tokens_details: { cached_tokens } }),
    ...(reasoning_tokens === undefined || reasoning_tokens === null
      ? {}
      : { completion_tokens_details: { reasoning_tokens } }),
  }
}
