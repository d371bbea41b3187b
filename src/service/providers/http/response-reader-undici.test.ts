/**
 * Modelport's response reader compared with undici, whose parser is Node's: answers that are broken in many ways,
 * with a fixed seed. undici accepts every answer that the reader accepts, with the same result. The reader may refuse
 * more.
 */
import { Agent, request } from 'undici'
import { expect, onTestFinished, test } from 'vitest'
import { ask, poolOf } from '../../../../test/providers/pooled-request.ts'
import { startRawUpstream } from '../../../../test/providers/raw-upstream.ts'

const wellFormed = [
  'HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n' +
    '5;a=b\r\nhello\r\nA\r\n, world...\r\n0\r\nX-Sum: 1\r\n\r\n',
  'HTTP/1.1 200 OK\r\nContent-Length: 11\r\nConnection: keep-alive\r\nX-A: b\r\n\r\nhello world',
  'HTTP/1.1 429 Too Many Requests\r\nretry-after: 1\r\ncontent-length: 2\r\n\r\n{}',
  'HTTP/1.0 200 OK\r\nConnection: close\r\nContent-Type: text/plain\r\n\r\nuntil the end',
  'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 3\r\n\r\nabc',
  'HTTP/1.1 204 No Content\r\nx: y\r\n\r\n',
]

/** Mulberry32: the same values from 0 to 1 in every run. */
function chance(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const telling = [
  '\r',
  '\n',
  '\r\n',
  '\0',
  ' ',
  '\t',
  ':',
  ';',
  ',',
  '0',
  '1',
  'f',
  '-',
  '\x7f',
  '\xe9',
]
const lines = [
  'content-length: 3\r\n',
  'content-length: 11\r\n',
  'transfer-encoding: chunked\r\n',
  'transfer-encoding: gzip, chunked\r\n',
  'connection: close\r\n',
  ' folded\r\n',
  'HTTP/1.1 200 OK\r\n',
]

function mutated(text: string, random: () => number): string {
  const below = (limit: number) => Math.floor(random() * limit)
  const at = below(text.length)
  const line = text.indexOf('\r\n', at) + 2
  const ways = [
    () => text.slice(0, at) + text.slice(at + 1),
    () => text.slice(0, at) + (telling[below(telling.length)] ?? '') + text.slice(at),
    () => text.slice(0, at) + (telling[below(telling.length)] ?? '') + text.slice(at + 1),
    () => text.slice(0, line) + (lines[below(lines.length)] ?? '') + text.slice(line),
    () => text.slice(0, at) + text.slice(at, at + 12) + text.slice(at),
    () => text.slice(0, at),
  ]
  return ways[below(ways.length)]?.() ?? text
}

function mutations(count: number): string[] {
  const random = chance(20_261_121)
  return Array.from({ length: count }, (_value, index) => {
    const once = mutated(wellFormed[index % wellFormed.length] ?? '', random)
    return random() < 0.5 ? once : mutated(once, random)
  })
}

/**
 * Answers where undici deviates from the standard. It misses a length on a status without a body (RFC 9112, 6.3), takes
 * a length in a trailer for that of the answer, and takes `close` before the answer itself for its end.
 */
const knownRefusals = [
  /^HTTP\/1\.1 204[^]*\r\ncontent-length:/i,
  /\r\n\r\n[^]*\r\n(?:content-length|transfer-encoding):[^]*\r\n\r\n/i,
  /^HTTP\/1\.1 1\d\d[^]*connection: close[^]*\r\n\r\n/i,
]

test('every answer the reader accepts is the same in undici', async () => {
  const answers = [...wellFormed, ...mutations(900)]
  const upstream = await startRawUpstream(({ socket, text }) => {
    const position = Number(/^GET \/(\d+) /.exec(text)?.[1])
    socket.end(answers[position] ?? '', 'latin1')
  })
  const pool = poolOf(upstream)
  const dispatcher = new Agent({ connections: 8 })
  onTestFinished(() => dispatcher.destroy())
  const byUndici = async (path: string) => {
    try {
      const { statusCode, body } = await request(upstream.origin + path, { dispatcher })
      return `${statusCode} ${await body.text()}`
    } catch {
      return 'error'
    }
  }
  const taken: { answer: string; ours: string; undicis: string }[] = []
  let refusedByBoth = 0
  for (const [position, answer] of answers.entries()) {
    const path = `/${position}`
    const ours = await ask(pool, { method: 'GET', path, body: null }).outcome
    const undicis = await byUndici(path)
    if (!ours.startsWith('error')) taken.push({ answer, ours, undicis })
    else if (undicis === 'error') refusedByBoth += 1
  }
  const different = taken.filter(({ answer, ours, undicis }) => {
    const isKnown = undicis === 'error' && knownRefusals.some((form) => form.test(answer))
    return ours !== undicis && !isKnown
  })

  expect(different).toEqual([])
  expect(taken.length).toBeGreaterThan(wellFormed.length + 200)
  expect(refusedByBoth).toBeGreaterThan(200)
})
