/** Writes an answer to a fast-lane socket: whole, or as a stream's events in HTTP chunks. */
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { batchWrite } from '../../batched-writes.ts'
import { maxRequestsPerSocket } from '../sockets/connection-limit.ts'
import type { EventSink } from '../answers/sse.ts'
import type { AnswerHeaders } from '../answers/chat-exchange.ts'

/** Characters that a header value must not contain: they would end the header, or are not a single byte. */
const unfit = /[^\t\x20-\x7e\x80-\xff]/
/** Characters that few values have; one search covers all of them. */
const unusual = /[^\t\x20-\x7e]/

/** How the connection continues after an answer. */
interface WriterOptions {
  /** How long the connection stays open without another request. */
  keepAliveMs: number
  /** Unix milliseconds. */
  now(): number
  /** Whether no other request is in progress, so that there is no other write to combine with. */
  isAlone(): boolean
  /** Called once when the system has accepted all of the answer, or never will. */
  onWritten(): void
}

/** Writes one answer: call `whole`, or `open` and then write events until `end`. */
export class AnswerWriter implements EventSink, AnswerHeaders {
  /** The answer's headers so far. */
  readonly headers: Record<string, string> = {}
  readonly #socket: Socket
  readonly #options: WriterOptions
  /** Output of a stream to send at the end of this event-loop iteration. */
  #unsent = ''
  /** Whether `#unsent` is ASCII. It is known from each part, so that the whole is not read again. */
  #isAscii = true
  #isWaiting = false
  #isEnded = false
  #isComplete = false

  constructor(socket: Socket, options: WriterOptions) {
    this.#socket = socket
    this.#options = options
  }

  set(name: string, value: string): void {
    this.headers[name] = value
  }

  remove(name: string): void {
    delete this.headers[name]
  }

  /** @param body  JSON. @throws TypeError for an invalid header */
  whole(status: number, body: string): void {
    this.#isAscii = true
    const length = this.#lengthOf(body)
    this.headers['content-type'] = 'application/json; charset=utf-8'
    this.headers['content-length'] = String(length)
    const text = `${this.#head(status)}\r\n${body}`
    if (this.#options.isAlone()) this.#writeLast(text)
    else batchWrite(() => this.#writeLast(text))
  }

  /** @throws TypeError for an invalid header */
  open(headers: Readonly<Record<string, string>>): void {
    Object.assign(this.headers, headers, { 'transfer-encoding': 'chunked' })
    this.#unsent = `${this.#head(200)}\r\n`
  }

  write(text: string): boolean {
    this.#send(this.#chunkOf(text))
    return !this.#socket.writableNeedDrain
  }

  end(text: string): void {
    this.#isEnded = true
    this.#send(`${this.#chunkOf(text)}0\r\n\r\n`)
  }

  destroy(): void {
    this.#socket.destroy()
  }

  /** Whether the socket has the whole answer; the client may still be reading it. */
  get isComplete(): boolean {
    return this.#isComplete
  }

  get destroyed(): boolean {
    return this.#socket.destroyed
  }

  get writableLength(): number {
    return this.#socket.writableLength + this.#unsent.length
  }

  get writableNeedDrain(): boolean {
    return this.#socket.writableNeedDrain
  }

  on(event: 'drain' | 'close', listener: () => void): void {
    this.#socket.on(event, listener)
  }

  off(event: 'drain' | 'close', listener: () => void): void {
    this.#socket.off(event, listener)
  }

  #send(text: string): void {
    const isWaiting = this.#isWaiting
    this.#unsent += text
    if (isWaiting) return
    if (this.#options.isAlone()) return this.#flush()
    this.#isWaiting = true
    batchWrite(() => this.#flush())
  }

  #flush(): void {
    const text = this.#unsent
    this.#unsent = ''
    this.#isWaiting = false
    if (this.#isEnded) this.#writeLast(text)
    else this.#socket.write(text, this.#takeEncoding())
  }

  /** ASCII is the same bytes in both; as latin1 they are copied, not encoded. */
  #takeEncoding(): 'latin1' | 'utf8' {
    const encoding = this.#isAscii ? 'latin1' : 'utf8'
    this.#isAscii = true
    return encoding
  }

  #lengthOf(text: string): number {
    const length = Buffer.byteLength(text)
    if (length !== text.length) this.#isAscii = false
    return length
  }

  /** A chunk with the text; none for an empty text, which would end the body. */
  #chunkOf(text: string): string {
    return text === '' ? '' : `${this.#lengthOf(text).toString(16)}\r\n${text}\r\n`
  }

  #writeLast(text: string): void {
    const { onWritten } = this.#options
    const encoding = this.#takeEncoding()
    this.#isComplete = true
    if (this.headers['connection'] === 'close') this.#socket.end(text, encoding, onWritten)
    else this.#socket.write(text, encoding, onWritten)
  }

  #head(status: number): string {
    let head = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n`
    let values = ''
    for (const name in this.headers) {
      const value = this.headers[name] ?? ''
      head += `${name}: ${value}\r\n`
      values += value
    }
    if (unusual.test(values)) {
      refuseUnfit(this.headers)
      this.#isAscii = false
    }
    head += `date: ${httpDate(this.#options.now())}\r\n`
    if (this.headers['connection'] === 'close') return head
    const seconds = Math.floor(this.#options.keepAliveMs / 1000)
    return `${head}connection: keep-alive\r\nkeep-alive: timeout=${seconds}, max=${maxRequestsPerSocket}\r\n`
  }
}

function refuseUnfit(headers: Readonly<Record<string, string>>): void {
  for (const name in headers) {
    if (unfit.test(headers[name] ?? '')) throw new TypeError(`invalid value of the header ${name}`)
  }
}

let writtenSecond = -1
let writtenDate = ''

/** Formatted at most once per second. */
function httpDate(nowMs: number): string {
  const second = Math.floor(nowMs / 1000)
  if (second !== writtenSecond) {
    writtenSecond = second
    writtenDate = new Date(nowMs).toUTCString()
  }
  return writtenDate
}
