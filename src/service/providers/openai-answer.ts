/**
 * An OpenAI-wire answer, whole or one event, read for the fields we use; the rest is tolerated. Every
 * chunk of every answer goes through here, so what all of them have is read by hand; the schema is for
 * what few have.
 */
import { z } from 'zod'
import type { FinishReason } from '../../shared/chat.ts'
import { readUsage } from './openai-usage.ts'
import {
  ProviderError,
  type ProviderChunk,
  type UpstreamDelta,
  type UpstreamToolCall,
} from './provider.ts'

type Choice = ProviderChunk['choices'][number]

/** @throws ProviderError invalid_response when it has not the form; unavailable when it is an error event */
export function readChunk(value: unknown): ProviderChunk {
  const { choices, usage, error } = fieldsOf(value)
  if (error !== undefined && error !== null) {
    throw new ProviderError('unavailable', 'the provider reported an error mid-answer')
  }
  const read: Choice[] = []
  if (choices !== undefined && choices !== null) {
    if (!Array.isArray(choices)) throw unknownForm()
    for (const choice of choices) read.push(readChoice(choice, read.length))
  }
  return { choices: read, usage: readUsage(usage) }
}

/** @throws ProviderError invalid_response */
export function readModelNames(value: unknown): string[] {
  const parsed = modelsSchema.safeParse(value)
  if (!parsed.success) {
    throw new ProviderError('invalid_response', 'the list of models has an unknown form')
  }
  return parsed.data.data.map((model) => model.id).toSorted()
}

const modelsSchema = z.object({ data: z.array(z.object({ id: z.string() })) })

type Fields = Readonly<Record<string, unknown>>

function fieldsOf(value: unknown): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw unknownForm()
  // Checked boundary: any object may be asked for a field, and each field is checked when it is read.
  return value as Fields
}

function unknownForm(): ProviderError {
  return new ProviderError('invalid_response', 'the answer has an unknown form')
}

function readChoice(value: unknown, position: number): Choice {
  const { index, delta, message, finish_reason, logprobs } = fieldsOf(value)
  const reason = readText(finish_reason)
  const choice: Choice = {
    index: readIndex(index) ?? position,
    delta: readDelta(delta ?? message),
    finish_reason: reason ? readFinishReason(reason) : null,
  }
  if (logprobs !== undefined && logprobs !== null) choice.logprobs = logprobs
  return choice
}

function readIndex(value: unknown): number | null {
  if (value === undefined || value === null) return null
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 0) throw unknownForm()
  return value
}

function readText(value: unknown): string | null {
  if (value === undefined || value === null) return null
  if (typeof value !== 'string') throw unknownForm()
  return value
}

function readDelta(value: unknown): UpstreamDelta {
  const read: UpstreamDelta = {}
  if (value === undefined || value === null) return read
  const fields = fieldsOf(value)
  for (const name of texts) {
    const text = readText(fields[name])
    if (text) read[name] = text
  }
  const calls = fields['tool_calls']
  if (calls !== undefined && calls !== null) read.tool_calls = readToolCalls(calls)
  return read
}

const texts = ['content', 'refusal', 'reasoning', 'reasoning_content'] as const

const text = z.string().nullish()
const toolCallsSchema = z.array(
  z.object({
    index: z.number().int().nonnegative().nullish(),
    id: text,
    // Some send the arguments parsed, where their text belongs.
    function: z
      .object({ name: text, arguments: z.union([text, z.record(z.string(), z.unknown())]) })
      .nullish(),
  }),
)

function readToolCalls(value: unknown): UpstreamToolCall[] {
  const parsed = toolCallsSchema.safeParse(value)
  if (!parsed.success) throw unknownForm()
  return parsed.data.map((call) => ({
    ...(call.index === null || call.index === undefined ? {} : { index: call.index }),
    ...(call.id ? { id: call.id, type: 'function' as const } : {}),
    function: {
      ...(call.function?.name ? { name: call.function.name } : {}),
      arguments: textOf(call.function?.arguments),
    },
  }))
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
