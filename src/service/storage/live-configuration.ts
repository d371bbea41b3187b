/**
 * The configuration in memory, so that a request costs no query. It is read again after every change by this
 * process, and within half a second after a change by another process, which the storage notices.
 */
import { z } from 'zod'
import type { Router } from '../../shared/entities.ts'
import { datedPriceSchema, type DatedPrice } from '../../shared/models/dated-price.ts'
import { settings, type SettingName, type Settings } from '../../shared/app/settings.ts'
import { lookAfterChanges } from './look-again.ts'
import type {
  Configuration,
  Storage,
  StoredAgent,
  StoredApiKey,
  StoredModel,
  StoredProvider,
} from './storage.ts'

const pollMs = 500
/** Comparisons that requests ask for begin at most this often, whoever sends them. */
const leastGapMs = 50

/** One consistent snapshot, indexed for the request path. */
export interface ConfigurationIndex {
  version: number
  providers: ReadonlyMap<string, StoredProvider>
  models: ReadonlyMap<string, StoredModel>
  listedModels: Readonly<Record<string, readonly string[]>>
  routers: ReadonlyMap<string, Router>
  apiKeys: ReadonlyMap<string, StoredApiKey>
  apiKeysBySha256: ReadonlyMap<string, StoredApiKey>
  /** Ids of each key's rotations, starting with the first key and including its own, by the key's id. */
  keyRotations: ReadonlyMap<string, readonly string[]>
  /** Agents by slug. */
  agents: ReadonlyMap<string, StoredAgent>
  settings: Settings
  /** The model that a person chose for a coding agent's session, by `nameOfSession`. */
  sessionPins: ReadonlyMap<string, string>
  /** Prices that the user corrected from a date on. */
  datedPrices: readonly DatedPrice[]
}

export interface LiveConfiguration {
  current(): ConfigurationIndex
  /** Reads everything again; resolves once `current()` returns it. */
  refresh(): Promise<void>
  /** Compares the version with the stored one now; resolves once `current()` has what was stored at the call. */
  compare(): Promise<void>
  /** Called after each change, with the configuration before and after it. */
  onChange(listener: (before: ConfigurationIndex, now: ConfigurationIndex) => void): () => void
  /** How long ago the version was compared with the stored one, in ms. */
  ageMs(): number
  close(): void
}

/**
 * @param onError  called when the store could not be read (the last snapshot stays in use), and when a listener
 *   throws
 */
export async function openLiveConfiguration(
  {
    configuration: store,
    onChange,
    onConfigurationHint,
  }: Pick<Storage, 'configuration' | 'onChange' | 'onConfigurationHint'>,
  onError: (error: unknown) => void,
): Promise<LiveConfiguration> {
  let current = indexConfiguration(await store.read())
  let comparedAtMs = performance.now()
  const listeners = new Set<Parameters<LiveConfiguration['onChange']>[0]>()

  // After a fail-over that lost a change, the version is lower than before.
  const refresh = inTurn(async () => {
    const now = indexConfiguration(await store.read())
    if (now.version === current.version) return
    const before = current
    current = now
    for (const listener of listeners) {
      try {
        listener(before, now)
      } catch (error) {
        // The other listeners must still be called: one of them closes the connections of revoked keys.
        onError(error)
      }
    }
  })

  async function poll(): Promise<void> {
    const beganAtMs = performance.now()
    if ((await store.version()) !== current.version) await refresh()
    comparedAtMs = Math.max(comparedAtMs, beganAtMs)
  }

  const looks = lookAfterChanges({
    // This process reads its own changes at once.
    onChange: (look) => onChange((by) => by === 'another process' && look()),
    periodMs: pollMs,
    look: poll,
    onError,
  })
  const stopHints = onConfigurationHint(() => void poll().catch(onError))

  return {
    current: () => current,
    ageMs: () => performance.now() - comparedAtMs,
    refresh,
    compare: spaced(poll),
    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    close() {
      looks.stop()
      stopHints()
    },
  }
}

export function indexConfiguration(read: Configuration): ConfigurationIndex {
  return {
    version: read.version,
    providers: new Map(read.providers.map((provider) => [provider.id, provider])),
    models: new Map(read.models.map((model) => [model.id, model])),
    listedModels: read.listedModels,
    routers: new Map(read.routers.map((router) => [router.id, router])),
    apiKeys: new Map(read.apiKeys.map((key) => [key.id, key])),
    apiKeysBySha256: new Map(read.apiKeys.map((key) => [key.sha256, key])),
    keyRotations: indexRotations(read.apiKeys),
    agents: new Map(read.agents.map((agent) => [agent.slug, agent])),
    settings: parseSettings(read.settings),
    sessionPins: parsePins(read.settings[sessionPinsName]),
    datedPrices: datedPricesSchema.safeParse(read.settings[datedPricesName]).data ?? [],
  }
}

/** Stored beside the settings, and none of them: it has no place on their page, and no file has it. */
export const sessionPinsName = 'sessionPins'
const pinsSchema = z.array(z.tuple([z.string(), z.string()]))

function parsePins(stored: unknown): ReadonlyMap<string, string> {
  const { data = [] } = pinsSchema.safeParse(stored)
  return new Map(data)
}

/** Stored like the pins. */
export const datedPricesName = 'datedPrices'
const datedPricesSchema = z.array(datedPriceSchema)

/** Keys that replaced each other share one list. */
function indexRotations(keys: readonly StoredApiKey[]): ReadonlyMap<string, readonly string[]> {
  const successors = new Map(keys.map(({ id, rotatedFromId }) => [rotatedFromId, id]))
  const rotations = new Map<string, readonly string[]>()
  for (const { id: firstId, rotatedFromId } of keys) {
    if (rotatedFromId !== null) continue
    const ids: string[] = []
    for (let id: string | undefined = firstId; id !== undefined; id = successors.get(id)) {
      ids.push(id)
      rotations.set(id, ids)
    }
  }
  return rotations
}

/** A stored value that no longer fits its schema (from an older version) counts as not set. */
function parseSettings(stored: Record<string, unknown>): Settings {
  const entries = Object.entries(settings).map(([name, setting]) => {
    const parsed = setting.schema.safeParse(stored[name])
    return [name, parsed.success ? parsed.data : setting.default]
  })
  // Each value was parsed by its own schema, as the type declares.
  return Object.fromEntries(entries) as Record<SettingName, unknown> as Settings
}

/** Calls one read at a time, so that an older result cannot replace a newer one. */
function inTurn(read: () => Promise<void>): () => Promise<void> {
  let last: Promise<unknown> = Promise.resolve()
  const next = sharedCalls(() => last, read)
  return () => {
    const reading = next()
    last = reading.catch(() => null)
    return reading
  }
}

/** Calls at most once in each `leastGapMs`. */
function spaced(call: () => Promise<void>): () => Promise<void> {
  let lastBeganAtMs = -Infinity
  return sharedCalls(
    () => wait(lastBeganAtMs + leastGapMs - performance.now()),
    () => {
      lastBeganAtMs = performance.now()
      return call()
    },
  )
}

/** Calls that arrive while one waits share it; one that has begun may have read an earlier state. */
function sharedCalls(
  untilItMayBegin: () => Promise<unknown>,
  call: () => Promise<void>,
): () => Promise<void> {
  let next: Promise<void> | null = null
  return () => {
    next ??= untilItMayBegin().then(() => {
      next = null
      return call()
    })
    return next
  }
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, Math.max(0, ms))
  })
}
