/**
 * Writes one answer as server-sent events in the form that OpenAI's SDKs expect: the same id, created and
 * model on every chunk, the role first, `_meta` on the last chunk, `[DONE]` at the end.
 */
import type {
  ChatCompletionChunk,
  ChatDelta,
  ChunkChoice,
  WireFields,
} from '../../../shared/chat/chat.ts'
import { TextChoice } from '../../../shared/strings/text-choice.ts'
import type { ExecutionPart } from '../../agents/agent-call.ts'
import type { ChatPart } from '../../chat/chat-call.ts'
import { StreamBroken } from '../../chat/attempts/attempts.ts'
import { upstreamCauseOf } from '../../chat/attempts/upstream-cause.ts'
import type { Recording } from '../../chat/kept-answers/recordings.ts'
import { ServiceError } from '../../errors.ts'
import type { AnswerIdentity } from './chat-exchange.ts'
import { sentMeta } from './sent-meta.ts'
import { watchReader } from '../sockets/stalled-reader.ts'

type AnswerPart = ChatPart | ExecutionPart

/** How one family's clients read a stream. Events are complete, with the empty line at their end. */
export interface StreamForm {
  deltas(part: Extract<AnswerPart, { kind: 'delta' }>): string
  end(part: Extract<AnswerPart, { kind: 'end' }>): string
  error(error: ServiceError): string
  /** Text after the last event, also after an error. */
  readonly ending: string
  /** Content type of a stream that is not a list of server-sent events; the reply gets it before the stream begins. */
  readonly contentType?: string | undefined
  /** Text to send during a long silence. */
  keepAlive(): string
}

const keepAliveMs = 10_000

export const streamHeaders = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
} as const

export interface StreamIdentity extends AnswerIdentity {
  /** The answer's signal; a stalled client aborts it. */
  signal: AbortSignal
  /** A client that reads nothing for this long, while data is waiting, counts as disconnected. */
  stallMs: number
  /** Records the events for a later replay; null when there is none. */
  recording: Recording | null
  /** Absent for the events of OpenAI's chat form. */
  form?: StreamForm
}

/** The destination of a stream's events: an HTTP response, or a socket of the fast lane. */
export interface EventSink {
  /** Sends status 200 with these headers and those set on the answer. Called once, first. */
  open(headers: Readonly<Record<string, string>>): void
  /** @returns false when the writer should wait for `drain` */
  write(text: string): boolean
  end(text: string): void
  destroy(): void
  /** Further writes are discarded. */
  readonly destroyed: boolean
  /** Bytes that are not yet handed to the operating system. */
  readonly writableLength: number
  readonly writableNeedDrain: boolean
  on(event: 'drain' | 'close', listener: () => void): unknown
  off(event: 'drain' | 'close', listener: () => void): unknown
}

/**
 * Resolves once the stream has ended, well or with an error event.
 * @throws what `parts` throws before anything was sent, so that the error can still set the status
 */
export async function sendStream(
  sink: EventSink,
  parts: AsyncIterable<AnswerPart>,
  identity: StreamIdentity,
): Promise<void> {
  const events: StreamForm = identity.form ?? new ChatEvents(identity)
  const stream = new EventStream(sink, identity, () => events.keepAlive())
  let last = ''
  try {
    for await (const part of parts) {
      if (part.kind === 'end') last = events.end(part)
      const drained = part.kind === 'end' ? null : stream.send(events.deltas(part))
      if (drained !== null) await drained
    }
  } catch (error) {
    if (!stream.isOpen) throw error
    identity.recording?.drop()
    last = events.error(errorToShow(error))
  } finally {
    stream.stopKeepAlive()
  }
  stream.end(last + events.ending)
}

function eventOf(data: string): string {
  return `data: ${data}\n\n`
}

export const chatEnding = eventOf('[DONE]')
export const chatKeepAlive = ': keep-alive\n\n'

/** An error after the stream has begun, in OpenAI's form. What the vendor named keeps its name: clients decide by it. */
export function errorEvent(error: ServiceError): string {
  const { error: fields } = error.toBody()
  const vendor = upstreamCauseOf(error)?.vendor
  const { type, code } = { type: vendor?.type ?? fields.type, code: vendor?.code ?? fields.code }
  return eventOf(JSON.stringify({ error: { ...fields, type, code } }))
}

function errorToShow(error: unknown): ServiceError {
  if (error instanceof StreamBroken) return error.error
  if (error instanceof ServiceError) return error
  return new ServiceError('internal_error', 'The answer could not be finished.', { cause: error })
}

/** The response as a stream of events; its headers are sent with the first event or keep-alive comment. */
class EventStream {
  readonly #sink: EventSink
  readonly #signal: AbortSignal
  readonly #stallMs: number
  readonly #recording: Recording | null
  readonly #keepAlive: NodeJS.Timeout | null
  isOpen = false

  constructor(
    sink: EventSink,
    { signal, isKeptAlive, stallMs, recording }: StreamIdentity,
    keepAlive: () => string,
  ) {
    this.#sink = sink
    this.#signal = signal
    this.#stallMs = stallMs
    this.#recording = recording
    const keep = () => {
      // A client that stalls would not read it.
      if (sink.writableNeedDrain) return
      const text = keepAlive()
      // An event may be a part of the answer; a comment is not.
      if (!text.startsWith(':')) recording?.events(text)
      this.#write(text)
    }
    this.#keepAlive = isKeptAlive ? setInterval(keep, keepAliveMs) : null
  }

  /**
   * @param events  may be empty
   * @returns null when the socket accepts more; else resolves when it does: a slow client slows the upstream
   */
  send(events: string): Promise<void> | null {
    if (events === '') return null
    this.#keepAlive?.refresh()
    this.#recording?.events(events)
    return this.#write(events) ? null : this.#untilDrained()
  }

  /**
   * Resolves when the socket can take more. A disconnected client or an aborted answer must not delay the last event.
   */
  #untilDrained(): Promise<void> {
    const sink = this.#sink
    const signal = this.#signal
    if (signal.aborted) return Promise.resolve()
    return new Promise((resolve) => {
      // A client that reads nothing cannot receive an error event.
      const cut = () => sink.destroy()
      const stopWatching = watchReader(sink, this.#stallMs, cut)
      const settle = () => {
        stopWatching()
        sink.off('drain', settle)
        sink.off('close', settle)
        signal.removeEventListener('abort', cut)
        resolve()
      }
      sink.on('drain', settle)
      sink.on('close', settle)
      signal.addEventListener('abort', cut)
    })
  }

  stopKeepAlive(): void {
    if (this.#keepAlive) clearInterval(this.#keepAlive)
  }

  end(events: string): void {
    this.#recording?.events(events)
    const sink = this.#sink
    if (sink.destroyed) return
    if (!this.isOpen) this.#open()
    sink.end(events)
    // From now on, aborting the answer disconnects a stalled client.
    if (sink.writableLength > 0) this.#signal.addEventListener('abort', () => sink.destroy())
  }

  #write(text: string): boolean {
    const sink = this.#sink
    if (sink.destroyed) return true
    if (!this.isOpen) this.#open()
    return sink.write(text)
  }

  #open(): void {
    this.#sink.open(streamHeaders)
    this.isOpen = true
  }
}

/** Builds one event per piece. The part that all events share is serialized once. */
class ChatEvents implements StreamForm {
  readonly ending = chatEnding
  readonly error = errorEvent
  readonly #identity: StreamIdentity
  readonly #startedChoices = new Set<number>()
  readonly #tail: string
  #model = ''
  #extras: WireFields | undefined
  #head = ''

  constructor(identity: StreamIdentity) {
    this.#identity = identity
    this.#tail = identity.includeUsage ? '],"usage":null}\n\n' : ']}\n\n'
  }

  keepAlive(): string {
    return chatKeepAlive
  }

  deltas({ model, choices, extras }: Extract<ChatPart, { kind: 'delta' }>): string {
    let events = ''
    for (const choice of choices) {
      const { index, delta } = choice
      const json = this.#startedChoices.has(index) ? TextChoice.jsonOf(choice) : null
      if (json !== null) {
        events += this.#headOf(model, extras) + json + this.#tail
        continue
      }
      if (!carriesSomething(choice)) continue
      const piece = { ...choice, delta: this.#withRole(index, delta), finish_reason: null }
      events += this.#headOf(model, extras) + JSON.stringify(piece) + this.#tail
    }
    return events
  }

  end(part: Extract<AnswerPart, { kind: 'end' }>): string {
    const choices = [...part.finishReasons].map(([index, finish_reason]) => ({
      index,
      delta: this.#startedChoices.has(index) ? {} : this.#withRole(index, { content: '' }),
      finish_reason,
    }))
    const { id, created, includeUsage, isExplained } = this.#identity
    const { model, usage } = part
    const extras = 'extras' in part ? part.extras : undefined
    const chunk = { id, object: 'chat.completion.chunk', created, model, ...extras } as const
    const meta = { _meta: sentMeta(part, isExplained) }
    // Clients that did not request the usage do not expect a chunk without choices.
    const chunks: ChatCompletionChunk[] = includeUsage
      ? [
          { ...chunk, choices, usage: null },
          { ...chunk, choices: [], usage, ...meta },
        ]
      : [{ ...chunk, choices, ...meta }]
    return chunks.map((each) => eventOf(JSON.stringify(each))).join('')
  }

  #headOf(model: string, extras: WireFields | undefined): string {
    if (model !== this.#model || extras !== this.#extras) {
      const { id, created } = this.#identity
      const object = 'chat.completion.chunk'
      const chunk = JSON.stringify({ id, object, created, model, ...extras })
      this.#model = model
      this.#extras = extras
      this.#head = `data: ${chunk.slice(0, -1)},"choices":[`
    }
    return this.#head
  }

  #withRole(index: number, delta: ChatDelta): ChatDelta {
    if (this.#startedChoices.has(index)) return delta
    this.#startedChoices.add(index)
    return { role: 'assistant', ...delta }
  }
}

/** Whether the delta is not empty, or the choice has another field. */
function carriesSomething(choice: ChunkChoice): boolean {
  for (const name in choice) {
    const isOther = name !== 'index' && name !== 'delta' && name !== 'finish_reason'
    if (isOther && choice[name] !== undefined) return true
  }
  return Object.keys(choice.delta).length > 0
}
