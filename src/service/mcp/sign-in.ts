/** The sign-in of one server (OAuth 2.1 with PKCE), as the SDK asks for it. Tokens are kept for each issuer. */
import { randomBytes } from 'node:crypto'
import type {
  OAuthClientProvider,
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from '@modelcontextprotocol/client'
import { z } from 'zod'
import type { ServerSecrets } from './server-secrets.ts'
import { SignInMissing } from './sign-in-errors.ts'

/** The SDK's own values, which it gave to be stored. */
const values = z.looseObject({})
const keptSchema = z.object({
  clients: z.record(z.string(), z.object({ redirectUrl: z.string(), client: values })),
  tokens: z.record(z.string(), values),
  /** The issuer whose tokens were saved last. */
  newest: z.string().nullable(),
})
type Kept = z.output<typeof keptSchema>

export interface SignInOptions {
  secrets: Pick<ServerSecrets, 'read' | 'write'>
  /** Where the browser returns to. Null: nobody is asked, and only tokens that are stored are used. */
  redirectUrl: string | null
  /** Opens the address of a sign-in, which the server named. */
  openBrowser: (address: URL) => Promise<void>
  /** An address with what this program says of itself, for servers that read it there. */
  clientMetadataUrl?: string | undefined
}

type Context = { issuer?: string } | undefined

export class SignIn implements OAuthClientProvider {
  readonly clientMetadataUrl?: string
  readonly #options: SignInOptions
  #kept: Promise<Kept> | null = null
  #opened: Promise<void> = Promise.resolve()
  #state = ''
  #verifier = ''
  #discovery: OAuthDiscoveryState | undefined

  constructor(options: SignInOptions) {
    this.#options = options
    if (options.clientMetadataUrl !== undefined) this.clientMetadataUrl = options.clientMetadataUrl
  }

  /** Whether any tokens are stored. */
  async hasTokens(): Promise<boolean> {
    return (await this.#read()).newest !== null
  }

  /**
   * What the browser brings back.
   * @throws SignInMissing when it is not the answer to this sign-in; the error of opening the browser
   */
  async finish(returned: () => Promise<URLSearchParams>): Promise<URLSearchParams> {
    await this.#opened
    const parameters = await returned()
    const isOurs = this.#state !== '' && parameters.get('state') === this.#state
    this.#state = ''
    if (!isOurs)
      throw new SignInMissing('The answer of the sign-in is not the one that was asked for.')
    return parameters
  }

  get redirectUrl(): string {
    // Without any, the SDK would take it for a program that signs in by itself.
    return this.#options.redirectUrl ?? 'http://127.0.0.1/never-opened'
  }

  get clientMetadata(): OAuthClientProvider['clientMetadata'] {
    return {
      client_name: 'Modelport',
      redirect_uris: [this.redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      application_type: 'native',
    }
  }

  state(): string {
    this.#state = randomBytes(16).toString('hex')
    return this.#state
  }

  async clientInformation(context?: Context): Promise<StoredOAuthClientInformation | undefined> {
    const kept = (await this.#read()).clients[context?.issuer ?? '']
    const { redirectUrl } = this.#options
    // A registration is valid for the address that the browser returns to.
    if (!kept || (redirectUrl !== null && kept.redirectUrl !== redirectUrl)) return undefined
    // The SDK's own value, which it gave to be stored.
    return kept.client as unknown as StoredOAuthClientInformation
  }

  async saveClientInformation(
    client: StoredOAuthClientInformation,
    context?: Context,
  ): Promise<void> {
    const { redirectUrl } = this
    const issuer = context?.issuer ?? ''
    await this.#change((kept) => ({
      ...kept,
      clients: { ...kept.clients, [issuer]: { redirectUrl, client: { ...client } } },
    }))
  }

  async tokens(context?: Context): Promise<StoredOAuthTokens | undefined> {
    const { tokens, newest } = await this.#read()
    // The SDK's own value, which it gave to be stored.
    return tokens[context?.issuer ?? newest ?? ''] as StoredOAuthTokens | undefined
  }

  async saveTokens(saved: StoredOAuthTokens, context?: Context): Promise<void> {
    const issuer = context?.issuer ?? ''
    await this.#change((kept) => ({
      ...kept,
      tokens: { ...kept.tokens, [issuer]: { ...saved } },
      newest: issuer,
    }))
    // The next sign-in finds out again who the issuer is: it may have changed.
    this.#discovery = undefined
  }

  redirectToAuthorization(address: URL): void {
    if (this.#options.redirectUrl === null) throw new SignInMissing('The server needs a sign-in.')
    // The request that led here does not wait for the user.
    this.#opened = this.#options.openBrowser(address)
    this.#opened.catch(() => {})
  }

  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier
  }

  codeVerifier(): string {
    return this.#verifier
  }

  saveDiscoveryState(discovery: OAuthDiscoveryState): void {
    this.#discovery = discovery
  }

  discoveryState(): OAuthDiscoveryState | undefined {
    return this.#discovery
  }

  async invalidateCredentials(
    scope: 'all' | 'client' | 'tokens' | 'verifier' | 'discovery',
  ): Promise<void> {
    if (scope === 'all' || scope === 'discovery') this.#discovery = undefined
    if (scope === 'verifier' || scope === 'discovery') return
    await this.#change((kept) => ({
      clients: scope === 'tokens' ? kept.clients : {},
      tokens: scope === 'client' ? kept.tokens : {},
      newest: scope === 'client' ? kept.newest : null,
    }))
  }

  #read(): Promise<Kept> {
    return (this.#kept ??= this.#options.secrets
      .read('sign-in')
      .then(
        (stored) => keptSchema.safeParse(stored).data ?? { clients: {}, tokens: {}, newest: null },
      ))
  }

  async #change(change: (kept: Kept) => Kept): Promise<void> {
    const changed = change(await this.#read())
    this.#kept = Promise.resolve(changed)
    await this.#options.secrets.write('sign-in', changed)
  }
}
