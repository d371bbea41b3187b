/** Answers on a real socket, without TLS because it makes no difference here. */
import { setImmediate as nextIteration } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { openSocketPair } from '../../../../test/http/socket-pair.ts'
import { AnswerWriter } from './answer-writer.ts'

async function open() {
  const { client, socket } = await openSocketPair()
  const came = { text: '' }
  client.on('data', (bytes: Buffer) => {
    came.text += bytes.toString()
  })
  const write = vi.spyOn(socket, 'write')
  const writes = () => write.mock.calls.map(([text]) => String(text))
  const alone = { is: false }
  const onWritten = vi.fn<() => void>()
  const writer = new AnswerWriter(socket, {
    keepAliveMs: 72_000,
    now: () => 0,
    isAlone: () => alone.is,
    onWritten,
  })
  return { writer, socket, client, came, writes, alone, onWritten }
}

const body = (text: string): string => text.slice(text.indexOf('\r\n\r\n') + 4)

test('a whole answer is one write, sent at once without other requests', async () => {
  const { writer, writes, came, alone, onWritten } = await open()
  alone.is = true
  writer.headers['x-a'] = 'b'

  writer.whole(200, '{"text":"Grüße"}')

  expect([writes().length, writer.isComplete]).toEqual([1, true])
  await expect.poll(() => onWritten).toHaveBeenCalledOnce()
  await expect
    .poll(() => came.text)
    .toBe(
      [
        'HTTP/1.1 200 OK',
        'x-a: b',
        'content-type: application/json; charset=utf-8',
        'content-length: 18',
        'date: Thu, 01 Jan 1970 00:00:00 GMT',
        'connection: keep-alive',
        'keep-alive: timeout=72, max=10000',
        '',
        '{"text":"Grüße"}',
      ].join('\r\n'),
    )
})

test('with other requests an answer is written at the end of the loop iteration', async () => {
  const { writer, writes } = await open()

  writer.whole(200, '{}')

  expect([writes().length, writer.isComplete]).toEqual([0, false])
  await nextIteration()
  expect([writes().length, writer.isComplete]).toEqual([1, true])
})

test('with other requests, all output of one loop iteration is one write, head and end included', async () => {
  const { writer, writes, came, onWritten } = await open()

  writer.open({})
  writer.write('one')
  writer.write('zwölf')
  writer.end('')
  await nextIteration()

  expect(writes()).toHaveLength(1)
  await expect.poll(() => onWritten).toHaveBeenCalledOnce()
  await expect.poll(() => body(came.text)).toBe('3\r\none\r\n6\r\nzwölf\r\n0\r\n\r\n')
})

test('bytes keep their order across immediate and deferred writes', async () => {
  const { writer, alone, came } = await open()

  writer.open({})
  alone.is = true
  writer.write('a')
  alone.is = false
  writer.write('b')
  alone.is = true
  // Still behind the deferred write.
  writer.write('c')
  await nextIteration()
  writer.write('d')
  alone.is = false
  writer.end('e')

  await expect
    .poll(() => body(came.text))
    .toBe(`${['a', 'b', 'c', 'd', 'e'].map((text) => `1\r\n${text}\r\n`).join('')}0\r\n\r\n`)
})

test('backpressure is reported, also for output that waits for the end of the loop iteration', async () => {
  const { writer, client, alone } = await open()
  const drained = vi.fn<() => void>()
  client.pause()
  writer.open({})
  writer.write('late')
  expect(writer.writableLength).toBeGreaterThan('late'.length)
  await nextIteration()
  alone.is = true

  let isTaken = true
  while (isTaken) isTaken = writer.write('x'.repeat(1_000_000))
  writer.on('drain', drained)

  expect(writer.writableNeedDrain).toBe(true)
  expect(writer.writableLength).toBeGreaterThan(0)
  client.resume()
  await expect.poll(() => drained).toHaveBeenCalled()
  expect(writer.writableNeedDrain).toBe(false)
})

test('output after a disconnect is discarded without an error', async () => {
  const { writer, socket, onWritten } = await open()
  const failed = vi.fn<() => void>()
  socket.on('error', failed)

  writer.open({})
  writer.write('a')
  writer.destroy()
  writer.end('b')
  await nextIteration()
  await nextIteration()

  expect(writer.destroyed).toBe(true)
  expect(onWritten).toHaveBeenCalledOnce()
  expect(failed).not.toHaveBeenCalled()
})

test('an invalid header is an error before any output', async () => {
  const { writer, writes } = await open()
  writer.headers['x-a'] = 'b\r\nset-cookie: c'

  expect(() => writer.whole(200, '{}')).toThrow(TypeError)
  expect(() => writer.open({})).toThrow(TypeError)
  await nextIteration()
  expect(writes()).toEqual([])
})

test('an answer that closes its connection announces it and closes it', async () => {
  const { writer, client, came } = await open()
  const ended = vi.fn<() => void>()
  client.on('end', ended)
  writer.headers['connection'] = 'close'

  writer.whole(503, '{}')

  await expect.poll(() => ended).toHaveBeenCalled()
  expect(came.text).toContain('connection: close\r\n')
  expect(came.text).not.toContain('keep-alive')
})
