/** Reads Ollama's answers: a whole one, or one line of a stream, which has the same form. */
import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import type { ChatUsage, FinishReason } from '../../../../shared/chat/chat.ts'
import {
  appendChunk,
  ProviderError,
  type ProviderChunk,
  type ProviderRequest,
  type ServerTimings,
  type UpstreamDelta,
  type UpstreamToolCall,
} from '../../../providers/provider.ts'
import { upstreamText } from '../../../providers/upstream-errors.ts'
import type { EventConsumer } from '../../../providers/wire.ts'
import { parseExact } from '../../../exact-json.ts'

const count = z.number().int().nonnegative().nullish()
const text = z.string().nullish()

const logprobSchema = z.object({
  token: z.string(),
  logprob: z.number(),
  bytes: z.array(z.number()).nullish(),
  top_logprobs: z
    .array(
      z.object({ token: z.string(), logprob: z.number(), bytes: z.array(z.number()).nullish() }),
    )
    .nullish(),
})

const toolCallSchema = z.object({
  id: text,
  function: z.object({
    name: z.string(),
    arguments: z.union([z.string(), z.looseObject({})]).nullish(),
  }),
})

const answerSchema = z.object({
  error: z.string().optional(),
  model: text,
  message: z
    .object({
      content: text,
      thinking: text,
      tool_calls: z.array(toolCallSchema).nullish(),
      images: z.array(z.string()).nullish(),
    })
    .optional(),
  done: z.boolean().optional(),
  done_reason: text,
  logprobs: z.array(logprobSchema).nullish(),
  /** Nanoseconds. */
  load_duration: count,
  prompt_eval_duration: count,
  eval_duration: count,
  prompt_eval_count: count,
  prompt_eval_cached_count: count,
  eval_count: count,
})
type Answer = z.infer<typeof answerSchema>

/** `load` and `unload` answer a request without messages. Others are passed on. */
const finishReasons: ReadonlyMap<string, FinishReason> = new Map([
  ['stop', 'stop'],
  ['length', 'length'],
])

export class ChunkReader implements EventConsumer {
  /** True with `parallel_tool_calls: false`, which Ollama does not know. */
  readonly #isOneCall: boolean
  #calls = 0

  constructor({ body }: Pick<ProviderRequest, 'body'>) {
    this.#isOneCall = body.parallel_tool_calls === false
  }

  /** The last line carries the counts as well, so no line only ends the stream. */
  isEnd(): boolean {
    return false
  }

  append(chunk: ProviderChunk | null, data: string): ProviderChunk {
    return appendChunk(chunk, this.read(data))
  }

  /** @throws SyntaxError, ProviderError */
  read(data: string): ProviderChunk {
    const parsed = answerSchema.safeParse(parseExact(data))
    if (!parsed.success) {
      throw new ProviderError('invalid_response', 'the answer has an unknown form')
    }
    const answer = parsed.data
    if (answer.error !== undefined) {
      const upstreamMessage = upstreamText(answer.error, 'unavailable')
      throw new ProviderError(
        'unavailable',
        'Ollama reported an error in the middle of the answer',
        { upstreamMessage },
      )
    }
    const chunk: ProviderChunk = { choices: [this.#readChoice(answer)], usage: null }
    if (answer.model) chunk.namedModel = answer.model
    if (answer.done === true) {
      chunk.usage = readUsage(answer)
      chunk.timings = readTimings(answer)
    }
    return chunk
  }

  #readChoice(answer: Answer): ProviderChunk['choices'][number] {
    const { message, logprobs } = answer
    return {
      index: 0,
      delta: message === undefined ? {} : this.#readDelta(message),
      finish_reason: this.#readReason(answer),
      ...(logprobs && logprobs.length > 0 && { logprobs: { content: logprobs, refusal: null } }),
    }
  }

  #readDelta({ content, thinking, tool_calls, images }: NonNullable<Answer['message']>) {
    const delta: UpstreamDelta = {}
    if (thinking) delta.reasoning_content = thinking
    if (content) delta.content = content
    const calls = (tool_calls ?? []).flatMap((call) => this.#readCall(call))
    if (calls.length > 0) delta.tool_calls = calls
    if (images && images.length > 0) delta['images'] = images.map(toImagePart)
    return delta
  }

  /** Calls arrive whole. Ollama numbers each of them 0, and older versions send no id. */
  #readCall({ id, function: called }: z.infer<typeof toolCallSchema>): UpstreamToolCall[] {
    if (this.#isOneCall && this.#calls > 0) return []
    const index = this.#calls
    this.#calls += 1
    const { name, arguments: given } = called
    const json = typeof given === 'string' ? given : JSON.stringify(given ?? {})
    const callId = id || `call_${randomBytes(15).toString('hex')}`
    return [{ index, id: callId, type: 'function', function: { name, arguments: json } }]
  }

  #readReason({ done, done_reason: reason }: Answer): FinishReason | null {
    if (done !== true) return null
    if (!reason) return this.#calls > 0 ? 'tool_calls' : 'stop'
    const read = finishReasons.get(reason) ?? reason
    return read === 'stop' && this.#calls > 0 ? 'tool_calls' : read
  }
}

function toImagePart(data: string) {
  return { type: 'image_url', image_url: { url: `data:image/png;base64,${data}` } }
}

/** @returns null without the counts; Ollama counts cached tokens as part of the prompt */
function readUsage({
  prompt_eval_count: prompt,
  prompt_eval_cached_count: cached,
  eval_count: output,
}: Answer): ChatUsage | null {
  if (typeof prompt !== 'number' || typeof output !== 'number') return null
  return {
    prompt_tokens: prompt,
    completion_tokens: output,
    total_tokens: prompt + output,
    ...(typeof cached === 'number' && { prompt_tokens_details: { cached_tokens: cached } }),
  }
}

function readTimings(answer: Answer): ServerTimings {
  const { prompt_eval_count: prompt, prompt_eval_cached_count: cached } = answer
  return {
    loadMs: toMs(answer.load_duration),
    promptTokens: typeof prompt === 'number' ? Math.max(0, prompt - (cached ?? 0)) : null,
    promptMs: toMs(answer.prompt_eval_duration),
    outputTokens: answer.eval_count ?? null,
    outputMs: toMs(answer.eval_duration),
  }
}

function toMs(nanoseconds: number | null | undefined): number | null {
  return typeof nanoseconds === 'number' ? nanoseconds / 1e6 : null
}

const modelsSchema = z.object({ models: z.array(z.object({ name: z.string() })) })

/** @throws ProviderError invalid_response */
export function readModelNames(value: unknown): string[] {
  const parsed = modelsSchema.safeParse(value)
  if (!parsed.success) {
    throw new ProviderError('invalid_response', 'the list of models has an unknown form')
  }
  return parsed.data.models.map(({ name }) => name)
}
