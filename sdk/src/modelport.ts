/** OpenAI's client at a router of Modelport. */
import { OpenAI, OpenAIError, type ClientOptions } from 'openai'
import { makeFetch } from '#transport'
import { Agents } from './agents.ts'
import { defaultBaseUrl, routerUrl } from './base-url.ts'
import type { Chat } from './chat.ts'

type InheritedOptions = Pick<
  ClientOptions,
  | 'timeout'
  | 'maxRetries'
  | 'fetch'
  | 'fetchOptions'
  | 'defaultQuery'
  | 'dangerouslyAllowBrowser'
  | 'logLevel'
  | 'logger'
>

type DefaultHeaders = Record<string, string | null | undefined>

/** Options of the client. Those that are not described here are OpenAI's. */
export interface ModelportOptions extends InheritedOptions {
  /** A key of Modelport, `mp_…`. Default: the variable `MODELPORT_API_KEY`. */
  apiKey?: string | undefined
  /** `router_…`. Default: the router in `baseURL`, then the variable `MODELPORT_ROUTER_ID`. */
  routerId?: string | undefined
  /**
   * Modelport's address, or a router's. Default: the variable `MODELPORT_BASE_URL`, then `https://localhost:6778`.
   */
  baseURL?: string | null | undefined
  /**
   * The certificate of Modelport's local authority (`tls/ca.pem` in its data folder). Default: the data folder of this
   * user. Only Node, Bun and Deno read it, and only for Modelport's address.
   */
  caFile?: string | undefined
  /** Headers of every request; null removes one that OpenAI's client sets. */
  defaultHeaders?: DefaultHeaders | undefined
  /** Groups requests in Modelport's usage by project: 1 to 64 printable characters. */
  tag?: string | undefined
  /** Identifies the conversation of this client's requests, so that they stay with one model. */
  conversation?: string | undefined
  /** Adds `_meta.decision`: the candidates, the attempts and the reasons. */
  explain?: boolean | undefined
}

/**
 * `new Modelport({ apiKey, routerId })` is OpenAI's client: every method, option, helper and error of it works. The
 * methods for services that Modelport does not have, such as files, answer 404 `endpoint_not_found`.
 * @throws OpenAIError without a key or a router
 */
export class Modelport extends OpenAI {
  declare chat: Chat
  /** Runs agents: `client.agents.run('name', 'input')`. */
  readonly agents: Agents
  /**
   * The client sends a key with every POST, the same one when it repeats it: Modelport then pays only once for an answer
   * that was lost on the way. A key on repetitions alone would not help, because the first request must have had it.
   */
  protected override readonly idempotencyHeader = 'Idempotency-Key'
  readonly #usesOwnFetch: boolean
  readonly #caFile: string | undefined

  constructor(options: ModelportOptions = {}) {
    const { apiKey, routerId, baseURL, caFile, defaultHeaders, ...rest } = options
    const url = routerUrl(
      baseURL || readVariable('MODELPORT_BASE_URL') || defaultBaseUrl,
      routerId,
      readVariable('MODELPORT_ROUTER_ID'),
    )
    const headers = mergeHeaders(defaultHeaders ?? {}, ownHeaders(options))
    const fetch = rest.fetch ?? makeFetch({ origin: new URL(url).origin, caFile })
    super({
      ...rest,
      // Without these, OpenAI's client sends the variables of an OpenAI account to Modelport.
      adminAPIKey: null,
      organization: null,
      project: null,
      apiKey: apiKey || requireKey(),
      baseURL: url,
      fetch,
      defaultHeaders: headers,
    })
    // OpenAI's client adds those of the variable OPENAI_CUSTOM_HEADERS.
    this._options.defaultHeaders = headers
    this.agents = new Agents(this)
    this.#usesOwnFetch = rest.fetch === undefined
    this.#caFile = caFile
  }

  /** The id of the router that this client calls. */
  get routerId(): string {
    return decodeURIComponent(this.baseURL.split('/').at(-2) ?? '')
  }

  /** The same client with some options changed. */
  override withOptions(options: Partial<ModelportOptions>): this {
    const own = { caFile: this.#caFile, ...(this.#usesOwnFetch ? { fetch: undefined } : {}) }
    const baseURL = routerUrl(options.baseURL || this.baseURL, options.routerId, this.routerId)
    return super.withOptions({ ...own, ...options, baseURL })
  }

  /** The same client for another router of the same Modelport. */
  withRouter(routerId: string): this {
    return this.withOptions({ routerId })
  }
}

function requireKey(): string {
  const key = readVariable('MODELPORT_API_KEY')
  if (key !== undefined) return key
  throw new OpenAIError(
    'Modelport needs a key: pass apiKey or set MODELPORT_API_KEY. Create keys in Modelport under Settings, API keys.',
  )
}

/** @returns undefined where it is empty, and where there are no variables (browsers) */
function readVariable(name: string): string | undefined {
  // Deno asks for the permission of each variable, and throws when it is refused.
  try {
    const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } }
    return process?.env?.[name]?.trim() || undefined
  } catch {
    return undefined
  }
}

/** Own headers win. Within one list of headers, OpenAI's client would send a repeated name twice. */
function mergeHeaders(given: DefaultHeaders, own: DefaultHeaders): DefaultHeaders {
  const lowerCase = ([name, value]: [string, string | null | undefined]) =>
    [name.toLowerCase(), value] as const
  return Object.fromEntries([...Object.entries(given), ...Object.entries(own)].map(lowerCase))
}

/** Names and values; an undefined value adds nothing, null removes OpenAI's own header. */
function ownHeaders({ tag, conversation, explain }: ModelportOptions): DefaultHeaders {
  return {
    ...(tag !== undefined && { 'x-modelport-tag': tag }),
    ...(conversation !== undefined && { 'x-modelport-conversation': conversation }),
    ...(explain !== undefined && { 'x-modelport-explain': explain ? 'true' : null }),
  }
}
