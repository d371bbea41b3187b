/**
 * Access tokens of a service account. A token is used until shortly before it expires; requests that arrive
 * while one is fetched wait for the same one.
 */
import { z } from 'zod'
import { defaultTimeLimits } from '../../../../shared/routers/time-limits.ts'
import { ConnectionPool } from '../../../providers/http/connection-pool.ts'
import { ProviderError, type ProviderErrorKind } from '../../../providers/provider.ts'
import { UpstreamAnswer } from '../../../providers/upstream-answer.ts'
import { toProviderError } from '../../../providers/upstream-errors.ts'
import type { HttpConnection } from '../../../providers/wire.ts'
import { fieldsOf, parseJsonOrNull, stringOf } from '../../../json-fields.ts'
import { readServiceAccount, signedAssertion, type ServiceAccount } from './service-account.ts'

/** A request that starts with a token must end before the token expires. */
const expiryMarginMs = 300_000
const fetchMs = 10_000
const maxAnswerBytes = 64 * 1024

interface Token {
  /** The key it was fetched with. */
  key: string
  text: string
  /** Unix milliseconds. */
  usableUntilMs: number
}

export class AccessTokens {
  readonly #connection: Pick<HttpConnection, 'now' | 'connector'>
  readonly #pools = new Map<string, ConnectionPool>()
  #token: Token | null = null
  #fetching: { key: string; token: Promise<Token> } | null = null

  constructor(connection: Pick<HttpConnection, 'now' | 'connector'>) {
    this.#connection = connection
  }

  /** @throws ProviderError */
  async tokenFor(key: string): Promise<string> {
    const token = this.#token
    if (token?.key === key && this.#connection.now() < token.usableUntilMs) return token.text
    if (this.#fetching?.key !== key) this.#fetching = { key, token: this.#fetch(key) }
    const fetched = await this.#fetching.token
    return fetched.text
  }

  /** Forgets a token that was refused, so that the next request fetches another. */
  forget(): void {
    this.#token = null
  }

  /** The text without the token, which an error may repeat. */
  withoutToken(text: string): string {
    return this.#token === null ? text : text.replaceAll(this.#token.text, '…')
  }

  close(): void {
    for (const pool of this.#pools.values()) pool.destroy()
  }

  async #fetch(key: string): Promise<Token> {
    try {
      const account = readServiceAccount(key)
      const answer = await this.#ask(account)
      const text = (await answer.readWhole(maxAnswerBytes)).toString()
      if (answer.status !== 200) throw refusalOf(answer.status, text)
      this.#token = this.#read(key, text)
      return this.#token
    } catch (error) {
      throw toProviderError(timedOut(error), new AbortController().signal)
    } finally {
      if (this.#fetching?.key === key) this.#fetching = null
    }
  }

  async #ask(account: ServiceAccount): Promise<UpstreamAnswer> {
    const { tokenUrl } = account
    const form = new URLSearchParams({
      grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
      assertion: signedAssertion(account, this.#connection.now()),
    })
    const request = {
      path: `${tokenUrl.pathname}${tokenUrl.search}`,
      method: 'POST',
      headers: {
        accept: 'application/json',
        'content-type': 'application/x-www-form-urlencoded',
        'user-agent': 'modelport',
      },
      body: form.toString(),
    } as const
    return await UpstreamAnswer.ask(
      this.#poolFor(tokenUrl.origin),
      request,
      AbortSignal.timeout(fetchMs),
    )
  }

  #poolFor(origin: string): ConnectionPool {
    const known = this.#pools.get(origin)
    if (known !== undefined) return known
    const connect = this.#connection.connector(defaultTimeLimits.connectMs)
    const pool = new ConnectionPool({ origin, connect, maxConnections: 1 })
    this.#pools.set(origin, pool)
    return pool
  }

  #read(key: string, text: string): Token {
    const parsed = answerSchema.safeParse(JSON.parse(text))
    if (!parsed.success) {
      throw new ProviderError(
        'invalid_response',
        'Google’s answer with the access token has an unknown form',
      )
    }
    const { access_token, expires_in } = parsed.data
    const usableUntilMs = this.#connection.now() + expires_in * 1000 - expiryMarginMs
    return { key, text: access_token, usableUntilMs }
  }
}

const answerSchema = z.object({
  /** Sent in a header, so it may have no line breaks. */
  access_token: z.string().regex(/^[\x21-\x7e]+$/),
  expires_in: z.number().positive(),
})

/** OAuth's errors (RFC 6749, section 5.2). The description may name the account, so it is not repeated. */
function refusalOf(status: number, text: string): ProviderError {
  const { error, error_description: description } = fieldsOf(parseJsonOrNull(text))
  const isAboutTime =
    error === 'invalid_grant' && /timeframe|iat|exp/.test(stringOf(description) ?? '')
  if (isAboutTime) {
    const message =
      'Google refused the time in the service account’s signature: set this computer’s clock'
    return new ProviderError('unavailable', message, { status })
  }
  const kind = kindOf(status)
  const code = stringOf(error)
  const named = code !== null && /^[a-z_]{1,40}$/.test(code) ? ` (${code})` : ''
  const message =
    kind === 'auth'
      ? `Google rejected the service account’s key${named}`
      : `Google’s token service answered with status ${status}`
  return new ProviderError(kind, message, { status })
}

function kindOf(status: number): ProviderErrorKind {
  if (status === 429) return 'rate_limit'
  return status >= 400 && status < 500 ? 'auth' : 'unavailable'
}

function timedOut(error: unknown): unknown {
  const isTimeout = error instanceof Error && error.name === 'TimeoutError'
  return isTimeout
    ? new ProviderError('timeout', 'Google’s token service did not answer in time')
    : error
}
