/** The key of a Google service account, as the file that Google's console gives out. */
import { createPrivateKey, createSign, type KeyObject } from 'node:crypto'
import { z } from 'zod'
import { ProviderError } from '../../../providers/provider.ts'
import { parseJsonOrNull } from '../../../json-fields.ts'

export interface ServiceAccount {
  email: string
  keyId: string | null
  privateKey: KeyObject
  /** Address that issues tokens. */
  tokenUrl: URL
}

const scope = 'https://www.googleapis.com/auth/cloud-platform'
/** The longest that Google accepts. */
const lifetimeSeconds = 3600

const fileSchema = z.object({
  type: z.literal('service_account'),
  client_email: z.string().min(1),
  private_key: z.string().min(1),
  private_key_id: z.string().optional(),
  token_uri: z.url({ protocol: /^https?$/ }).default('https://oauth2.googleapis.com/token'),
})

/** @param key  the text of the file. @throws ProviderError auth */
export function readServiceAccount(key: string): ServiceAccount {
  const parsed = fileSchema.safeParse(parseJsonOrNull(key))
  if (!parsed.success) {
    throw new ProviderError('auth', 'the key is not the JSON file of a service account')
  }
  const { client_email, private_key, private_key_id, token_uri } = parsed.data
  const tokenUrl = new URL(token_uri)
  if (tokenUrl.protocol === 'http:' && !isLoopback(tokenUrl)) {
    throw new ProviderError('auth', 'the service account’s token_uri must be https')
  }
  return {
    email: client_email,
    keyId: private_key_id ?? null,
    privateKey: readPrivateKey(private_key),
    tokenUrl,
  }
}

/** A request for an access token, signed with RS256 (RFC 7523). */
export function signedAssertion(account: ServiceAccount, nowMs: number): string {
  const { email, keyId, privateKey, tokenUrl } = account
  const issuedAt = Math.floor(nowMs / 1000)
  const header = { alg: 'RS256', typ: 'JWT', ...(keyId === null ? {} : { kid: keyId }) }
  const claims = {
    iss: email,
    scope,
    aud: tokenUrl.href,
    iat: issuedAt,
    exp: issuedAt + lifetimeSeconds,
  }
  const text = `${encoded(header)}.${encoded(claims)}`
  const signature = createSign('RSA-SHA256').update(text).sign(privateKey, 'base64url')
  return `${text}.${signature}`
}

function encoded(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

function readPrivateKey(pem: string): KeyObject {
  try {
    const key = createPrivateKey(pem)
    if (key.asymmetricKeyType === 'rsa') return key
  } catch {
    // Told below, without the reader's error, which may quote the key.
  }
  throw new ProviderError('auth', 'the private key of the service account cannot be read')
}

function isLoopback({ hostname }: URL): boolean {
  return hostname === 'localhost' || hostname === '127.0.0.1' || hostname === '[::1]'
}
