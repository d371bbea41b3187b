/** The output of an answer: items in the form of the Responses API, and the events by which they grow. */
import { contentText, type ChatDelta, type ToolCallDelta } from '../../../../shared/chat/chat.ts'
import { listOf } from '../../../json-fields.ts'
import type { OutputItem, UnnumberedEvent } from '../form.ts'
import { OpenCall } from './open-call.ts'
import { OpenMessage } from './open-message.ts'
import { OpenReasoning } from './open-reasoning.ts'
import type { ToolNames } from '../../tool-names.ts'

type ItemStatus = 'completed' | 'incomplete'

interface OutputItemsOptions {
  /** Part of each item's id. */
  requestId: string
  names: ToolNames
}

type OpenItem = OpenCall | OpenMessage | OpenReasoning

/** Prefixes of the vendor's item ids. The vendor checks them when items come back. */
const idPrefixes = { function: 'fc', custom: 'ctc', search: 'tsc' } as const

export class OutputItems {
  readonly #options: OutputItemsOptions
  readonly #items: OutputItem[] = []
  /** Reasoning or a message; the next kind of piece ends it. */
  #open: OpenMessage | OpenReasoning | null = null
  /** Open calls by index. They end together, because their pieces may arrive in turns. */
  readonly #calls = new Map<number, OpenCall>()

  constructor(options: OutputItemsOptions) {
    this.#options = options
  }

  /** @param logprobs  of the delta's text */
  add(delta: ChatDelta, logprobs: readonly unknown[] = []): UnnumberedEvent[] {
    const events = this.#reasoning(delta)
    const text = contentText(delta.content)
    if (text !== '') events.push(...this.#message(events).text(text, logprobs))
    if (delta.refusal) events.push(...this.#message(events).refusal(delta.refusal))
    for (const annotation of listOf(delta['annotations'])) {
      events.push(...this.#message(events).annotation(annotation))
    }
    for (const call of delta.tool_calls ?? []) events.push(...this.#call(call))
    return events
  }

  /** @param status  of what had not ended before */
  end(status: ItemStatus): UnnumberedEvent[] {
    const events = this.#close(status)
    for (const call of this.#calls.values()) events.push(...this.#ended(call, status))
    this.#calls.clear()
    return events
  }

  /** All items so far. */
  items(): OutputItem[] {
    return [...this.#items]
  }

  #reasoning({ reasoning_content, reasoning }: ChatDelta): UnnumberedEvent[] {
    const text = reasoning_content ?? reasoning ?? ''
    if (text === '') return []
    if (this.#open instanceof OpenReasoning) return this.#open.text(text)
    const events = this.#close('completed')
    const item = new OpenReasoning(this.#items.length, this.#idOf('rs'))
    this.#open = item
    return [...events, ...this.#started(item), ...item.text(text)]
  }

  #message(events: UnnumberedEvent[]): OpenMessage {
    if (this.#open instanceof OpenMessage) return this.#open
    events.push(...this.#close('completed'))
    const item = new OpenMessage(this.#items.length, this.#idOf('msg'))
    this.#open = item
    events.push(...this.#started(item))
    return item
  }

  #call(piece: ToolCallDelta): UnnumberedEvent[] {
    const known = this.#calls.get(piece.index)
    if (known !== undefined) return known.piece(argumentsOf(piece))
    const events = this.#close('completed')
    const { function: called, custom, id: callId = '' } = piece
    const tool = this.#options.names.find(called?.name ?? custom?.name ?? '')
    const id = this.#idOf(idPrefixes[tool.kind])
    const call = new OpenCall({ place: this.#items.length, id, callId, tool })
    this.#calls.set(piece.index, call)
    return [...events, ...this.#started(call), ...call.piece(argumentsOf(piece))]
  }

  #started(item: OpenItem): UnnumberedEvent[] {
    const begun = item.item('in_progress')
    this.#items.push(begun)
    return [{ type: 'response.output_item.added', output_index: item.place, item: begun }]
  }

  #close(status: ItemStatus): UnnumberedEvent[] {
    const open = this.#open
    if (open === null) return []
    this.#open = null
    return this.#ended(open, status)
  }

  #ended(open: OpenItem, status: ItemStatus): UnnumberedEvent[] {
    const events = open.end()
    const item = open.item(status)
    this.#items[open.place] = item
    return [...events, { type: 'response.output_item.done', output_index: open.place, item }]
  }

  #idOf(prefix: string): string {
    return `${prefix}_${this.#options.requestId}_${this.#items.length}`
  }
}

function argumentsOf({ function: called, custom }: ToolCallDelta): string {
  return called?.arguments ?? custom?.input ?? ''
}
