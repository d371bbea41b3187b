/**
 * Requests in progress. Revoking a key aborts its requests, a stopping service waits for all of them, a paused one
 * starts none, and limits keep one caller from taking all sockets and memory.
 */
import { ServiceError } from '../../errors.ts'

/** How many requests may be in progress at once. */
export interface ConcurrencyLimits {
  total: number
  perKey: number
}

export interface ActiveRequest {
  signal: AbortSignal
  abort(reason: Error): void
  end(): void
}

export class ActiveRequests {
  readonly #limits: () => ConcurrencyLimits
  readonly #running = new Map<AbortController, string>()
  readonly #runningByKey = new Map<string, number>()
  #onIdle: (() => void) | null = null
  #isStopping = false
  #isDraining = false
  #isPaused = false

  /** @param limits  read again for each request, because settings change */
  constructor(limits: () => ConcurrencyLimits) {
    this.#limits = limits
  }

  /** Why a request of this key cannot start now; null when it can. */
  refusal(apiKeyId: string): ServiceError | null {
    if (this.#isDraining) return stopping()
    if (this.#isPaused) return paused()
    const { total, perKey } = this.#limits()
    if (this.#running.size >= total) return tooMany('Modelport', total)
    if (this.#countOf(apiKeyId) >= perKey) return tooMany('This API key', perKey)
    return null
  }

  /** Why a load balancer should send no requests; null when it may. Limits that are reached are no reason. */
  unreadiness(): ServiceError | null {
    if (this.#isStopping) return stopping()
    return this.#isPaused ? paused() : null
  }

  /** Whether answers should end their connections, because the service stops soon. */
  get isStopping(): boolean {
    return this.#isStopping
  }

  /** Announces the stop to load balancers; requests are still answered until `drain`. */
  announceStop(): void {
    this.#isStopping = true
  }

  get isPaused(): boolean {
    return this.#isPaused
  }

  /** Refuses new requests until it is called with false; requests in progress continue. */
  setPaused(isPaused: boolean): void {
    this.#isPaused = isPaused
  }

  /** @throws ServiceError overloaded, while paused, once the service is stopping or a limit is reached */
  start(apiKeyId: string): ActiveRequest {
    const refusal = this.refusal(apiKeyId)
    if (refusal) throw refusal
    const controller = new AbortController()
    this.#running.set(controller, apiKeyId)
    this.#runningByKey.set(apiKeyId, this.#countOf(apiKeyId) + 1)
    return {
      signal: controller.signal,
      abort: (reason) => controller.abort(reason),
      end: () => {
        if (!this.#running.delete(controller)) return
        const left = this.#countOf(apiKeyId) - 1
        if (left === 0) this.#runningByKey.delete(apiKeyId)
        else this.#runningByKey.set(apiKeyId, left)
        if (this.#running.size === 0) this.#onIdle?.()
      },
    }
  }

  /** The number of requests in progress. */
  get count(): number {
    return this.#running.size
  }

  /** Aborts the requests of the keys that `isCut` selects. */
  abortWhere(isCut: (apiKeyId: string) => boolean, reason: Error): void {
    for (const [controller, apiKeyId] of this.#running) {
      if (isCut(apiKeyId)) controller.abort(reason)
    }
  }

  /** Refuses new requests; resolves when none is in progress or the time is over. */
  async drain(limitMs: number): Promise<void> {
    this.#isStopping = true
    this.#isDraining = true
    if (this.#running.size === 0) return
    let timer: NodeJS.Timeout | undefined
    await new Promise<void>((resolve) => {
      this.#onIdle = resolve
      timer = setTimeout(resolve, limitMs)
    })
    clearTimeout(timer)
  }

  #countOf(apiKeyId: string): number {
    return this.#runningByKey.get(apiKeyId) ?? 0
  }
}

function tooMany(who: string, limit: number): ServiceError {
  const requests = limit === 1 ? '1 request' : `${limit.toLocaleString('en')} requests`
  const message = `${who} has reached its limit of ${requests} at once. Try again shortly.`
  return new ServiceError('overloaded', message, { headers: { 'retry-after': '2' } })
}

/** Error while paused. An SDK must not retry, because only a person ends the pause. Other clients get a long wait. */
function paused(): ServiceError {
  return new ServiceError('overloaded', 'Modelport is paused. Resume serving in its window.', {
    headers: { 'x-should-retry': 'false', 'retry-after': '60' },
  })
}

/** The error for requests that a stopping service refuses or aborts. */
export function stopping(): ServiceError {
  return new ServiceError('overloaded', 'Modelport is stopping. Try again shortly.', {
    headers: { 'retry-after': '2', connection: 'close' },
  })
}
