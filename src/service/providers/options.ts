/**
 * A provider's options besides its address and key, and how they are sent. A type declares the names it
 * accepts (`presets.ts`). Options never hold secrets, because they are shown, exported and stored in
 * the database.
 */
import type { ProviderOption } from '../../shared/models/provider-type.ts'

/** OpenAI's options: which quota and bill a request counts against, for keys that may use several. */
export const openAiOptions: readonly ProviderOption[] = [
  { name: 'organization', label: 'Organization', hint: 'org-…, sent as OpenAI-Organization' },
  { name: 'project', label: 'Project', hint: 'proj_…, sent as OpenAI-Project' },
  {
    name: 'api',
    label: 'API',
    hint: 'responses: all models use the Responses API, which keeps reasoning between turns',
  },
]

/** Options for where Vertex AI runs a model, and who pays. */
export const vertexOptions: readonly ProviderOption[] = [
  { name: 'project', label: 'Project', hint: 'the id of the Google Cloud project' },
  { name: 'location', label: 'Location', hint: 'such as europe-west4; if empty, global' },
]

/** OpenRouter's options: the name under which its statistics show the requests. */
export const openRouterOptions: readonly ProviderOption[] = [
  { name: 'referer', label: 'Site', hint: 'an address, sent as HTTP-Referer' },
  { name: 'title', label: 'App name', hint: 'sent as X-Title' },
]

/** Options for the vendor whose models a server offers, so that the catalogue's prices and facts apply to them. */
export const modelOptions: readonly ProviderOption[] = [
  {
    name: 'models-of',
    label: 'Models of',
    hint: 'a type such as openai: its prices and facts apply to models of the same name',
  },
  {
    name: 'model.*',
    label: 'Models under other names',
    hint: 'such as deployments, one per line: name = openai:gpt-5',
  },
]

/** Azure's options. The user may name the model, because a deployment's name does not. */
export const azureOptions: readonly ProviderOption[] = [
  {
    name: 'api-version',
    label: 'API version',
    hint: 'only for the older form with the deployment in the address, such as 2024-10-21',
  },
  ...modelOptions,
]

/** AWS's options: the region, and credentials that are not stored as a key. */
export const bedrockOptions: readonly ProviderOption[] = [
  { name: 'region', label: 'Region', hint: 'such as eu-central-1; us-east-1 if empty' },
  {
    name: 'profile',
    isCredential: true,
    label: 'AWS profile',
    hint: 'used when there is no key: the name of a profile in ~/.aws, with SSO too',
  },
  {
    name: 'credentials',
    isCredential: true,
    label: 'Other AWS credentials',
    hint: 'default-chain: environment variables, then the roles of a container or an EC2 instance',
  },
]

/** Options for servers that differ from OpenAI although they call themselves compatible. */
export const compatibleOptions: readonly ProviderOption[] = [
  { name: 'api-version', label: 'API version', hint: 'sent as ?api-version=…' },
  {
    name: 'key-header',
    label: 'Header of the key',
    hint: 'such as api-key; if empty, Authorization: Bearer is sent',
  },
  { name: 'header.*', label: 'Extra headers', hint: 'one per line: Name: value' },
  ...modelOptions,
]

/** Options of model servers on the user's own computer. */
export const localServerOptions: readonly ProviderOption[] = [
  ...modelOptions,
  {
    name: 'slots',
    label: 'Requests at once',
    hint: 'how many requests the server answers at the same time; the others wait in Modelport',
  },
]

export const ollamaOptions: readonly ProviderOption[] = [
  ...localServerOptions,
  {
    name: 'context',
    label: 'Context length',
    hint: 'in tokens, sent as num_ctx; if empty, Ollama decides',
  },
]

const headerOfOption: ReadonlyMap<string, string> = new Map([
  ['organization', 'openai-organization'],
  ['project', 'openai-project'],
  ['referer', 'http-referer'],
  ['title', 'x-title'],
])
const headerPrefix = 'header.'
const modelPrefix = 'model.'

/** An invalid option; `message` gives the user the reason. */
export class OptionRefused extends Error {
  override readonly name = 'OptionRefused'
  readonly option: string

  constructor(option: string, message: string) {
    super(message)
    this.option = option
  }
}

/**
 * @param taken  the options of the provider's type
 * @returns the options sorted by name
 * @throws OptionRefused
 */
export function checkOptions(
  given: Readonly<Record<string, string>>,
  taken: readonly ProviderOption[],
): Record<string, string> {
  const names = Object.keys(given).toSorted()
  return Object.fromEntries(
    names.map((name) => [name, checkOption(name, given[name] ?? '', taken)]),
  )
}

function checkOption(name: string, value: string, taken: readonly ProviderOption[]): string {
  const isHeader = name.startsWith(headerPrefix)
  const isModel = name.startsWith(modelPrefix)
  const declared = isHeader ? `${headerPrefix}*` : isModel ? `${modelPrefix}*` : name
  if (!taken.some((option) => option.name === declared)) {
    const known = taken.map((option) => option.name.replace('*', '<Name>')).join(', ')
    throw new OptionRefused(name, `this type takes ${known === '' ? 'no options' : known}`)
  }
  if (isHeader) checkHeader(name, name.slice(headerPrefix.length))
  if (isModel) checkRenamed(name, value)
  if (name === 'key-header') checkHeaderName(name, value)
  const text = value.trim()
  checkForm(name, text)
  const greatest = greatestCounts.get(name)
  if (greatest !== undefined) checkCount(name, text, greatest)
  if (!/^[\x20-\x7e]{1,500}$/.test(text)) {
    throw new OptionRefused(name, 'the value is 1 to 500 plain characters in one line')
  }
  if (looksSecret.test(text)) {
    throw new OptionRefused(
      name,
      'this looks like a secret: options are shown; a key goes to the key store',
    )
  }
  return text
}

/** Options with few possible values. */
const forms: Readonly<Record<string, { pattern: RegExp; words: string }>> = {
  region: {
    pattern: /^[a-z]{2,3}(-[a-z0-9]+){2,4}$/,
    words: 'a region has a form such as us-east-1',
  },
  // Part of Vertex AI's host, so that nothing else may fit in.
  location: {
    pattern: /^[a-z]+(-[a-z]+\d{1,2})?$/,
    words: 'a location has a form such as europe-west4',
  },
  credentials: { pattern: /^default-chain$/, words: 'the only value is default-chain' },
  api: { pattern: /^(chat|responses)$/, words: 'the value is chat or responses' },
}

function checkForm(name: string, text: string): void {
  const form = forms[name]
  if (form && !form.pattern.test(text)) throw new OptionRefused(name, form.words)
}

/** Prefixes of providers' keys, three-part tokens, and whole Authorization values. */
const looksSecret =
  /^(bearer|basic) |\b(sk|gsk|xai|pk|key|mp|ghp|hf)[-_][\w-]{16,}|AIza[\w-]{30}|\bA[KS]IA[A-Z0-9]{16}|eyJ[\w-]+\.eyJ/i

/** Options that are whole numbers, with the greatest value. */
const greatestCounts: ReadonlyMap<string, number> = new Map([
  ['slots', 256],
  ['context', 100_000_000],
])

function checkCount(option: string, text: string, greatest: number): void {
  if (!/^[1-9]\d{0,9}$/.test(text) || Number(text) > greatest) {
    throw new OptionRefused(option, `the value is a whole number from 1 to ${greatest}`)
  }
}

/** Headers that Modelport or the connection sets. */
const ownHeaders =
  /^(accept|accept-encoding|connection|content-.*|expect|host|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|user-agent)$/i
const secretHeaders = /auth|cookie|credential|key|password|secret|token/i

function checkHeader(option: string, header: string): void {
  checkHeaderName(option, header)
  if (secretHeaders.test(header)) {
    throw new OptionRefused(
      option,
      'a header of this name carries a secret: enter it as the key, and name the header in key-header',
    )
  }
}

function checkRenamed(option: string, value: string): void {
  if (!/^model\.[\x21-\x7e]{1,94}$/.test(option)) {
    throw new OptionRefused(option, 'the name of a model has 1 to 94 characters and no spaces')
  }
  if (!/^[a-z0-9][a-z0-9-]*:\S+$/.test(value.trim())) {
    throw new OptionRefused(option, 'the value is a type and a model, such as openai:gpt-5')
  }
}

function checkHeaderName(option: string, header: string): void {
  if (!/^[\w!#$%&'*+.^`|~-]{1,64}$/.test(header)) {
    throw new OptionRefused(option, 'this is not the name of a header')
  }
  if (ownHeaders.test(header)) {
    throw new OptionRefused(option, 'this header is set by the program itself')
  }
}

/** How a provider's options appear in its requests. */
export interface WireOptions {
  /** Null without options, so that a request has nothing to copy. */
  headers: Readonly<Record<string, string>> | null
  /** Starts with `?`, or is empty. */
  query: string
  /** The header that carries the key; null sends `Authorization: Bearer`. */
  keyHeader: string | null
}

/** @param options  as validated by `checkOptions`; names of a newer version are ignored */
export function wireOptions(options: Readonly<Record<string, string>>): WireOptions {
  const headers: Record<string, string> = {}
  for (const [name, value] of Object.entries(options)) {
    const header = name.startsWith(headerPrefix)
      ? name.slice(headerPrefix.length)
      : headerOfOption.get(name)
    if (header !== undefined) headers[header.toLowerCase()] = value
  }
  const version = options['api-version']
  return {
    headers: Object.keys(headers).length > 0 ? headers : null,
    query: version === undefined ? '' : `?api-version=${encodeURIComponent(version)}`,
    keyHeader: options['key-header']?.toLowerCase() ?? null,
  }
}
