/** Turns the events of one stream into chunks: a template reads text events, and a parser reads the rest. */
import { readChunk } from './answer.ts'
import { appendChunk, type ProviderChunk } from '../../../providers/provider.ts'
import type { EventConsumer } from '../../../providers/wire.ts'
import { TextTemplate } from './text-template.ts'
import { parseExact } from '../../../exact-json.ts'

/** Attempts to learn a template. A stream whose events keep differing, such as by random padding, gets no more. */
const maxTemplates = 4

export class ChunkReader implements EventConsumer {
  #template: TextTemplate | null = null
  #learned = 0

  isEnd(data: string): boolean {
    return data.startsWith('[DONE]')
  }

  /**
   * Reads one event's data and appends it to `chunk`, which may be changed.
   * @throws SyntaxError for text that is not JSON; what `readChunk` throws
   */
  append(chunk: ProviderChunk | null, data: string): ProviderChunk {
    const template = this.#template
    const choice = template?.read(data) ?? null
    if (template === null || choice === null) return appendChunk(chunk, this.#parse(data))
    if (chunk !== null && chunk.extras === template.extras) {
      chunk.choices.push(choice)
      return chunk
    }
    const { extras } = template
    return appendChunk(chunk, { choices: [choice], usage: null, ...(extras && { extras }) })
  }

  #parse(data: string): ProviderChunk {
    const chunk = readChunk(parseExact(data))
    if (this.#learned < maxTemplates) {
      const template = TextTemplate.learn(data, chunk)
      if (template !== null) {
        this.#template = template
        this.#learned += 1
      }
    }
    return chunk
  }
}
