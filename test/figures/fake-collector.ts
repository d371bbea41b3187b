/** A real HTTP server that takes OTLP messages, as an OpenTelemetry collector does. */
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'
import type { Attribute, Metric, Span } from '../../src/service/telemetry/otlp.ts'

interface CollectorMessage {
  path: string
  headers: IncomingHttpHeaders
  /** Text as received. */
  text: string
  spans: Span[]
  metrics: Metric[]
  resource: Attribute[]
}

interface Answer {
  status: number
  headers?: Record<string, string>
}

interface Resources {
  resourceSpans?: [{ resource: { attributes: Attribute[] }; scopeSpans: [{ spans: Span[] }] }]
  resourceMetrics?: [
    { resource: { attributes: Attribute[] }; scopeMetrics: [{ metrics: Metric[] }] },
  ]
}

/** @param answerTo  by the message's number from 1; null never answers */
export async function startFakeCollector(
  answerTo: (nth: number, path: string) => Answer | null = () => ({ status: 200 }),
) {
  const messages: CollectorMessage[] = []
  const server = createServer((request, response) => {
    const receive = async () => {
      const body = await json(request)
      // Checked by the tests: every field they read is expected to exist.
      const { resourceSpans, resourceMetrics } = body as Resources
      const [one] = resourceSpans ?? resourceMetrics ?? []
      const path = request.url ?? ''
      messages.push({
        path,
        headers: request.headers,
        text: JSON.stringify(body),
        spans: resourceSpans?.[0].scopeSpans[0].spans ?? [],
        metrics: resourceMetrics?.[0].scopeMetrics[0].metrics ?? [],
        resource: one?.resource.attributes ?? [],
      })
      const answer = answerTo(messages.length, path)
      if (answer !== null) response.writeHead(answer.status, answer.headers).end('{}')
    }
    void receive()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  const close = async () => {
    if (!server.listening) return
    const closed = new Promise((resolve) => server.close(resolve))
    server.closeAllConnections()
    await closed
  }
  onTestFinished(close)
  // Checked boundary: a listening TCP server has such an address.
  const { port } = server.address() as AddressInfo
  return { url: new URL(`http://127.0.0.1:${port}`), messages, close }
}

/** Attributes as plain values. */
export function valuesOf(attributes: readonly Attribute[]): Record<string, string | number> {
  return Object.fromEntries(
    attributes.map(({ key, value }) => [
      key,
      'stringValue' in value
        ? value.stringValue
        : 'intValue' in value
          ? Number(value.intValue)
          : value.doubleValue,
    ]),
  )
}
