/**
 * What is known about the models of servers that people run themselves: how fast each is, and whether it is in
 * memory. Servers are never asked about it: their answers show it, and a search for servers.
 */
import type { ServedModel, ServedSpeed } from '../../shared/models/model-servers.ts'
import type { ServerTimings } from './provider.ts'

/** The weight of the latest answer in a model's figures. */
const weight = 0.3
/** Least time to load a model; a faster one is already in memory. */
const leastLoadMs = 500
/** Least tokens to measure; shorter prompts and answers show more of the overhead than of the speed. */
const leastTokens = 8

export interface ModelServersOptions {
  /**
   * How long a server of this provider keeps a model in memory after its last answer; Infinity: until it stops.
   * Null when the provider is no model server.
   */
  keepsLoadedMs(providerId: string): number | null
  /** Unix milliseconds. */
  now(): number
}

interface Sighting {
  atMs: number
  isLoaded: boolean
}

export class ModelServers {
  readonly #options: ModelServersOptions
  readonly #speeds = new Map<string, ServedSpeed>()
  /** Models that the last search for servers showed. */
  readonly #sightings = new Map<string, Sighting>()

  constructor(options: ModelServersOptions) {
    this.#options = options
  }

  /** Figures of an earlier run. */
  restore(modelId: string, speed: ServedSpeed): void {
    this.#speeds.set(modelId, speed)
  }

  /** @param timings  null for a server that does not report them */
  answered(modelId: string, timings: ServerTimings | null): void {
    if (this.#options.keepsLoadedMs(providerOf(modelId)) === null) return
    const before = this.#speeds.get(modelId)
    const { loadMs = null } = timings ?? {}
    this.#speeds.set(modelId, {
      atMs: this.#options.now(),
      msPerPromptToken: mix(before?.msPerPromptToken, perToken(timings, 'prompt')),
      msPerToken: mix(before?.msPerToken, perToken(timings, 'output')),
      loadMs: mix(before?.loadMs, loadMs !== null && loadMs >= leastLoadMs ? loadMs : null),
    })
  }

  /** A search showed whether the model is in memory. */
  seen(modelId: string, isLoaded: boolean): void {
    this.#sightings.set(modelId, { atMs: this.#options.now(), isLoaded })
  }

  speedOf(modelId: string): ServedSpeed | undefined {
    return this.#speeds.get(modelId)
  }

  /** @returns null when it is not known, or when the provider is no model server */
  isLoaded(modelId: string): boolean | null {
    const keptMs = this.#options.keepsLoadedMs(providerOf(modelId))
    if (keptMs === null) return null
    const sighting = this.#sightings.get(modelId)
    const answeredAtMs = this.#speeds.get(modelId)?.atMs ?? -Infinity
    const isSightingNewer = sighting !== undefined && sighting.atMs > answeredAtMs
    if (isSightingNewer && !sighting.isLoaded) return false
    const usedAtMs = isSightingNewer ? sighting.atMs : answeredAtMs
    if (usedAtMs === -Infinity) return null
    return this.#options.now() < usedAtMs + keptMs
  }

  /** The models of a provider that answered since the figures were first kept, the fastest first. */
  modelsOf(providerId: string): ServedModel[] {
    return [...this.#speeds]
      .filter(([modelId]) => modelId.startsWith(`${providerId}:`))
      .map(([modelId, speed]) => ({ modelId, ...speed, isLoaded: this.isLoaded(modelId) }))
      .toSorted((a, b) => (a.msPerToken ?? Infinity) - (b.msPerToken ?? Infinity))
  }

  /** Forgets a provider that was removed, or whose address changed. */
  forget(providerId: string): void {
    for (const known of [this.#speeds, this.#sightings]) {
      for (const modelId of known.keys()) {
        if (modelId.startsWith(`${providerId}:`)) known.delete(modelId)
      }
    }
  }
}

function providerOf(modelId: string): string {
  return modelId.slice(0, modelId.indexOf(':'))
}

function perToken(timings: ServerTimings | null, part: 'prompt' | 'output'): number | null {
  if (timings === null) return null
  const { promptTokens, promptMs, outputTokens, outputMs } = timings
  const [tokens, ms] = part === 'prompt' ? [promptTokens, promptMs] : [outputTokens, outputMs]
  return tokens === null || ms === null || tokens < leastTokens || ms <= 0 ? null : ms / tokens
}

/** A mean of logarithms, in which twice as slow weighs as much as twice as fast. */
function mix(before: number | null | undefined, latest: number | null): number | null {
  if (latest === null) return before ?? null
  if (before === null || before === undefined) return latest
  return Math.exp(Math.log(before) * (1 - weight) + Math.log(latest) * weight)
}
