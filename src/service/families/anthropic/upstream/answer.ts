/** Reads Anthropic's answers: a whole message, or the events of a stream. */
import type { WireFields } from '../../../../shared/chat/chat.ts'
import {
  appendChunk,
  ProviderError,
  type ProviderChunk,
  type UpstreamDelta,
} from '../../../providers/provider.ts'
import type { EventConsumer } from '../../../providers/wire.ts'
import { AnswerBlocks, type AnsweredRequest } from './answer-blocks.ts'
import { fieldsOf, stringOf } from '../../../json-fields.ts'
import { reportedError } from './refusal.ts'
import { finishReasonOf } from '../stop-reasons.ts'
import { readUsage } from '../usage.ts'
import { parseExact } from '../../../exact-json.ts'

type Choice = ProviderChunk['choices'][number]

/** @throws ProviderError invalid_response for an unknown form; the reported error's kind for an error body */
export function readMessage(value: unknown, request: AnsweredRequest): ProviderChunk {
  const message = fieldsOf(value)
  const { type, content, usage } = message
  if (type === 'error') throw reportedError(message)
  if (!Array.isArray(content)) {
    throw new ProviderError('invalid_response', 'the answer has an unknown form')
  }
  const blocks = new AnswerBlocks(request)
  const choices: Choice[] = []
  for (const [index, block] of content.entries()) {
    for (const delta of [blocks.start(index, block), blocks.stop(index)]) {
      if (delta !== null) choices.push(choiceOf(delta))
    }
  }
  const end = endOf(message)
  if (end !== null) choices.push(end)
  return { choices, usage: readUsage(usage), ...extrasOf(message), ...namedIn(message) }
}

/** Reads the events of one stream. */
export class MessageReader implements EventConsumer {
  readonly #blocks: AnswerBlocks
  /** Counts of the first event, which later events complete. */
  #usage: WireFields = {}

  constructor(request: AnsweredRequest) {
    this.#blocks = new AnswerBlocks(request)
  }

  /** Whether the stream ends. Most events are ruled out without being parsed twice. */
  isEnd(data: string): boolean {
    return data.includes('message_stop') && typeOf(data) === 'message_stop'
  }

  append(chunk: ProviderChunk | null, data: string): ProviderChunk | null {
    const event = fieldsOf(parseExact(data))
    const { type, index, content_block, delta } = event
    switch (type) {
      case 'content_block_delta':
        return withDelta(chunk, this.#blocks.add(index, delta))
      case 'content_block_start':
        return withDelta(chunk, this.#blocks.start(index, content_block))
      case 'content_block_stop':
        return withDelta(chunk, this.#blocks.stop(index))
      case 'message_start':
        return this.#started(chunk, fieldsOf(event['message']))
      case 'message_delta':
        return this.#ended(chunk, event)
      case 'error':
        throw reportedError(event)
      default:
        // `ping`, and events newer than this program.
        return chunk
    }
  }

  #started(chunk: ProviderChunk | null, message: WireFields): ProviderChunk | null {
    this.#usage = fieldsOf(message['usage'])
    const earlyUsage = readUsage(this.#usage)
    const extras = extrasOf(message)
    const named = namedIn(message)
    if (extras === null && earlyUsage === null && named === null) return chunk
    const early = earlyUsage && { earlyUsage }
    const begun = { choices: [], usage: null, ...extras, ...named, ...early }
    return appendChunk(chunk, begun)
  }

  /** Reads the final counts: totals, not additions. Null means that the first event's count still holds. */
  #ended(chunk: ProviderChunk | null, { delta, usage }: WireFields): ProviderChunk {
    const counts = Object.entries(fieldsOf(usage)).filter(([, count]) => count !== null)
    this.#usage = { ...this.#usage, ...Object.fromEntries(counts) }
    const end = endOf(fieldsOf(delta))
    const choices = end === null ? [] : [end]
    return appendChunk(chunk, { choices, usage: readUsage(this.#usage) })
  }
}

function typeOf(data: string): unknown {
  return fieldsOf(parseExact(data))['type']
}

function choiceOf(delta: UpstreamDelta): Choice {
  return { index: 0, delta, finish_reason: null }
}

function withDelta(chunk: ProviderChunk | null, delta: UpstreamDelta | null): ProviderChunk | null {
  if (delta === null) return chunk
  if (chunk === null) return { choices: [choiceOf(delta)], usage: null }
  chunk.choices.push(choiceOf(delta))
  return chunk
}

/** @returns null while the answer goes on */
function endOf({ stop_reason, stop_sequence, stop_details }: WireFields): Choice | null {
  const reason = stringOf(stop_reason)
  if (reason === null) return null
  const refusal = stringOf(fieldsOf(stop_details)['explanation'])
  const sequence = stringOf(stop_sequence)
  return {
    index: 0,
    delta: refusal === null ? {} : { refusal },
    finish_reason: finishReasonOf(reason),
    ...(sequence === null ? {} : { stop_sequence: sequence }),
    ...(typeof stop_details === 'object' && stop_details !== null ? { stop_details } : {}),
  }
}

/** The container of a code execution, which a later request may name. */
function extrasOf({ container }: WireFields): { extras: WireFields } | null {
  return typeof container === 'object' && container !== null ? { extras: { container } } : null
}

function namedIn({ model }: WireFields): { namedModel: string } | null {
  const namedModel = stringOf(model) ?? ''
  return namedModel === '' ? null : { namedModel }
}
