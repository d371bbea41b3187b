/** Writes a stream's events to the response of a Fastify reply, bypassing Fastify. */
import type { OutgoingHttpHeaders } from 'node:http'
import type { FastifyReply } from 'fastify'
import type { EventSink } from './sse.ts'

export function replySink(reply: FastifyReply): EventSink {
  const { raw } = reply
  return {
    open(headers) {
      // Hijack only now: Fastify answers with an error when a header is invalid.
      raw.writeHead(200, { ...headers, ...headersOf(reply) })
      reply.hijack()
    },
    write: (text) => raw.write(text),
    end: (text) => void raw.end(text),
    destroy: () => void raw.destroy(),
    on: (event, listener) => raw.on(event, listener),
    off: (event, listener) => raw.off(event, listener),
    get destroyed() {
      return raw.destroyed
    },
    get writableLength() {
      return raw.writableLength
    },
    get writableNeedDrain() {
      return raw.writableNeedDrain
    },
  }
}

/** The headers set on the reply, because a hijacked reply does not write them. */
export function headersOf(reply: FastifyReply): OutgoingHttpHeaders {
  // Fastify's type lists every known header, with `undefined` for those that are not set.
  return reply.getHeaders() as OutgoingHttpHeaders
}
