/**
 * The providers in use: each made on its first request, made anew when its configuration changes,
 * with what its last request or test said of it.
 */
import type { ProviderHealth } from '../shared/entities.ts'
import type { LocalModel } from './local/local-model.ts'
import { createOpenAiCompatible } from './providers/openai-compatible.ts'
import { findProviderType } from './providers/index.ts'
import {
  ProviderError,
  providerProblem,
  type Provider,
  type ProviderErrorKind,
} from './providers/provider.ts'
import { SecretStoreError, type SecretStore } from './secrets/secret-store.ts'
import type { LiveConfiguration } from './storage/live-configuration.ts'
import type { StoredProvider } from './storage/storage.ts'

export interface UpstreamsOptions {
  configuration: LiveConfiguration
  secrets: SecretStore
  localModel: LocalModel
  /** Certificate authorities trusted besides the system's, PEM. */
  extraCa: readonly string[]
  now: () => number
  /** A provider began to fail in a way only the user can mend. */
  onAlarm: (alarm: { providerId: string; message: string }) => void
}

export interface Upstreams {
  /** @throws ProviderError when it is not configured or its key cannot be read */
  open(providerId: string): Promise<Provider>
  health(providerId: string): ProviderHealth
  failed(providerId: string, error: ProviderError): void
  succeeded(providerId: string, latencyMs?: number): void
  /** Forgets a key that was read, so that the next request reads the store. */
  keyChanged(providerId: string): void
  close(): Promise<void>
}

const needsUser: ReadonlySet<ProviderErrorKind> = new Set(['no_key', 'auth', 'credit'])

interface Opened {
  stored: StoredProvider
  provider: Provider
}

export function createUpstreams(options: UpstreamsOptions): Upstreams {
  const opened = new Map<string, Opened>()
  const keys = new Map<string, string | null>()
  const healths = new Map<string, ProviderHealth>()

  async function readKey(stored: StoredProvider): Promise<string | null> {
    const known = keys.get(stored.id)
    if (known !== undefined) return known
    const key = await readStoredKey(options.secrets, stored.id)
    if (key === null && findProviderType(stored.type)?.keyRule === 'required') {
      throw new ProviderError('no_key', 'it has no key')
    }
    keys.set(stored.id, key)
    return key
  }

  function create(stored: StoredProvider): Provider {
    if (stored.type === 'local') return options.localModel
    const baseUrl = stored.baseUrl ?? findProviderType(stored.type)?.baseUrl
    if (!baseUrl) throw new ProviderError('unavailable', 'it has no address')
    return createOpenAiCompatible({
      baseUrl,
      apiKey: () => readKey(stored),
      privateNetwork: stored.privateNetwork,
      extraCa: options.extraCa,
    })
  }

  async function drop(providerId: string): Promise<void> {
    const known = opened.get(providerId)
    opened.delete(providerId)
    keys.delete(providerId)
    // The local model outlives its provider's row: the interface shows it either way.
    if (known && known.stored.type !== 'local') await known.provider.close()
  }

  const stopListening = options.configuration.onChange((_before, now) => {
    for (const [id, { stored }] of opened) {
      const current = now.providers.get(id)
      if (!current || !isSameProvider(current, stored)) void drop(id)
    }
  })

  return {
    async open(providerId) {
      const known = opened.get(providerId)
      if (known) return known.provider
      const stored = options.configuration.current().providers.get(providerId)
      if (!stored) throw new ProviderError('unavailable', 'its provider is not configured')
      const provider = create(stored)
      opened.set(providerId, { stored, provider })
      return provider
    },
    health: (providerId) => healths.get(providerId) ?? { status: 'unknown' },
    failed(providerId, error) {
      if (error.kind === 'request') return
      const problem = providerProblem(error.kind)
      const before = healths.get(providerId)
      const { message } = error
      healths.set(providerId, { status: 'failing', checkedAtMs: options.now(), problem, message })
      // The store may hold a better key by now.
      if (error.kind === 'auth') keys.delete(providerId)
      // A standing problem is told once.
      const isNews = before?.status !== 'failing' || before.problem !== problem
      if (needsUser.has(error.kind) && isNews)
        options.onAlarm({ providerId, message: `${providerId}: ${message}` })
    },
    succeeded(providerId, latencyMs = 0) {
      healths.set(providerId, { status: 'ok', checkedAtMs: options.now(), latencyMs })
    },
    keyChanged(providerId) {
      keys.delete(providerId)
      healths.delete(providerId)
    },
    async close() {
      stopListening()
      await Promise.all([...opened.keys()].map(drop))
    },
  }
}

async function readStoredKey(secrets: SecretStore, providerId: string): Promise<string | null> {
  try {
    return await secrets.get(providerId)
  } catch (error) {
    if (!(error instanceof SecretStoreError)) throw error
    throw new ProviderError('unavailable', 'its key cannot be read from the key store now', {
      cause: error,
    })
  }
}

function isSameProvider(a: StoredProvider, b: StoredProvider): boolean {
  return a.type === b.type && a.baseUrl === b.baseUrl && a.privateNetwork === b.privateNetwork
}
