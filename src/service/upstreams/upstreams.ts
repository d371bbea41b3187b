/**
 * The providers in use: each is created on its first request and again when its configuration changes, with
 * the health that its last request or test showed.
 */
import type { Settings } from '../../shared/app/settings.ts'
import type { ProviderHealth } from '../../shared/entities.ts'
import type { LocalModel } from '../local/local-model.ts'
import {
  createProvider,
  findProviderType,
  isLocalType,
  originOf,
  runsOnThisComputer,
} from '../provider-types/provider-types.ts'
import { KeyPool, type PoolKeyState } from '../providers/keys/key-pool.ts'
import type { Outbound } from '../providers/outbound.ts'
import {
  ProviderError,
  providerProblem,
  type Provider,
  type ProviderErrorKind,
} from '../providers/provider.ts'
import type { GivenKey, KeyWish } from '../providers/wire.ts'
import { SecretStoreError, type SecretStore } from '../secrets/secret-store.ts'
import {
  missingKeyMessage,
  readProviderKeys,
  shownName,
  type ProviderKeys,
  type UsableKey,
} from '../secrets/usable-keys.ts'
import type { LiveConfiguration } from '../storage/live-configuration.ts'
import type { ProviderForm } from '../chat/attempts/original-call.ts'
import type { StoredProvider } from '../storage/storage.ts'

export interface UpstreamsOptions {
  configuration: LiveConfiguration
  secrets: SecretStore
  localModel: LocalModel
  outbound: Outbound
  now: () => number
  /** Called when a provider starts to fail in a way that only the user can fix. */
  onAlarm: (alarm: { providerId: string; message: string }) => void
  /** Called when a provider begins or ceases to work, or fails in another way. */
  onHealthChange: () => void
}

const needsUser: ReadonlySet<ProviderErrorKind> = new Set(['no_key', 'auth', 'credit'])
/** Failures that repeat on every request: another request costs money and may lock the account. */
const takesOut: ReadonlySet<ProviderErrorKind> = new Set(['auth', 'credit'])

/** The only key of a provider, none, or several. */
type Keys = string | null | KeyPool

interface Opened {
  stored: StoredProvider
  provider: Provider
}

export class Upstreams {
  readonly #options: UpstreamsOptions
  readonly #opened = new Map<string, Opened>()
  /** Providers with connections of an earlier proxy setting; their streams may end normally. */
  readonly #retired: Provider[] = []
  /** The store's answers and running reads, so that a thousand simultaneous requests read a key once. */
  readonly #keys = new Map<string, Keys | Promise<Keys>>()
  readonly #healths = new Map<string, ProviderHealth>()
  readonly #outages = new Map<string, ProviderError>()
  readonly #inNeed = new Set<string>()
  readonly #stopListening: () => void

  constructor(options: UpstreamsOptions) {
    this.#options = options
    options.secrets.onChange((providerId) => this.#forgetKey(providerId))
    this.#stopListening = options.configuration.onChange((before, now) => {
      if (hasOtherWay(before.settings, now.settings)) this.#retireAll()
      for (const [id, { stored }] of this.#opened) {
        const current = now.providers.get(id)
        if (!current || !isSameProvider(current, stored)) void this.#drop(id)
      }
      for (const [id, { createdAtMs, keyRevision }] of before.providers) {
        const current = now.providers.get(id)
        if (current?.createdAtMs !== createdAtMs || current.keyRevision !== keyRevision) {
          this.#forgetKey(id)
        }
      }
      // Another process may have tested a provider, so each gets one more try.
      this.#outages.clear()
    })
  }

  /** @throws ProviderError when it is not configured or has no address */
  open(providerId: string): Provider {
    const known = this.#opened.get(providerId)
    if (known) return known.provider
    const stored = this.#options.configuration.current().providers.get(providerId)
    if (!stored) {
      throw new ProviderError('unavailable', 'its provider is not configured', { isLasting: true })
    }
    const provider = this.#create(stored)
    this.#opened.set(providerId, { stored, provider })
    return provider
  }

  /** A provider that is not stored, for a test. The caller closes it. @param apiKey  null: the stored key, if any */
  openUnsaved(stored: StoredProvider, apiKey: string | null): Provider {
    return this.#create(stored, apiKey)
  }

  /** How the provider changes requests; nothing while it cannot be opened. */
  form(providerId: string): ProviderForm {
    try {
      return this.open(providerId)
    } catch (error) {
      if (error instanceof ProviderError) return {}
      throw error
    }
  }

  health(providerId: string): ProviderHealth {
    return this.#healths.get(providerId) ?? { status: 'unknown' }
  }

  /** Providers whose last request or test showed a problem that only the user can solve. */
  inNeed(): string[] {
    const { providers } = this.#options.configuration.current()
    return [...providers.keys()].filter((id) => this.#inNeed.has(id))
  }

  /** States of the provider's keys that this process knows; empty unless it has used several. */
  keyStates(providerId: string): PoolKeyState[] {
    const keys = this.#keys.get(providerId)
    return keys instanceof KeyPool ? keys.states() : []
  }

  /** Why the provider is out of use until its key or the configuration changes, or a test succeeds. */
  outage(providerId: string): ProviderError | null {
    return this.#outages.get(providerId) ?? null
  }

  isLocal(providerId: string): boolean {
    const stored = this.#options.configuration.current().providers.get(providerId)
    return stored !== undefined && runsOnThisComputer(stored)
  }

  /** Load of a provider whose requests may have to wait; null for the others. */
  loadOf(providerId: string): number | null {
    return this.#opened.get(providerId)?.provider.load?.() ?? null
  }

  failed(providerId: string, error: ProviderError): void {
    if (error.kind === 'request' || error.isBusy || error.isBadOutput) return
    if (takesOut.has(error.kind)) this.#outages.set(providerId, error)
    const problem = providerProblem(error.kind)
    const before = this.health(providerId)
    const { message } = error
    const checkedAtMs = this.#options.now()
    this.#note(providerId, { status: 'failing', checkedAtMs, problem, message })
    // The store may have a newer key by now.
    if (error.kind === 'auth') this.#keys.delete(providerId)
    // A lasting problem is reported once.
    const isNews = before.status !== 'failing' || before.problem !== problem
    if (needsUser.has(error.kind)) this.#inNeed.add(providerId)
    if (needsUser.has(error.kind) && isNews) {
      this.#options.onAlarm({ providerId, message: `${providerId}: ${message}` })
    }
  }

  /** @param latencyMs  until the beginning of the answer */
  succeeded(providerId: string, latencyMs: number): void {
    const checkedAtMs = this.#options.now()
    this.#inNeed.delete(providerId)
    this.#outages.delete(providerId)
    this.#note(providerId, { status: 'ok', checkedAtMs, latencyMs })
  }

  async close(): Promise<void> {
    this.#stopListening()
    await Promise.all([...this.#opened.keys()].map((id) => this.#drop(id)))
    await Promise.all(this.#retired.map((provider) => provider.close()))
  }

  #note(providerId: string, health: ProviderHealth): void {
    const before = this.health(providerId)
    this.#healths.set(providerId, health)
    if (before.status !== health.status || problemOf(before) !== problemOf(health))
      this.#options.onHealthChange()
  }

  #create(stored: StoredProvider, apiKey: string | null = null): Provider {
    return createProvider(stored.type, {
      baseUrl: stored.baseUrl,
      localModel: this.#options.localModel,
      apiKey: (wish) => apiKey ?? this.#keyOf(stored, wish),
      privateNetwork: stored.privateNetwork,
      options: stored.options,
      now: this.#options.now,
      use: this.#options.outbound.use,
      connector: (connectMs) =>
        this.#options.outbound.connector({
          id: 'providers',
          privateNetwork: stored.privateNetwork,
          connectMs,
        }),
    })
  }

  /** The key of a request; synchronous when the keys have been read before. */
  #keyOf(stored: StoredProvider, wish: KeyWish): GivenKey | Promise<GivenKey> {
    const known = this.#keys.get(stored.id) ?? this.#readKeys(stored)
    return known instanceof Promise ? known.then((keys) => give(keys, wish)) : give(known, wish)
  }

  async #readKeys(stored: StoredProvider): Promise<Keys> {
    const reading = readUsableKeys(stored, this.#options.secrets).then((keys) =>
      this.#pooled(stored.id, keys),
    )
    this.#keys.set(stored.id, reading)
    // Another read or a change may have replaced this one.
    const isCurrent = () => this.#keys.get(stored.id) === reading
    try {
      const keys = await reading
      if (isCurrent()) this.#keys.set(stored.id, keys)
      return keys
    } catch (error) {
      // The next request reads the keys again.
      if (isCurrent()) this.#keys.delete(stored.id)
      throw error
    }
  }

  /** Puts several keys into a pool. One key needs none, and its requests cost nothing more. */
  #pooled(providerId: string, usable: readonly UsableKey[]): Keys {
    if (usable.length < 2) return usable[0]?.secret ?? null
    const pool: KeyPool = new KeyPool(usable, {
      now: this.#options.now,
      onRejected: (name, refusal) => {
        // The last key takes the provider out, which is reported by `failed`.
        if (!pool.states().some((key) => key.name !== name && key.rejection === null)) return
        const message = `${providerId}: the key "${shownName(name)}" is out of use: ${refusal.message}`
        this.#options.onAlarm({ providerId, message })
      },
    })
    return pool
  }

  #retireAll(): void {
    for (const [id, { stored, provider }] of this.#opened) {
      if (isLocalType(stored.type)) continue
      this.#retired.push(provider)
      this.#opened.delete(id)
    }
  }

  /** The next request reads the key from the store; the old key's failures no longer count. */
  #forgetKey(providerId: string): void {
    this.#keys.delete(providerId)
    this.#healths.delete(providerId)
    this.#inNeed.delete(providerId)
    this.#outages.delete(providerId)
  }

  async #drop(providerId: string): Promise<void> {
    const known = this.#opened.get(providerId)
    this.#opened.delete(providerId)
    this.#forgetKey(providerId)
    // The local model stays open without its provider's row, because the interface always shows it.
    if (known && !isLocalType(known.stored.type)) await known.provider.close()
  }
}

/** Whether connections that are open must not be used any more. */
function hasOtherWay(before: Settings, now: Settings): boolean {
  const isSame = before.connectionsOff.join() === now.connectionsOff.join()
  return !isSame || before.outboundProxy !== now.outboundProxy
}

function problemOf(health: ProviderHealth): string | null {
  return health.status === 'failing' ? health.problem : null
}

function give(keys: Keys, wish: KeyWish): GivenKey {
  return keys instanceof KeyPool ? keys.lease(wish) : keys
}

/** @throws ProviderError no_key, or unavailable while the store cannot be read */
async function readUsableKeys(stored: StoredProvider, secrets: SecretStore): Promise<UsableKey[]> {
  const origin = originOf(stored)
  const keys = await readKeys(secrets, stored.id, origin)
  if (keys.usable.length === 0 && findProviderType(stored.type)?.keyRule === 'required') {
    throw new ProviderError('no_key', missingKeyMessage(keys, origin))
  }
  return keys.usable
}

async function readKeys(
  secrets: SecretStore,
  providerId: string,
  origin: string,
): Promise<ProviderKeys> {
  try {
    return await readProviderKeys(secrets, providerId, origin)
  } catch (cause) {
    if (!(cause instanceof SecretStoreError)) throw cause
    const message = 'its key cannot be read from the key store at the moment'
    throw new ProviderError('unavailable', message, { cause })
  }
}

/** Whether two providers are the same. One that was removed and added again may have another key. */
function isSameProvider(a: StoredProvider, b: StoredProvider): boolean {
  return (
    a.type === b.type &&
    a.baseUrl === b.baseUrl &&
    a.privateNetwork === b.privateNetwork &&
    a.createdAtMs === b.createdAtMs &&
    JSON.stringify(a.options) === JSON.stringify(b.options)
  )
}
