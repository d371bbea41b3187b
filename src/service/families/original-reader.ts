/** The events of an answer to a caller's own request, for the endpoint that passes them on unchanged. */
import type { ProviderChunk } from '../providers/provider.ts'
import type { EventConsumer } from '../providers/wire.ts'

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
