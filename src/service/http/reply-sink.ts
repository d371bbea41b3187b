/** The framework's reply as a place for a stream's events, past the framework. */
import type { OutgoingHttpHeaders } from 'node:http'
import type { FastifyReply } from 'fastify'
import type { EventSink } from './sse.ts'

export function replySink(reply: FastifyReply): EventSink {
  const { raw } = reply
  return {
    open(headers) {
      // Taken from the framework only then: a header that cannot be written is its error to answer.
      raw.writeHead(200, { ...headersOf(reply), ...headers })
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

/** A hijacked reply no longer writes the headers that were set on it. */
export function headersOf(reply: FastifyReply): OutgoingHttpHeaders {
  // The framework's type names every header there is, with `undefined` for those that are not set.
  return reply.getHeaders() as OutgoingHttpHeaders
}
