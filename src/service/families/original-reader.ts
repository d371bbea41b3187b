/** A caller's own request: what is changed in it, and the events of its answer, which are passed on unchanged. */
import type { ProviderChunk, ProviderRequest } from '../providers/provider.ts'
import type { EventConsumer } from '../providers/wire.ts'

export type Original = NonNullable<ProviderRequest['original']>
/** New values of members, as JSON; null removes one. */
export type Changes = Record<string, string | null>

export function jsonOf(value: unknown): string | null {
  return value === undefined || value === null ? null : JSON.stringify(value)
}

/** Adds to each chunk the events that it was read from. */
export class OriginalReader implements EventConsumer {
  readonly #reader: EventConsumer
  readonly #keepsEnd: boolean

  /** @param options  `keepsEnd`: whether the event that ends the stream is one of the answer */
  constructor(reader: EventConsumer, { keepsEnd = false } = {}) {
    this.#reader = reader
    this.#keepsEnd = keepsEnd
  }

  isEnd(data: string): boolean {
    return this.#reader.isEnd(data)
  }

  append(chunk: ProviderChunk | null, data: string): ProviderChunk {
    return withEvent(this.#reader.append(chunk, data), data)
  }

  end(chunk: ProviderChunk | null, data: string): ProviderChunk | null {
    return this.#keepsEnd ? withEvent(chunk, data) : chunk
  }
}

function withEvent(chunk: ProviderChunk | null, data: string): ProviderChunk {
  const read = chunk ?? { choices: [], usage: null }
  const events = (read.events ??= [])
  events.push(data)
  return read
}
