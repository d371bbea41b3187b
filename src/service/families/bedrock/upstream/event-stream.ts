/**
 * Cuts AWS's binary event stream into events. Each frame has its length, headers, a JSON payload and two
 * checksums. The text of an event is `{"<event type>": <payload>}`, which is the form of the SDK's union
 * `ConverseStreamOutput`. This file is loaded at the first request, because AWS's packages take 30 ms to load.
 * @see https://smithy.io/2.0/aws/amazon-eventstream.html
 */
import { EventStreamCodec } from '@smithy/core/event-streams'
import { ProviderError } from '../../../providers/provider.ts'
import type { EventSource } from '../../../providers/wire.ts'
import { unnamedError } from './converse.ts'

/** Most bytes of a stream; an upstream that sends more repeats itself at the user's cost. */
const maxStreamBytes = 64 * 1024 * 1024
/** Most bytes of an event. */
const maxFrameBytes = 1 << 20
/** Two lengths, two checksums, no headers and no payload. */
const minFrameBytes = 16
const lengthBytes = 4

const decoder = new TextDecoder()
const encoder = new TextEncoder()
const codec = new EventStreamCodec(
  (bytes: Uint8Array | string) => (typeof bytes === 'string' ? bytes : decoder.decode(bytes)),
  (text) => encoder.encode(text),
)

export class FrameReader implements EventSource {
  readonly #length = new Uint8Array(lengthBytes)
  /** The frame that is arriving; only its length field until that is complete. */
  #frame: Uint8Array = this.#length
  #filled = 0
  #bytes = 0

  /**
   * @returns the texts of the events that this piece completed
   * @throws ProviderError invalid_response for a damaged frame, one over 1 MiB and a stream over 64 MiB
   */
  push(piece: Uint8Array): string[] {
    this.#bytes += piece.length
    if (this.#bytes > maxStreamBytes) throw unreadable('the answer is longer than 64 MiB')
    const complete: string[] = []
    let rest = piece
    while (rest.length > 0) {
      const part = rest.subarray(0, this.#frame.length - this.#filled)
      this.#frame.set(part, this.#filled)
      this.#filled += part.length
      rest = rest.subarray(part.length)
      if (this.#filled < this.#frame.length) break
      if (this.#frame === this.#length) this.#startFrame()
      else complete.push(this.#endFrame())
    }
    return complete
  }

  #startFrame(): void {
    const length = new DataView(this.#length.buffer).getUint32(0)
    if (length < minFrameBytes || length > maxFrameBytes) {
      throw unreadable('an event of the answer has an invalid length')
    }
    this.#frame = new Uint8Array(length)
    this.#frame.set(this.#length)
  }

  #endFrame(): string {
    const text = readFrame(this.#frame)
    this.#frame = this.#length
    this.#filled = 0
    return text
  }
}

type Message = ReturnType<typeof codec.decode>

function readFrame(frame: Uint8Array): string {
  const { headers, body } = decode(frame)
  const payload = body.length === 0 ? '{}' : decoder.decode(body)
  switch (textOf(headers, ':message-type')) {
    case 'event':
      return `{${JSON.stringify(textOf(headers, ':event-type'))}:${payload}}`
    case 'exception':
      return `{${JSON.stringify(textOf(headers, ':exception-type'))}:${payload}}`
    case 'error':
      return JSON.stringify({ [unnamedError]: { code: textOf(headers, ':error-code') } })
    default:
      throw unreadable('an event of the answer has an unknown type')
  }
}

function decode(frame: Uint8Array): Message {
  try {
    return codec.decode(frame)
  } catch (error) {
    throw new ProviderError('invalid_response', 'an event of the answer is damaged', {
      cause: error,
    })
  }
}

function textOf(headers: Message['headers'], name: string): string {
  const header = headers[name]
  return header?.type === 'string' ? header.value : ''
}

function unreadable(message: string): ProviderError {
  return new ProviderError('invalid_response', message)
}
