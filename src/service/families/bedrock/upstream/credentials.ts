/**
 * AWS credentials. A stored key is `ACCESS_KEY_ID:SECRET_ACCESS_KEY[:SESSION_TOKEN]` or a Bedrock API key.
 * Without a stored key, the options choose a profile of `~/.aws` or AWS's default chain. Those are read by
 * AWS's packages, which may send requests of their own: to AWS SSO and STS, and with the default chain to the
 * metadata address of a container or an EC2 instance. Nothing is read or sent unless the user sets the option.
 */
import { ConnectionRefused, openConnection } from '../../../../shared/app/open-connection.ts'
import { ProviderError } from '../../../providers/provider.ts'
import type { HttpConnection } from '../../../providers/wire.ts'

export interface AwsKeys {
  accessKeyId: string
  secretAccessKey: string
  sessionToken?: string
}

/** How a request proves who sends it. */
export type Credentials = { apiKey: string } | { keys: AwsKeys }

const keysPattern = /^((?:AKIA|ASIA)[A-Z0-9]{12,124}):([^:\s]+)(?::(\S+))?$/

/** @throws ProviderError auth for access keys of another form, no_key without any */
export function readCredentials(key: string | null): Credentials {
  if (key === null) {
    throw new ProviderError('no_key', 'it has neither a key nor an AWS profile')
  }
  const [, accessKeyId, secretAccessKey, sessionToken] = keysPattern.exec(key) ?? []
  if (accessKeyId !== undefined && secretAccessKey !== undefined) {
    const keys = { accessKeyId, secretAccessKey }
    return { keys: sessionToken === undefined ? keys : { ...keys, sessionToken } }
  }
  if (key.startsWith('AKIA') || key.startsWith('ASIA')) {
    const form = 'ACCESS_KEY_ID:SECRET_ACCESS_KEY, with :SESSION_TOKEN for temporary keys'
    throw new ProviderError('auth', `its key must have the form ${form}`)
  }
  return { apiKey: key }
}

/** The form in which a key is stored. */
function keyText({ accessKeyId, secretAccessKey, sessionToken }: AwsKeys): string {
  const keys = `${accessKeyId}:${secretAccessKey}`
  return sessionToken === undefined ? keys : `${keys}:${sessionToken}`
}

/** Keys that AWS's packages found. */
export interface FoundKeys extends AwsKeys {
  expiration?: Date
}

/** Refreshed this long before they expire, so that a request in progress does not outlive them. */
const refreshBeforeMs = 5 * 60_000
/** Includes one request to AWS SSO or STS. */
const loadLimitMs = 15_000

interface SharedKeysOptions {
  load: () => Promise<FoundKeys>
  /** The error's words when nothing is found. */
  notFound: string
  /** Unix milliseconds. */
  now: () => number
}

/** Keys of a profile or of the default chain, read once for all requests and again before they expire. */
export class SharedKeys {
  readonly #options: SharedKeysOptions
  #found: Promise<FoundKeys> | null = null

  constructor(options: SharedKeysOptions) {
    this.#options = options
  }

  /** @returns the form in which a key is stored. @throws ProviderError no_key */
  async current(): Promise<string> {
    const reading = (this.#found ??= this.#load())
    const found = await reading
    if (!this.#isOld(found)) return keyText(found)
    // Of the requests that wait for the same keys, only the first reads them again.
    if (this.#found === reading) this.forget()
    return keyText(await (this.#found ??= this.#load()))
  }

  /** Reads the keys again for the next request, because AWS refused them. */
  forget(): void {
    this.#found = null
  }

  #isOld({ expiration }: FoundKeys): boolean {
    if (expiration === undefined) return false
    return expiration.getTime() - this.#options.now() < refreshBeforeMs
  }

  async #load(): Promise<FoundKeys> {
    const { load, notFound } = this.#options
    try {
      return await limited(load())
    } catch (error) {
      // The next request tries again.
      this.forget()
      const message = error instanceof ConnectionRefused ? error.message : notFound
      throw new ProviderError('no_key', message, { cause: error })
    }
  }
}

/** AWS's packages take no signal. */
async function limited<T>(running: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('AWS did not answer in time')), loadLimitMs)
  })
  try {
    return await Promise.race([running, late])
  } finally {
    clearTimeout(timer)
  }
}

/** @returns null when the options choose neither a profile nor the default chain */
export function sharedKeysOf({
  options,
  now,
  use = null,
}: Pick<HttpConnection, 'options' | 'now' | 'use'>): SharedKeys | null {
  const { profile, credentials } = options
  if (profile !== undefined) {
    return new SharedKeys({
      now,
      // It never reads instance metadata by itself.
      load: () =>
        openConnection('awsSignIn', use, async () => {
          const { fromIni } = await import('@aws-sdk/credential-provider-ini')
          return fromIni({ profile, ignoreCache: true })()
        }),
      notFound: `the AWS profile “${profile}” has no valid credentials; for SSO, run “aws sso login”`,
    })
  }
  if (credentials !== 'default-chain') return null
  return new SharedKeys({
    now,
    load: () =>
      openConnection('awsSignIn', use, async () => {
        const { defaultProvider } = await import('@aws-sdk/credential-provider-node')
        return defaultProvider()()
      }),
    notFound: 'AWS’s default chain found no credentials on this computer',
  })
}
