/**
 * Reads ordinary chat requests from bytes without a general HTTP parser. It accepts only the exact form that nearly all
 * tools send. Everything else is `unusual`, and Node's parser reads or refuses it. So this reader needs no leniency and
 * no HTTP errors of its own.
 */

export interface UsualRequest {
  /** Target as in the request line. */
  target: string
  routerId: string
  /** Headers by lower-case name; none is repeated. */
  headers: Readonly<Record<string, string>>
  /** UTF-8. */
  body: string
  /** The request's length in bytes. */
  byteLength: number
}

/** `incomplete`: the beginning of an ordinary request. */
export type RequestReading = UsualRequest | 'incomplete' | 'unusual'

/** Below every possible body limit. For larger bodies the model's time dominates, so the fast lane would not help. */
export const maxRequestBytes = 65_536
const maxHeadBytes = 16_384
/** Node also limits the number of headers, not only their bytes. */
const maxHeaders = 64

const start = 'POST /api/router/'
const requestLine = /^POST (\/api\/router\/([\w-]{1,100})(?:\/v1)?\/chat\/completions) HTTP\/1\.1$/
/**
 * A character or a line end that no usual head has. Without this, a head whose end is broken would wait for its time
 * limit here, and Node's parser refuses it at once.
 */
const brokenHead = /[^\x20-\x7e\r\n]|[^\r]\n|\r[^\n]/
const headerLine = /^([A-Za-z0-9-]+): ?([\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?)$/

/** Headers that request more than an answer to the body, or that conflict with `content-length`. */
const unusualHeaders: ReadonlySet<string> = new Set([
  'content-encoding',
  'expect',
  'idempotency-key',
  'origin',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'x-modelport-preview',
])

export function readRequest(bytes: Buffer): RequestReading {
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
  if (bytes.length > maxHeadBytes) return false
  const text = bytes.toString('latin1')
  if (!text.startsWith(start)) return start.startsWith(text)
  // The last line is not complete yet.
  const [firstLine = '', ...lines] = text.split('\r\n').slice(0, -1)
  if (firstLine !== '' && !requestLine.test(firstLine)) return false
  return lines.every((line) => headerLine.test(line)) && !brokenHead.test(text)
}

/** @returns null when a header is unusual */
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
