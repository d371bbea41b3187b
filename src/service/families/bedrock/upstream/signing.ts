/**
 * Signs requests with AWS Signature Version 4. This file is loaded at the first signature, because AWS's
 * packages take 30 ms to load.
 */
import { createHash, createHmac, type Hash, type Hmac } from 'node:crypto'
import { SignatureV4 } from '@smithy/signature-v4'
import type { RequestHeaders } from '../../../providers/wire.ts'
import type { AwsKeys } from './credentials.ts'

/** AWS's name for Bedrock in a signature, for both its runtime and its control host. */
const service = 'bedrock'

export interface UnsignedRequest {
  method: 'GET' | 'POST'
  /** Address with the path as sent, so with `%3A` for a colon in a model's name. */
  url: URL
  headers: RequestHeaders
  body: string | null
}

export interface Signer {
  keys: AwsKeys
  region: string
  date: Date
}

/** @returns the request's headers with the signature, its date and the session token */
export async function signedHeaders(
  { method, url, headers, body }: UnsignedRequest,
  { keys, region, date }: Signer,
): Promise<RequestHeaders> {
  const signature = new SignatureV4({ credentials: keys, region, service, sha256: Sha256 })
  const request = {
    method,
    protocol: url.protocol,
    hostname: url.hostname,
    path: url.pathname,
    query: Object.fromEntries(url.searchParams),
    headers: { ...headers, host: url.host },
    body: body ?? undefined,
  }
  const { headers: signed } = await signature.sign(request, { signingDate: date })
  // The connection sends its own host header, with the same value.
  const { host: _host, ...others } = signed
  return others
}

/** Node's SHA-256 and HMAC in the form that AWS's package takes. */
class Sha256 {
  readonly #secret: HashInput | undefined
  #hash: Hash | Hmac

  constructor(secret?: HashInput) {
    this.#secret = secret
    this.#hash = start(secret)
  }

  update(data: HashInput): void {
    this.#hash.update(bytesOf(data))
  }

  async digest(): Promise<Uint8Array> {
    return this.#hash.digest()
  }

  reset(): void {
    this.#hash = start(this.#secret)
  }
}

type HashInput = string | ArrayBuffer | ArrayBufferView

function start(secret: HashInput | undefined): Hash | Hmac {
  return secret === undefined ? createHash('sha256') : createHmac('sha256', bytesOf(secret))
}

function bytesOf(data: HashInput): Buffer {
  if (typeof data === 'string') return Buffer.from(data)
  if (data instanceof ArrayBuffer) return Buffer.from(data)
  return Buffer.from(data.buffer, data.byteOffset, data.byteLength)
}
