/** Reads Gemini's answers: a whole one or the events of a stream, which have the same form. */
import type { WireFields } from '../../../../shared/chat/chat.ts'
import { appendChunk, ProviderError, type ProviderChunk } from '../../../providers/provider.ts'
import type { EventConsumer } from '../../../providers/wire.ts'
import { countOf, fieldsOf, listOf, stringOf } from '../../../json-fields.ts'
import { CandidateReader } from './candidate-reader.ts'
import { reportedError } from './refusal.ts'
import { countsAnswer, readUsage } from '../usage.ts'
import { parseExact } from '../../../exact-json.ts'

/** Most candidates that a request may ask for. */
const maxCandidates = 128

export class AnswerReader implements EventConsumer {
  readonly #customTools: ReadonlySet<string>
  readonly #candidates = new Map<number, CandidateReader>()

  constructor(customTools: ReadonlySet<string>) {
    this.#customTools = customTools
  }

  /** False for every event: Gemini's streams have no last one, and end with the answer's body. */
  isEnd(): boolean {
    return false
  }

  append(chunk: ProviderChunk | null, data: string): ProviderChunk | null {
    const next = this.read(parseExact(data))
    const saysNothing =
      next.choices.length === 0 && next.usage === null && next.earlyUsage === undefined
    return saysNothing ? chunk : appendChunk(chunk, next)
  }

  /** @throws ProviderError for an error in the answer, and for an unknown form */
  read(value: unknown): ProviderChunk {
    const answer = fieldsOf(value)
    if (answer['error'] !== undefined) throw reportedError(answer)
    const { candidates, promptFeedback, usageMetadata } = answer
    if (candidates === undefined && promptFeedback === undefined && usageMetadata === undefined) {
      throw new ProviderError('invalid_response', 'the answer has an unknown form')
    }
    const blocked = blockedChoice(fieldsOf(promptFeedback))
    const responseId = stringOf(answer['responseId']) ?? ''
    const context = { customTools: this.#customTools, responseId }
    const choices = listOf(candidates).flatMap((candidate, position) => {
      const fields = fieldsOf(candidate)
      return this.#readerOf(countOf(fields['index']) ?? position).read(fields, context)
    })
    const all = blocked === null ? choices : [blocked, ...choices]
    const hasEnded = all.length === 0 || all.some(({ finish_reason }) => finish_reason !== null)
    const usage = readUsage(usageMetadata)
    const namedModel = stringOf(answer['modelVersion']) ?? ''
    const named = namedModel === '' ? null : { namedModel }
    if (usage === null || hasEnded || countsAnswer(usageMetadata))
      return { choices: all, usage, ...named }
    return { choices: all, usage: null, earlyUsage: usage, ...named }
  }

  #readerOf(index: number): CandidateReader {
    const known = this.#candidates.get(index)
    if (known !== undefined) return known
    if (index >= maxCandidates) {
      throw new ProviderError('invalid_response', 'the answer has an unknown form')
    }
    const reader = new CandidateReader(index)
    this.#candidates.set(index, reader)
    return reader
  }
}

/** The choice of a blocked prompt, which has no candidates. Null when nothing was blocked. */
function blockedChoice({ blockReason }: WireFields): ProviderChunk['choices'][number] | null {
  const reason = stringOf(blockReason)
  if (reason === null) return null
  return { index: 0, delta: {}, finish_reason: 'content_filter', native_finish_reason: reason }
}
