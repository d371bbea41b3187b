/**
 * Every wire against answers that do not end: each is cut off, the next model answers, and the memory that they take
 * until then is measured.
 */
import type { Socket } from 'node:net'
import { isDeepStrictEqual } from 'node:util'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, test } from 'vitest'
import { StreamBroken } from '../../src/service/chat/attempts/attempts.ts'
import { askedStreamed, askedWhole, joined } from './ask-in-turn.ts'
import { answerOf, type WireHarness } from './harness.ts'
import { pour } from './http-faults.ts'
import { readingOf, readingOfMeaning, type StartedWire } from './read-answer.ts'
import type { GoodAnswer } from './wire-server.ts'

const mebibyte = 1 << 20
const maxGrowthBytes = 32 * mebibyte

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

const usedBytes = (): number => {
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}

/** Memory above that of its creation. Garbage that was not collected yet does not count. */
class Growth {
  readonly #base: number
  peakBytes = 0

  constructor() {
    collectGarbage()
    this.#base = usedBytes()
  }

  readonly measure = (): void => {
    if (usedBytes() - this.#base < maxGrowthBytes) return
    collectGarbage()
    this.peakBytes = Math.max(this.peakBytes, usedBytes() - this.#base)
  }
}

interface Endless {
  name: string
  /** Bytes between the headers and the repeated piece. */
  begin: (answer: GoodAnswer) => Buffer
  piece: (answer: GoodAnswer) => Buffer
  /** Mebibytes after which the server ends the body. The limit of a stream, 64 MiB, is tested with the readers. */
  mebibytes: number
  isChunked?: true
}

const nothing = () => Buffer.of()
const filler = Buffer.alloc(65_536, 'x')
const oneByteChunks = Buffer.from('1\r\nx\r\n'.repeat(10_000))
const data = Buffer.from('data: ')

const streams: readonly Endless[] = [
  {
    name: 'an event that never ends',
    begin: ({ beginning }) => Buffer.concat([beginning, data]),
    piece: () => filler,
    mebibytes: 20,
  },
  {
    name: 'an event in chunks of one byte',
    begin: () => Buffer.concat([Buffer.from('6\r\n'), data, Buffer.from('\r\n')]),
    piece: () => oneByteChunks,
    mebibytes: 7,
    isChunked: true,
  },
  {
    name: 'its first event again and again',
    begin: nothing,
    piece: ({ beginning }) => Buffer.concat(Array.from({ length: 500 }, () => beginning)),
    mebibytes: 7,
  },
  { name: 'empty lines', begin: nothing, piece: () => Buffer.alloc(65_536, '\n'), mebibytes: 7 },
]
const bodies: readonly Endless[] = [
  {
    name: 'a body that never ends',
    begin: () => Buffer.from('{"x":"'),
    piece: () => filler,
    mebibytes: 20,
  },
  {
    name: 'a body in chunks of one byte',
    begin: nothing,
    piece: () => oneByteChunks,
    mebibytes: 7,
    isChunked: true,
  },
  {
    name: 'lists in lists',
    begin: nothing,
    piece: () => Buffer.alloc(65_536, '['),
    mebibytes: 1,
  },
]

export function describeEndlessAnswers(
  harness: WireHarness,
  [wire, second]: readonly [StartedWire, StartedWire],
): void {
  const ofFirst = answerOf({ texts: ['Of the ', 'first'] })
  const ofSecond = answerOf({ texts: ['Of the ', 'second'] })
  describe.each([
    ['a stream', askedStreamed, streams],
    ['a whole answer', askedWhole, bodies],
  ] as const)('%s', (_form, ask, endless) => {
    test.each(endless.map((each) => [each.name, each] as const))(
      'of %s takes at most 32 MiB',
      async (_name, { begin, piece, mebibytes, isChunked = false }) => {
        const growth = new Growth()
        const raw = (socket: Socket, answer: GoodAnswer) => {
          const framing = isChunked ? 'transfer-encoding: chunked\r\n' : ''
          socket.write(`HTTP/1.1 200 OK\r\ncontent-type: ${answer.contentType}\r\n${framing}\r\n`)
          socket.write(begin(answer))
          const poured = pour(socket, piece(answer), {
            bytes: mebibytes * mebibyte,
            onWritten: growth.measure,
          })
          void poured.then(() => socket.end(isChunked ? '0\r\n\r\n' : ''))
        }
        wire.server.script({ answer: ofFirst, raw })
        second.server.script({ answer: ofSecond })

        const asked = await ask([wire, second])

        expect(growth.peakBytes).toBeLessThan(maxGrowthBytes)
        expect(asked.failures).toMatchObject([{ kind: 'invalid_response' }])
        const isNext = () =>
          isDeepStrictEqual(readingOf(joined(asked.chunks)), readingOfMeaning(ofSecond, harness))
        // The first event of some wires has content, after which the model stays.
        const isRight = asked.models.has('p:0') ? asked.error instanceof StreamBroken : isNext()
        expect(isRight).toBe(true)
        expect(asked.models.size).toBe(1)
      },
    )
  })
}
