/** Requests in progress. Revoking a key aborts its requests, and a stopping service waits for all of them. */
import { ServiceError } from '../errors.ts'

export interface ActiveRequest {
  signal: AbortSignal
  abort(reason: Error): void
  end(): void
}

export class ActiveRequests {
  readonly #running = new Map<AbortController, string>()
  #onIdle: (() => void) | null = null
  #isDraining = false

  /** @throws ServiceError overloaded, once the service is stopping */
  start(apiKeyId: string): ActiveRequest {
    if (this.#isDraining) throw stopping()
    const controller = new AbortController()
    this.#running.set(controller, apiKeyId)
    return {
      signal: controller.signal,
      abort: (reason) => controller.abort(reason),
      end: () => {
        this.#running.delete(controller)
        if (this.#running.size === 0) this.#onIdle?.()
      },
    }
  }

  /** Whether the service is stopping. */
  get isDraining(): boolean {
    return this.#isDraining
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
    this.#isDraining = true
    if (this.#running.size === 0) return
    let timer: NodeJS.Timeout | undefined
    await new Promise<void>((resolve) => {
      this.#onIdle = resolve
      timer = setTimeout(resolve, limitMs)
    })
    clearTimeout(timer)
  }
}

/** The error for requests that a stopping service refuses or aborts. */
export function stopping(): ServiceError {
  return new ServiceError('overloaded', 'Modelport is stopping. Try again shortly.', {
    headers: { 'retry-after': '2', connection: 'close' },
  })
}
