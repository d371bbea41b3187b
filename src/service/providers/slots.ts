/**
 * A model server answers one request at a time, or a few. Further ones wait here in their order and not at the
 * server, because the server would go on with the requests of callers who have left: Modelport closes the
 * connection of such a request at once, which frees its slot for the next one.
 */
import {
  ProviderError,
  type Provider,
  type ProviderChunk,
  type ProviderRequest,
} from './provider.ts'

/** Requests that may wait for each slot. */
const mostWaitingPerSlot = 16

interface SlotOptions {
  slots: number
  /** Milliseconds. */
  now(): number
}

export class SlottedProvider implements Provider {
  readonly leftOut: Provider['leftOut']
  readonly originalWire: Provider['originalWire']
  readonly fitOriginal: Provider['fitOriginal']
  readonly takesChatForm: Provider['takesChatForm']
  readonly nearestEffort: Provider['nearestEffort']
  readonly embed: Provider['embed']
  readonly #provider: Provider
  readonly #options: SlotOptions
  readonly #waiting: (() => void)[] = []
  #busy = 0

  constructor(provider: Provider, options: SlotOptions) {
    this.#provider = provider
    this.#options = options
    this.leftOut = provider.leftOut
    this.originalWire = provider.originalWire
    this.fitOriginal = provider.fitOriginal
    this.takesChatForm = provider.takesChatForm
    this.nearestEffort = provider.nearestEffort
    const { embed } = provider
    this.embed =
      embed &&
      (async (request, signal) => {
        await this.#enter(signal)
        try {
          return await embed(request, signal)
        } finally {
          this.#leave()
        }
      })
  }

  load(): number {
    return (this.#busy + this.#waiting.length) / this.#options.slots
  }

  async *stream(
    request: ProviderRequest,
    signal: AbortSignal,
  ): AsyncGenerator<ProviderChunk, void> {
    const queuedMs = await this.#enter(signal)
    try {
      let isFirst = true
      for await (const chunk of this.#provider.stream(request, signal)) {
        if (isFirst && queuedMs > 0) chunk.queuedMs = queuedMs
        isFirst = false
        yield chunk
      }
    } finally {
      this.#leave()
    }
  }

  async complete(request: ProviderRequest, signal: AbortSignal): Promise<ProviderChunk> {
    const queuedMs = await this.#enter(signal)
    try {
      return { ...(await this.#provider.complete(request, signal)), queuedMs }
    } finally {
      this.#leave()
    }
  }

  listModels(signal: AbortSignal): Promise<string[]> {
    return this.#provider.listModels(signal)
  }

  close(): Promise<void> {
    return this.#provider.close()
  }

  /** Resolves when a slot is free, to the time that it took. @throws ProviderError; the signal's reason */
  async #enter(signal: AbortSignal): Promise<number> {
    signal.throwIfAborted()
    const { slots, now } = this.#options
    if (this.#busy < slots) {
      this.#busy += 1
      return 0
    }
    if (this.#waiting.length >= slots * mostWaitingPerSlot) {
      throw new ProviderError('unavailable', 'too many requests already wait for this server', {
        isBusy: true,
      })
    }
    const sinceMs = now()
    await this.#wait(signal)
    return Math.max(0, now() - sinceMs)
  }

  /** The slot passes on to the next request without becoming free. */
  #leave(): void {
    const next = this.#waiting.shift()
    if (next) next()
    else this.#busy -= 1
  }

  #wait(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const fail: (reason: unknown) => void = reject
      const goAhead = () => {
        signal.removeEventListener('abort', giveUp)
        resolve()
      }
      const giveUp = () => {
        this.#waiting.splice(this.#waiting.indexOf(goAhead), 1)
        fail(signal.reason)
      }
      this.#waiting.push(goAhead)
      signal.addEventListener('abort', giveUp, { once: true })
    })
  }
}
