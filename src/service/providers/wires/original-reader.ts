/** The events of an answer to a caller's own request, for the endpoint that passes them on unchanged. */
import type { ProviderChunk } from '../provider.ts'
import type { EventConsumer } from '../wire.ts'

/** Adds to each chunk the events that it was read from. */
export class OriginalReader implements EventConsumer {
  readonly #reader: EventConsumer

  constructor(reader: EventConsumer) {
    this.#reader = reader
  }

  isEnd(data: string): boolean {
    return this.#reader.isEnd(data)
  }

  append(chunk: ProviderChunk | null, data: string): ProviderChunk {
    const read = this.#reader.append(chunk, data) ?? { choices: [], usage: null }
    const events = (read.events ??= [])
    events.push(data)
    return read
  }
}
