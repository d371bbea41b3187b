/**
 * The events of a stream as the one message that the API gives without streaming. Compared with `MessageStream` of
 * Anthropic's SDK, 2026-11-22.
 */
import type { WireFields } from '../../../../shared/chat/chat.ts'
import { fieldsOf, listOf, stringOf, toolInput } from '../../../json-fields.ts'
import { parseExact } from '../../../exact-json.ts'

/** @param events  JSON texts, up to and with `message_delta`. @returns the message as a JSON text */
export function joinEvents(events: readonly string[]): string {
  let message: WireFields = {}
  // A map, because the upstream chooses the numbers.
  const blocks = new Map<number, Block>()
  for (const text of events) {
    const event = fieldsOf(parseExact(text))
    const index = Number(event['index'])
    switch (event['type']) {
      case 'message_start':
        message = fieldsOf(event['message'])
        break
      case 'content_block_start':
        blocks.set(index, new Block(fieldsOf(event['content_block'])))
        break
      case 'content_block_delta':
        blocks.get(index)?.add(fieldsOf(event['delta']))
        break
      case 'message_delta':
        message = ended(message, event)
        break
      default:
      // Pings, and ends that say nothing more.
    }
  }
  return JSON.stringify({ ...message, content: [...blocks.values()].map((block) => block.whole()) })
}

/** The message with its end. Counts that the end leaves out keep their value from the beginning. */
function ended(
  message: WireFields,
  { type: _type, delta, usage, ...others }: WireFields,
): WireFields {
  const counts = Object.entries(fieldsOf(usage)).filter(([, count]) => count !== null)
  return {
    ...message,
    ...fieldsOf(delta),
    ...others,
    usage: { ...fieldsOf(message['usage']), ...Object.fromEntries(counts) },
  }
}

class Block {
  readonly #block: Record<string, unknown>
  #input = ''

  constructor(block: WireFields) {
    this.#block = { ...block }
  }

  add(delta: WireFields): void {
    if (delta['type'] === 'input_json_delta') {
      this.#input += stringOf(delta['partial_json']) ?? ''
      return
    }
    if (delta['type'] === 'citations_delta') {
      this.#block['citations'] = [...listOf(this.#block['citations']), delta['citation']]
      return
    }
    // `text`, `thinking`, `signature` and `content` of a compaction grow under their own names.
    for (const [name, piece] of Object.entries(delta)) {
      if (name === 'type') continue
      const before = stringOf(this.#block[name])
      this.#block[name] = typeof piece === 'string' ? (before ?? '') + piece : piece
    }
  }

  whole(): WireFields {
    return this.#input === '' ? this.#block : { ...this.#block, input: toolInput(this.#input) }
  }
}
