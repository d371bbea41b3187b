/**
 * A streamed answer as events in Anthropic's form. The events of a provider that speaks this form are passed on;
 * any other answer is translated, one block after another as the form requires.
 */
import {
  contentText,
  type ChatDelta,
  type ChunkChoice,
  type ToolCallDelta,
  type WireFields,
} from '../../../../shared/chat/chat.ts'
import { fieldsOf, listOf, stringOf } from '../../../json-fields.ts'
import { reasoningFormat } from '../thinking-blocks.ts'
import { writeCounts, writeUsage } from '../usage.ts'
import { ToolUseIds } from './tool-use-ids.ts'
import { emptyText, messageFields, stopFields, toolUseBlock } from './write-answer.ts'
import { parseExact } from '../../../exact-json.ts'
import type { ToolNames } from '../../tool-names.ts'
import type { AnswerDelta, AnswerEnd } from '../../written-answer.ts'

interface MessageStreamOptions {
  /** Id of a message that was not written by its provider. */
  id: string
  names: ToolNames
  /** Estimated, for the first event, because the count comes with the last one. */
  promptTokens: () => number
}

/** A block that can only be sent once the block before it has ended. */
interface WaitingBlock {
  kind: string
  start: WireFields
  pieces: WireFields[]
}

export class MessageEvents {
  readonly #options: MessageStreamOptions
  readonly #ids = new ToolUseIds()
  #isStarted = false
  /** Whether the provider's own events are passed on. */
  #passesOn = false
  /** Fields of the provider's own last event. */
  #stop: WireFields = {}
  /** The last choice with more than a piece, such as a stop sequence. */
  #ending: WireFields = {}
  #callsTools = false
  /** White space before any visible character: clients send the block back, and the API refuses one without. */
  #blank = ''
  #count = 0
  #openKind: string | null = null
  readonly #waiting: WaitingBlock[] = []

  constructor(options: MessageStreamOptions) {
    this.#options = options
  }

  deltas({ model, choices, events }: AnswerDelta): string {
    if (events !== undefined) {
      this.#passesOn = true
      return events.map((event) => this.#passedOn(event, model)).join('')
    }
    let written = ''
    for (const choice of choices) {
      if (choice.index === 0) written += this.#piecesOf(choice)
      if (choice['stop_sequence'] !== undefined) this.#ending = choice
    }
    return written === '' ? '' : this.#startOf(model) + written
  }

  end({ model, usage, finishReasons, meta }: AnswerEnd): string {
    const stop = eventOf('message_stop', { ...this.#stop, _meta: meta })
    if (this.#passesOn) return stop
    const start = this.#startOf(model)
    const blocks = this.#flush()
    const ending = { ...this.#ending, finish_reason: finishReasons.get(0) ?? null }
    const delta = stopFields(ending, this.#callsTools)
    return (
      start +
      blocks +
      eventOf('message_delta', {
        delta: { container: null, ...delta },
        usage: writeCounts(usage),
      }) +
      stop
    )
  }

  /** The provider's event as it came. Its first one names the model, and its last one waits for `_meta`. */
  #passedOn(event: string, model: string): string {
    const isLine = event.startsWith(typeStart) && !event.includes('\n')
    const type = isLine ? event.slice(typeStart.length, event.indexOf('"', typeStart.length)) : ''
    if (isLine && !changedTypes.has(type)) return `event: ${type}\ndata: ${event}\n\n`
    const { type: read, message, ...fields } = fieldsOf(parseExact(event))
    if (read === 'message_stop') {
      this.#stop = fields
      return ''
    }
    if (read !== 'message_start') return eventOf(String(read), fields)
    return eventOf('message_start', { ...fields, message: { ...fieldsOf(message), model } })
  }

  #startOf(model: string): string {
    if (this.#isStarted) return ''
    this.#isStarted = true
    const input_tokens = this.#options.promptTokens()
    const usage = { prompt_tokens: input_tokens, completion_tokens: 0, total_tokens: input_tokens }
    const message = {
      ...messageFields(this.#options.id, model),
      content: [],
      stop_reason: null,
      stop_sequence: null,
      stop_details: null,
      usage: writeUsage(usage),
    }
    return eventOf('message_start', { message })
  }

  #piecesOf({ delta }: ChunkChoice): string {
    let written = this.#thinking(delta)
    const text = this.#blank + contentText(delta.content) + (delta.refusal ?? '')
    const isText = this.#isKnown('text') || text.trim() !== ''
    this.#blank = isText ? '' : text
    if (isText && text !== '') {
      written += this.#add('text', emptyText, { type: 'text_delta', text })
    }
    for (const call of delta.tool_calls ?? []) written += this.#toolUse(call)
    return written
  }

  #thinking(delta: ChatDelta): string {
    const details = listOf(delta['reasoning_details']).map(fieldsOf)
    const own = details.filter(({ format }) => format === reasoningFormat)
    if (own.length > 0) return own.map((item) => this.#ownThinking(item)).join('')
    const thinking = delta.reasoning_content ?? delta.reasoning ?? ''
    if (thinking === '') return ''
    return this.#add('thinking', emptyThinking, { type: 'thinking_delta', thinking })
  }

  #ownThinking({ type, index, data, text, signature }: WireFields): string {
    const kind = `thinking ${String(index)}`
    if (type === 'reasoning.encrypted') {
      return this.#add(kind, { type: 'redacted_thinking', data }, null)
    }
    const thinking = stringOf(text)
    const signed = stringOf(signature)
    const piece = thinking === null ? null : { type: 'thinking_delta', thinking }
    const seal = signed === null ? null : { type: 'signature_delta', signature: signed }
    return this.#add(kind, emptyThinking, piece) + this.#add(kind, emptyThinking, seal)
  }

  #toolUse({ index, id, function: called, custom }: ToolCallDelta): string {
    const kind = `tool ${index}`
    const isNew = !this.#isKnown(kind)
    this.#callsTools = true
    const { name } = this.#options.names.find(called?.name ?? custom?.name ?? '')
    const start = isNew ? toolUseBlock(this.#ids.add(id ?? ''), name) : emptyThinking
    const partial_json = called?.arguments ?? ''
    const piece = partial_json === '' ? null : { type: 'input_json_delta', partial_json }
    return this.#add(kind, start, piece)
  }

  #isKnown(kind: string): boolean {
    return kind === this.#openKind || this.#waiting.some((block) => block.kind === kind)
  }

  /**
   * Adds a piece to the block of this kind. Pieces of several tool calls may arrive in turns: while a call is open,
   * other blocks wait for the end of the answer.
   */
  #add(kind: string, start: WireFields, piece: WireFields | null): string {
    if (kind === this.#openKind) return piece === null ? '' : this.#deltaOf(piece)
    const isToolOpen = this.#openKind?.startsWith('tool ') === true
    if (isToolOpen) {
      const waiting = this.#waiting.find((block) => block.kind === kind)
      const pieces = piece === null ? [] : [piece]
      if (waiting === undefined) this.#waiting.push({ kind, start, pieces })
      else waiting.pieces.push(...pieces)
      return ''
    }
    return this.#open(kind, start) + (piece === null ? '' : this.#deltaOf(piece))
  }

  #open(kind: string, content_block: WireFields): string {
    const closed = this.#close()
    this.#openKind = kind
    return closed + eventOf('content_block_start', { index: this.#count, content_block })
  }

  #deltaOf(delta: WireFields): string {
    return eventOf('content_block_delta', { index: this.#count, delta })
  }

  #close(): string {
    if (this.#openKind === null) return ''
    this.#openKind = null
    const closed = eventOf('content_block_stop', { index: this.#count })
    this.#count += 1
    return closed
  }

  #flush(): string {
    let written = this.#close()
    for (const { kind, start, pieces } of this.#waiting) {
      written += this.#open(kind, start)
      for (const piece of pieces) written += this.#deltaOf(piece)
      written += this.#close()
    }
    return written
  }
}

const emptyThinking = { type: 'thinking', thinking: '', signature: '' } as const

export const pingEvent = eventOf('ping', {})

export function eventOf(type: string, fields: WireFields): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`
}

const typeStart = '{"type":"'
const changedTypes: ReadonlySet<string> = new Set(['message_start', 'message_stop'])
