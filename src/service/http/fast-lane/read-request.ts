/**
 * The usual chat request, read from bytes without a general HTTP parser. It takes only what nearly all
 * tools send, written exactly so; whatever is otherwise in any way is `unusual`, and for the parser of
 * Node to read or to refuse. So nothing here has to be lenient, and no error of HTTP is worded here.
 */

export interface UsualRequest {
  /** As in the request line. */
  target: string
  routerId: string
  /** By their names in lower case; none came twice. */
  headers: Readonly<Record<string, string>>
  /** UTF-8. */
  body: string
  /** How many of the bytes it is. */
  byteLength: number
}

/** `incomplete`: usual as far as it goes. */
export type Reading = UsualRequest | 'incomplete' | 'unusual'

/** Below any limit a body can be given. Larger ones lose nothing by the general way: their time is the model's. */
export const maxRequestBytes = 65_536
const maxHeadBytes = 16_384
/** Node refuses a head with very many headers before its bytes are too many. */
const maxHeaders = 64

const start = 'POST /api/router/'
const requestLine = /^POST (\/api\/router\/([\w-]{1,100})(?:\/v1)?\/chat\/completions) HTTP\/1\.1$/
const headerLine = /^([A-Za-z0-9-]+): ?([\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?)$/

/** Headers by which a request asks for more than an answer to its body, or that are not to be believed together. */
const unusualHeaders: ReadonlySet<string> = new Set([
  'content-encoding',
  'expect',
  'idempotency-key',
  'origin',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

export function readRequest(bytes: Buffer): Reading {
  const headLength = bytes.indexOf('\r\n\r\n')
  if (headLength === -1) return mayBecomeUsual(bytes) ? 'incomplete' : 'unusual'
  if (headLength > maxHeadBytes) return 'unusual'
  const [firstLine = '', ...lines] = bytes.toString('latin1', 0, headLength).split('\r\n')
  const [, target, routerId] = requestLine.exec(firstLine) ?? []
  if (target === undefined || routerId === undefined || lines.length > maxHeaders) return 'unusual'
  const headers = readHeaders(lines)
  if (headers === null) return 'unusual'
  const bodyLength = lengthOf(headers)
  const bodyStart = headLength + 4
  if (bodyLength === null || bodyStart + bodyLength > maxRequestBytes) return 'unusual'
  const byteLength = bodyStart + bodyLength
  if (bytes.length < byteLength) return 'incomplete'
  const body = bytes.toString('utf8', bodyStart, byteLength)
  return { target, routerId, headers, body, byteLength }
}

function mayBecomeUsual(bytes: Buffer): boolean {
  const known = Math.min(bytes.length, start.length)
  return (
    bytes.length <= maxHeadBytes && bytes.toString('latin1', 0, known) === start.slice(0, known)
  )
}

/** Null where one of them is unusual. */
function readHeaders(lines: readonly string[]): Record<string, string> | null {
  const headers: Record<string, string> = {}
  for (const line of lines) {
    const [, written = '', value = ''] = headerLine.exec(line) ?? []
    const name = written.toLowerCase()
    if (name === '' || name in headers || unusualHeaders.has(name)) return null
    headers[name] = value
  }
  return isKeptAlive(headers) && isJson(headers) ? headers : null
}

function isKeptAlive({ connection }: Record<string, string>): boolean {
  return connection === undefined || connection.toLowerCase() === 'keep-alive'
}

function isJson({ 'content-type': type = '' }: Record<string, string>): boolean {
  return type === 'application/json' || /^application\/json; ?charset=utf-8$/i.test(type)
}

function lengthOf({ 'content-length': length = '' }: Record<string, string>): number | null {
  return /^\d{1,5}$/.test(length) ? Number(length) : null
}
