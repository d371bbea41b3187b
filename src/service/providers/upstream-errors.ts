/** Turns every failure of an upstream, or of the connection to it, into a ProviderError without secrets. */
import { ConnectionRefused } from '../../shared/app/open-connection.ts'
import { addressNotAllowed, ownAddress } from './address-guard.ts'
import { ProxyFailed } from './outbound-proxy.ts'
import { ProviderError, type ProviderErrorKind } from './provider.ts'
import type { UpstreamAnswer } from './upstream-answer.ts'
import type { WireFormat } from './wire.ts'

const maxErrorBytes = 64 * 1024
/** Time limit for reading an error body: the next candidate waits meanwhile. */
const maxErrorMs = 1_000
const maxMessageCharacters = 300
const longestRetryAfterMs = 3_600_000

/** Reads an answer with another status than 200. @param key  the key that was sent, because upstreams echo it in their errors */
export async function readError(
  answer: UpstreamAnswer,
  key: string | null,
  { readRefusal }: Pick<WireFormat, 'readRefusal'>,
): Promise<ProviderError> {
  const { status, headers } = answer
  if (status < 400) {
    answer.abort()
    // Redirects are not followed: the key would go to another place.
    return new ProviderError('invalid_response', `the provider answered with status ${status}`, {
      status,
    })
  }
  const text = await answer.readBeginning({ maxBytes: maxErrorBytes, ms: maxErrorMs })
  if (status === 403 && !isOfVendor(text)) {
    // It may concern the words of one prompt, so it must not take the key out of use for everybody.
    const words = 'a firewall or proxy in front of the provider refused the request'
    return new ProviderError('unavailable', words, { status, headers: answer.passedHeaders })
  }
  const refusal = readRefusal(status, text, headers)
  const { kind, message, upstreamMessage, vendor = null, retryAfterMs } = refusal
  const { isTooLong = false, isBadOutput = false } = refusal
  return new ProviderError(kind, message, {
    status,
    vendor,
    isTooLong,
    isBadOutput,
    headers: answer.passedHeaders,
    upstreamMessage: upstreamMessage === null ? null : scrub(upstreamMessage, key),
    retryAfterMs: readRetryAfter(headers) ?? limitedWait(retryAfterMs ?? null),
  })
}

/** Vendors answer with an object, Google also with a list, or with headers and no body; firewalls with a page or a line of text. */
function isOfVendor(text: string): boolean {
  return /^\s*([{[]|$)/.test(text)
}

/**
 * @param answer  that contained the error; its key is removed from the text
 * @returns the signal's reason after an abort, otherwise a ProviderError
 */
export function toProviderError(
  error: unknown,
  signal: AbortSignal,
  answer: Pick<UpstreamAnswer, 'sentKey' | 'passedHeaders'> | null = null,
): unknown {
  if (signal.aborted) return signal.reason
  if (error instanceof ProviderError) return answer === null ? error : ofAnswer(error, answer)
  if (isUnreadable(error)) {
    return new ProviderError('invalid_response', 'the answer is not valid HTTP or JSON', {
      cause: error,
    })
  }
  if (error instanceof ProxyFailed) {
    return new ProviderError('network', error.message, { cause: error })
  }
  if (error instanceof ConnectionRefused) {
    return new ProviderError('network', error.message, { cause: error, isLasting: true })
  }
  const code = errorCodeOf(error)
  const kind = isTimeout(code) ? 'timeout' : 'network'
  const isLasting = isForbidden(code) || isUntrusted(code)
  return new ProviderError(kind, networkWords(code), { cause: error, isLasting })
}

function ofAnswer(
  error: ProviderError,
  { sentKey, passedHeaders }: Pick<UpstreamAnswer, 'sentKey' | 'passedHeaders'>,
): ProviderError {
  const { upstreamMessage } = error
  const hidesKey = sentKey !== null && upstreamMessage !== null
  if (!hidesKey && passedHeaders === null) return error
  return error.with({
    upstreamMessage: hidesKey ? withoutKey(upstreamMessage, sentKey) : upstreamMessage,
    headers: passedHeaders,
  })
}

/** Whether an answer is not JSON, longer than its limit, or not HTTP. */
function isUnreadable(error: unknown): boolean {
  return error instanceof SyntaxError || error instanceof RangeError
}

function errorCodeOf(error: unknown): string {
  if (!(error instanceof Error)) return ''
  if ('code' in error && typeof error.code === 'string') return error.code
  return error.cause === undefined ? '' : errorCodeOf(error.cause)
}

/** undici's and the system's codes for a timeout. */
function isTimeout(code: string): boolean {
  return code.includes('TIMEOUT') || code === 'ETIMEDOUT'
}

function networkWords(code: string): string {
  if (isTimeout(code)) return 'the provider did not answer in time'
  if (code === 'ECONNREFUSED') return 'nothing answers at the address'
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'the address could not be found'
  if (code === 'ADDRESS_NOT_ALLOWED') return addressNotAllowed
  if (code === 'OWN_ADDRESS') return ownAddress
  if (isUntrusted(code)) return 'its certificate is not trusted'
  return 'the connection broke'
}

/** OpenSSL's and Node's codes for an untrusted certificate. */
function isUntrusted(code: string): boolean {
  return /CERT|^ERR_TLS|^UNABLE_TO_VERIFY/.test(code)
}

function isForbidden(code: string): boolean {
  return code === 'ADDRESS_NOT_ALLOWED' || code === 'OWN_ADDRESS'
}

/**
 * The text of an error inside a stream, without anything that looks like a key; null when it has none, and for errors
 * about the account, whose texts may name its owner.
 */
export function upstreamText(message: unknown, kind: ProviderErrorKind): string | null {
  if (kind === 'auth' || kind === 'credit') return null
  return typeof message === 'string' && message !== '' ? scrub(message, null) : null
}

/** An upstream's own text, without the key, which it may repeat in whole or in part. */
function scrub(message: string, key: string | null): string {
  return withoutKey(message, key ?? '')
    .replace(/\b((sk|pk|gsk|key|mp)[-_][\w-]{6,}|AIza[\w-]{10,})/gi, '…')
    .slice(0, maxMessageCharacters)
}

/** Shortest part of a key that is removed; shorter ones also occur in ordinary words, and reveal nothing. */
const shortestStretch = 10

/** The message without any stretch it shares with the key: upstreams also echo keys cut or masked. */
function withoutKey(message: string, key: string): string {
  if (key === '') return message
  let kept = ''
  let at = 0
  while (at < message.length) {
    let end = at
    while (end < message.length && key.includes(message.slice(at, end + 1))) end += 1
    const isOfKey = end - at >= Math.min(shortestStretch, key.length)
    kept += isOfKey ? '…' : message.charAt(at)
    at = isOfKey ? end : at + 1
  }
  return kept
}

/** A date is compared with the answer's own `date`, because the two clocks may differ. */
function readRetryAfter(headers: UpstreamAnswer['headers']): number | null {
  const inMs = limitedWait(Number(headers['retry-after-ms']))
  if (inMs !== null) return inMs
  const header = headers['retry-after']
  if (typeof header !== 'string') return null
  const seconds = Number(header)
  const waitMs = Number.isFinite(seconds)
    ? seconds * 1000
    : Date.parse(header) - Date.parse(String(headers['date']))
  return limitedWait(waitMs)
}

/** @returns null for a wait that is not a positive number */
function limitedWait(waitMs: number | null): number | null {
  if (waitMs === null || !Number.isFinite(waitMs) || waitMs <= 0) return null
  return Math.min(waitMs, longestRetryAfterMs)
}
