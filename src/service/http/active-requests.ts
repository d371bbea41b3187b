/** Requests being answered, so that a revoked key's can be cut and a stopping service can wait. */
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

  /** How many are being answered. */
  get count(): number {
    return this.#running.size
  }

  /** Aborts what the keys chosen by `isCut` are still being answered. */
  abortWhere(isCut: (apiKeyId: string) => boolean, reason: Error): void {
    for (const [controller, apiKeyId] of this.#running) {
      if (isCut(apiKeyId)) controller.abort(reason)
    }
  }

  /** Lets no more begin; resolves when none is running or the time is over. */
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

/** What a request is told that a stopping service turns away or cuts. */
export function stopping(): ServiceError {
  return new ServiceError('overloaded', 'Modelport is stopping. Try again shortly.', {
    headers: { 'retry-after': '2', connection: 'close' },
  })
}
