/**
 * The load of streamed answers: each connection sends a request, reads the stream to its end, and repeats. For every
 * piece it checks the number and the arrival time.
 */
import type { Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { bodyOf, cpuUs, open, requestBytes, saysClose, type Exchange, type Target } from './load.ts'
import { planWords, sharedNowMs, type Plan } from './plan.ts'
import { words } from './servers/upstream-answers.ts'

export interface StreamLoad {
  /** Milliseconds from sending a request to the first byte of its stream; for timed streams. */
  firstByteMs: number[]
  /** Milliseconds between the arrival of two pieces of a timed stream. */
  gapsMs: number[]
  /** Milliseconds from sending a piece of a timed stream at the upstream to its arrival here. */
  transitMs: number[]
  streams: number
  streamsPerSecond: number
  /** Pieces that arrived in order. */
  pieces: number
  /** Pieces that are missing or out of order. */
  lostPieces: number
  /** Processor time of the server's process; null if the system does not report it. */
  cpuUsPerStream: number | null
}

interface StreamLoadOptions {
  connections: number
  /** No stream starts after it; 0 reads one stream on each connection. */
  durationMs: number
  plan: Omit<Plan, 'tag'>
}

/** @throws Error when an answer is not a stream, or does not end properly */
export async function streamWith(target: Target, options: StreamLoadOptions): Promise<StreamLoad> {
  const { connections, durationMs, plan } = options
  const request = requestBytes(target, bodyOf(target, streamedFields({ ...plan, tag: null })))
  const connect = async () =>
    newStreamExchange({ socket: await open(target), request, plan, load, form: formOf(target) })
  const load = { firstByteMs: [], gapsMs: [], transitMs: [], streams: 0, pieces: 0, lostPieces: 0 }
  const exchanges = await Promise.all(Array.from({ length: connections }, connect))
  const cpuBefore = cpuUs(target.pid)
  const startedAt = performance.now()
  await Promise.all(
    exchanges.map(async (first, index) => {
      let exchange = first
      // Started one after the other, as by real callers. Started together, they would all wait for each other.
      await pause((plan.everyMs * index) / connections)
      do {
        if (exchange.isOver()) exchange = await connect()
        await exchange.ask()
      } while (performance.now() - startedAt < durationMs)
      exchange.end()
    }),
  )
  const seconds = (performance.now() - startedAt) / 1000
  const cpuAfter = cpuUs(target.pid)
  return {
    ...load,
    streamsPerSecond: load.streams / seconds,
    cpuUsPerStream:
      cpuBefore === null || cpuAfter === null ? null : (cpuAfter - cpuBefore) / load.streams,
  }
}

/** A chat request for a streamed answer. */
export function streamedBody(plan: Plan): string {
  return JSON.stringify(streamedFields(plan))
}

function streamedFields(plan: Plan): object {
  const messages = [
    { role: 'system', content: 'You answer in one sentence.' },
    { role: 'user', content: `How long is an answer of a usual length? ${planWords(plan)}` },
  ]
  return { model: 'auto', stream: true, messages }
}

/** Texts by which a stream in one form is read. */
interface StreamWords {
  /** Text before a piece's number. */
  piece: string
  finish: string
  done: string
}

const chatWords = {
  piece: '"content":"',
  finish: '"finish_reason":"stop"',
  done: 'data: [DONE]',
} as const satisfies StreamWords
const messagesWords = {
  piece: '"text":"',
  finish: '"stop_reason":"end_turn"',
  done: '"type":"message_stop"',
} as const satisfies StreamWords

function formOf({ form }: Target): StreamWords {
  return form === 'messages' ? messagesWords : chatWords
}

interface StreamExchange {
  socket: Socket
  form: StreamWords
  request: Buffer
  plan: Omit<Plan, 'tag'>
  /** The result to add to. */
  load: Pick<
    StreamLoad,
    'firstByteMs' | 'gapsMs' | 'transitMs' | 'streams' | 'pieces' | 'lostPieces'
  >
}

interface Reader {
  /** @returns whether this was the end */
  read(text: string): boolean
  readonly piecesInOrder: number
}

/** @returns an exchange that resolves once its stream was read to its end */
function newStreamExchange({ socket, request, plan, load, form }: StreamExchange): Exchange<void> {
  let settle: { resolve(): void; reject(error: Error): void } | null = null
  let reader: Reader | null = null
  let isOver = false
  socket.setEncoding('latin1').on('data', (text: string) => {
    if (!reader) return
    if (text.startsWith('HTTP/1.1 ')) isOver = saysClose(text)
    try {
      if (!reader.read(text)) return
    } catch (error) {
      settle?.reject(error instanceof Error ? error : new Error(String(error)))
      return
    }
    load.streams += 1
    load.pieces += reader.piecesInOrder
    load.lostPieces += plan.pieces - reader.piecesInOrder
    settle?.resolve()
  })
  socket.on('close', () => settle?.reject(new Error('the server closed the connection')))
  socket.on('error', (error: Error) => settle?.reject(error))
  return {
    ask: () =>
      new Promise((resolve, reject) => {
        // An idle connection that the server closed says nothing any more.
        if (socket.destroyed) return reject(new Error('the server closed the idle connection'))
        settle = { resolve, reject }
        reader =
          plan.everyMs === 0 ? new RushReader(load, form, plan.pieces) : new TimedReader(load, form)
        socket.write(request)
      }),
    isOver: () => isOver,
    end: () => void socket.destroy(),
  }
}

const marks = Array.from({ length: 1_000 }, (_, number) => `${number}${words}`)
const lastChunk = '\r\n0\r\n\r\n'

/**
 * Reads an answer that is sent at once, and checks it when it is complete. Parsing it on arrival would use the core
 * that the server needs.
 */
class RushReader implements Reader {
  piecesInOrder = 0
  readonly #load: StreamExchange['load']
  readonly #form: StreamWords
  readonly #pieces: number
  #text = ''

  constructor(load: StreamExchange['load'], form: StreamWords, pieces: number) {
    this.#load = load
    this.#form = form
    this.#pieces = pieces
  }

  read(text: string): boolean {
    this.#text += text
    const tail = text.length < lastChunk.length ? this.#text : text
    if (!tail.endsWith(lastChunk)) return false
    this.piecesInOrder = this.#countPieces()
    return true
  }

  #countPieces(): number {
    const text = this.#text
    let position = text.startsWith('HTTP/1.1 200') ? 0 : -1
    for (let piece = 0; piece < this.#pieces && position !== -1; piece += 1) {
      position = text.indexOf(this.#form.piece + marks[piece], position)
    }
    const { finish, done } = this.#form
    const isWhole = position !== -1 && text.includes(finish, position)
    if (isWhole && text.includes(done, position)) return this.#pieces
    // A piece is missing, or an HTTP chunk starts inside its mark.
    const reader = new TimedReader(
      { ...this.#load, firstByteMs: [], gapsMs: [], transitMs: [] },
      this.#form,
    )
    reader.read(text)
    return reader.piecesInOrder
  }
}

const sentAtMark = ' sent at '

/** Parses an answer as its bytes arrive: HTTP's chunks, the events in them, and the pieces in those. */
class TimedReader implements Reader {
  piecesInOrder = 0
  readonly #load: StreamExchange['load']
  readonly #form: StreamWords
  readonly #askedAtMs = sharedNowMs()
  #lastPieceAtMs = 0
  #hasHead = false
  /** Bytes of an incomplete head or chunk. */
  #raw = ''
  /** Text of an incomplete event. */
  #events = ''
  #isFinished = false
  #isDone = false

  constructor(load: StreamExchange['load'], form: StreamWords) {
    this.#load = load
    this.#form = form
  }

  read(text: string): boolean {
    this.#raw += text
    if (!this.#hasHead && !this.#readHead()) return false
    const isEnd = this.#readChunks()
    this.#readEvents()
    if (isEnd && !(this.#isFinished && this.#isDone)) {
      const end = text.slice(-500)
      throw new Error(`the stream ended without its finish reason and its last event: ${end}`)
    }
    return isEnd
  }

  #readHead(): boolean {
    const end = this.#raw.indexOf('\r\n\r\n')
    if (end === -1) return false
    if (!/^HTTP\/1\.1 200 [^]*transfer-encoding: chunked/i.test(this.#raw.slice(0, end))) {
      throw new Error(`not the stream meant: ${this.#raw.slice(0, 500)}`)
    }
    this.#raw = this.#raw.slice(end + 4)
    this.#hasHead = true
    return true
  }

  #readChunks(): boolean {
    let position = 0
    for (;;) {
      const lineEnd = this.#raw.indexOf('\r\n', position)
      const size = lineEnd === -1 ? NaN : parseInt(this.#raw.slice(position, lineEnd), 16)
      const end = lineEnd + 2 + size
      if (!(end + 2 <= this.#raw.length)) break
      if (size === 0) return true
      this.#events += this.#raw.slice(lineEnd + 2, end)
      position = end + 2
    }
    this.#raw = this.#raw.slice(position)
    return false
  }

  #readEvents(): void {
    const nowMs = sharedNowMs()
    let position = 0
    for (;;) {
      const end = this.#events.indexOf('\n\n', position)
      if (end === -1) break
      this.#readEvent(this.#events.slice(position, end), nowMs)
      position = end + 2
    }
    this.#events = this.#events.slice(position)
  }

  #readEvent(event: string, nowMs: number): void {
    if (event.startsWith(':')) return
    if (this.#lastPieceAtMs === 0) {
      this.#load.firstByteMs.push(nowMs - this.#askedAtMs)
      this.#lastPieceAtMs = nowMs
    }
    const { piece, finish, done } = this.#form
    if (event.includes(done)) this.#isDone = true
    if (event.includes(finish)) this.#isFinished = true
    const sentAt = event.indexOf(sentAtMark)
    if (sentAt === -1) return
    if (event.includes(`${piece}${this.piecesInOrder}${words}`)) this.piecesInOrder += 1
    const sentAtMs = parseFloat(event.slice(sentAt + sentAtMark.length))
    this.#load.transitMs.push(nowMs - sentAtMs)
    if (this.piecesInOrder > 1) this.#load.gapsMs.push(nowMs - this.#lastPieceAtMs)
    this.#lastPieceAtMs = nowMs
  }
}
