/**
 * AWS's Signature Version 4, computed from the request that arrived. It is written from AWS's description and
 * shares no code with the signer, so that a mistake in one shows in the other.
 * @see https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html
 */
import { createHash, createHmac } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

export interface SignedRequest {
  method: string
  /** Path as sent, with the query. */
  path: string
  headers: IncomingHttpHeaders
  text: string
}

const authorization =
  /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([a-z0-9-]+)\/bedrock\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/

/** @param secrets  the secret of each access key id. @returns what AWS would refuse */
export function signatureProblems(
  request: SignedRequest,
  secrets: Readonly<Record<string, string>>,
): string[] {
  const match = authorization.exec(request.headers.authorization ?? '')
  if (match === null) return ['the authorization header has another form']
  const [, keyId = '', day = '', region = '', names = '', signature = ''] = match
  const secret = secrets[keyId]
  const time = headerOf(request.headers, 'x-amz-date')
  if (secret === undefined) return ['UnrecognizedClientException: the access key is unknown']
  if (!/^\d{8}T\d{6}Z$/.test(time) || !time.startsWith(day)) return ['the date is not signed']
  const scope = `${day}/${region}/bedrock/aws4_request`
  const canonical = canonicalRequest(request, names)
  const text = ['AWS4-HMAC-SHA256', time, scope, sha256(canonical)].join('\n')
  const expected = hmac(signingKey(secret, { day, region }), text).toString('hex')
  const problems = requiredNames(request).filter((name) => !names.split(';').includes(name))
  return [
    ...problems.map((name) => `the header ${name} is not signed`),
    ...(expected === signature ? [] : ['InvalidSignatureException: the signature does not match']),
  ]
}

/** The headers that AWS wants in a signature. */
function requiredNames({ headers }: SignedRequest): string[] {
  return ['host', ...Object.keys(headers).filter((name) => name.startsWith('x-amz-'))]
}

function canonicalRequest({ method, path, headers, text }: SignedRequest, names: string): string {
  const [bare = '', query = ''] = path.split('?')
  const lines = names.split(';').map((name) => `${name}:${headerOf(headers, name)}\n`)
  return [method, encodedTwice(bare), sortedQuery(query), lines.join(''), names, sha256(text)].join(
    '\n',
  )
}

/** The path was encoded once when it was sent, and is encoded again for the signature. */
function encodedTwice(path: string): string {
  return path.split('/').map(encoded).join('/')
}

function encoded(text: string): string {
  return encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

function sortedQuery(query: string): string {
  return [...new URLSearchParams(query)]
    .map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
    .toSorted()
    .join('&')
}

function headerOf(headers: IncomingHttpHeaders, name: string): string {
  return String(headers[name] ?? '')
    .trim()
    .replaceAll(/ +/g, ' ')
}

function signingKey(secret: string, { day, region }: { day: string; region: string }): Buffer {
  return [day, region, 'bedrock', 'aws4_request'].reduce(
    (key: Buffer, text) => hmac(key, text),
    Buffer.from(`AWS4${secret}`),
  )
}

function hmac(key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest()
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
