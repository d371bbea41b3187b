/**
 * One answer as server-sent events, exactly as OpenAI's SDKs read them: the same id, created and
 * model on every chunk, the role first, `_meta` on the very last chunk, `[DONE]` at the end.
 */
import type { FastifyReply } from 'fastify'
import type { ChatCompletionChunk, ChatDelta, ChunkChoice } from '../../shared/chat.ts'
import { metaOf, type ChatPart } from '../chat/chat-call.ts'
import { StreamBroken } from '../chat/attempts.ts'
import type { Recording } from '../chat/recordings.ts'
import { ServiceError } from '../errors.ts'

const keepAliveMs = 10_000

export const streamHeaders = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
} as const

export interface StreamIdentity {
  /** `chatcmpl-` + the request id. */
  id: string
  /** Unix seconds. */
  created: number
  includeUsage: boolean
  /** `_meta` says why, too. */
  isExplained: boolean
  /** Comments while the answer is silent for long. */
  isKeptAlive: boolean
  /** The one the parts are made under; a reader that stalls is cut by it. */
  signal: AbortSignal
  /** Where the events are written down for one who keeps the stream; null for nobody. */
  recording: Recording | null
}

/**
 * Resolves once the stream has ended, well or with an error event.
 * @throws what `parts` throws while nothing has been sent yet: that can still be a status of its own
 */
export async function sendStream(
  reply: FastifyReply,
  parts: AsyncIterable<ChatPart>,
  identity: StreamIdentity,
): Promise<void> {
  const stream = new EventStream(reply, identity)
  const chunks = new ChunkMaker(identity)
  try {
    for await (const part of parts) {
      for (const chunk of chunks.make(part)) await stream.send(JSON.stringify(chunk))
    }
  } catch (error) {
    if (!stream.isOpen) throw error
    identity.recording?.drop()
    await stream.send(JSON.stringify(errorToShow(error).toBody()))
  } finally {
    stream.stopKeepAlive()
  }
  await stream.send('[DONE]')
  stream.end()
}

function errorToShow(error: unknown): ServiceError {
  if (error instanceof StreamBroken) return error.error
  if (error instanceof ServiceError) return error
  return new ServiceError('internal_error', 'The answer could not be finished.', { cause: error })
}

/** The response as a stream of events; it opens with the first event or the first silence. */
class EventStream {
  readonly #reply: FastifyReply
  readonly #signal: AbortSignal
  readonly #recording: Recording | null
  readonly #keepAlive: NodeJS.Timeout | null
  isOpen = false

  constructor(reply: FastifyReply, { signal, isKeptAlive, recording }: StreamIdentity) {
    this.#reply = reply
    this.#signal = signal
    this.#recording = recording
    const comment = () => {
      // To a reader that stalls, silence is its own doing.
      if (!reply.raw.writableNeedDrain) this.#write(': keep-alive\n\n')
    }
    this.#keepAlive = isKeptAlive ? setInterval(comment, keepAliveMs) : null
  }

  /** Resolves when the socket takes more: a slow reader slows the upstream, not our memory. */
  async send(data: string): Promise<void> {
    this.#keepAlive?.refresh()
    const event = `data: ${data}\n\n`
    this.#recording?.event(event)
    if (!this.#write(event)) await this.#untilDrained()
  }

  /** Also resolves when the client is gone, and when the answer was aborted: last words do not wait. */
  #untilDrained(): Promise<void> {
    const { raw } = this.#reply
    const signal = this.#signal
    if (signal.aborted) return Promise.resolve()
    return new Promise((resolve) => {
      // Who reads nothing cannot be told why it is cut.
      const cut = () => void raw.destroy()
      const settle = () => {
        raw.off('drain', settle)
        raw.off('close', settle)
        signal.removeEventListener('abort', cut)
        resolve()
      }
      raw.on('drain', settle)
      raw.on('close', settle)
      signal.addEventListener('abort', cut)
    })
  }

  stopKeepAlive(): void {
    if (this.#keepAlive) clearInterval(this.#keepAlive)
  }

  end(): void {
    this.#reply.raw.end()
  }

  #write(text: string): boolean {
    const { raw } = this.#reply
    if (raw.destroyed) return true
    if (!this.isOpen) this.#open()
    return raw.write(text)
  }

  #open(): void {
    this.isOpen = true
    this.#reply.hijack()
    this.#reply.raw.writeHead(200, {
      ...headersOf(this.#reply),
      ...streamHeaders,
    })
  }
}

/** A hijacked reply no longer writes the headers that were set on it. */
export function headersOf(reply: FastifyReply): Record<string, string | number | string[]> {
  const headers: Record<string, string | number | string[]> = {}
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (value !== undefined) headers[name] = value
  }
  return headers
}

class ChunkMaker {
  readonly #identity: StreamIdentity
  readonly #startedChoices = new Set<number>()

  constructor(identity: StreamIdentity) {
    this.#identity = identity
  }

  make(part: ChatPart): ChatCompletionChunk[] {
    if (part.kind === 'end') return this.#end(part)
    const choices = part.choices.filter(carriesSomething).map(({ index, delta, logprobs }) => ({
      index,
      delta: this.#withRole(index, delta),
      finish_reason: null,
      ...(logprobs === undefined ? {} : { logprobs }),
    }))
    return choices.length === 0 ? [] : [this.#chunk(part.model, choices)]
  }

  #end(part: Extract<ChatPart, { kind: 'end' }>): ChatCompletionChunk[] {
    const choices = [...part.finishReasons].map(([index, finish_reason]) => ({
      index,
      delta: this.#startedChoices.has(index) ? {} : this.#withRole(index, { content: '' }),
      finish_reason,
    }))
    const finish = this.#chunk(part.model, choices)
    // A chunk without choices surprises clients that did not ask for the usage.
    const { includeUsage, isExplained } = this.#identity
    if (!includeUsage) return [{ ...finish, _meta: metaOf(part, isExplained) }]
    const last = this.#chunk(part.model, [])
    return [finish, { ...last, usage: part.usage, _meta: metaOf(part, isExplained) }]
  }

  #withRole(index: number, delta: ChatDelta): ChatDelta {
    if (this.#startedChoices.has(index)) return delta
    this.#startedChoices.add(index)
    return { role: 'assistant', ...delta }
  }

  #chunk(model: string, choices: ChunkChoice[]): ChatCompletionChunk {
    const { id, created, includeUsage } = this.#identity
    const chunk = { id, object: 'chat.completion.chunk', created, model, choices } as const
    return includeUsage ? { ...chunk, usage: null } : chunk
  }
}

function carriesSomething({ delta, logprobs }: ChunkChoice): boolean {
  return Object.keys(delta).length > 0 || logprobs !== undefined
}
