/** Delivers alerts to the user's webhook, one after another, again after failures and after a restart. */
import type { BudgetAlert } from '../../shared/routers/budget-alert.ts'
import type { BudgetAlertStore } from '../storage/budget-alert-store.ts'

export interface WebhookAddress {
  url: string
  /** Allows an address in a private network. */
  privateNetwork: boolean
}

export interface WebhookOptions {
  store: Pick<BudgetAlertStore, 'waiting' | 'settle'>
  /** @returns null when the user has set none; read again for each attempt */
  address(): WebhookAddress | null
  fetch(address: WebhookAddress, init: RequestInit): Promise<Response>
  /** Rejects when the signal aborts. */
  wait(ms: number, signal: AbortSignal): Promise<void>
  /** Called when an alert is given up. @param problem  why the last attempt failed */
  onGiveUp(alert: BudgetAlert, problem: string): void
  onError(error: unknown): void
  now(): number
}

/** Waits after the first attempt and each further one. */
const waitsMs = [1_000, 5_000, 30_000, 120_000, 600_000]
const attemptMs = 10_000
/** Older alerts that a restart finds are not news any more. */
const freshMs = 24 * 3_600_000

export class Webhook {
  readonly #options: WebhookOptions
  readonly #stop = new AbortController()
  #delivering: Promise<void> = Promise.resolve()

  constructor(options: WebhookOptions) {
    this.#options = options
  }

  /** Delivers what waits in the store; called after a start and after each new alert. */
  deliver(): void {
    this.#delivering = this.#delivering
      .then(() => this.#deliverWaiting())
      .catch((error: unknown) => {
        if (!this.#stop.signal.aborted) this.#options.onError(error)
      })
  }

  /** Sends an example. @throws WebhookFailed */
  async test(): Promise<void> {
    const address = this.#options.address()
    if (address === null) throw new WebhookFailed('no webhook is set', false)
    await this.#post(address, { type: 'test', createdAt: iso(this.#options.now()) })
  }

  /** Stops; alerts that wait are delivered after the next start. */
  async close(): Promise<void> {
    this.#stop.abort()
    await this.#delivering
  }

  async #deliverWaiting(): Promise<void> {
    const { store, now } = this.#options
    for (const alert of await store.waiting(now() - freshMs)) {
      if (this.#stop.signal.aborted) return
      await this.#deliverOne(alert)
      await store.settle(alert.id)
    }
  }

  async #deliverOne(alert: BudgetAlert): Promise<void> {
    for (let attempt = 0; ; attempt += 1) {
      const address = this.#options.address()
      if (address === null) return
      try {
        await this.#post(address, webhookBody(alert))
        return
      } catch (error) {
        if (!(error instanceof WebhookFailed)) throw error
        const waitMs = waitsMs[attempt]
        if (!error.isTemporary || waitMs === undefined) {
          this.#options.onGiveUp(alert, error.message)
          return
        }
        await this.#options.wait(waitMs, this.#stop.signal)
      }
    }
  }

  async #post(address: WebhookAddress, body: unknown): Promise<void> {
    let response: Response
    try {
      response = await this.#options.fetch(address, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'user-agent': 'modelport' },
        body: JSON.stringify(body),
        // A redirect could lead to an address that the guard refuses, or leak the alert.
        redirect: 'manual',
        signal: AbortSignal.any([this.#stop.signal, AbortSignal.timeout(attemptMs)]),
      })
    } catch (cause) {
      this.#stop.signal.throwIfAborted()
      if (cause instanceof WebhookFailed) throw cause
      throw new WebhookFailed(problemOf(cause), true, { cause })
    }
    await response.body?.cancel()
    if (response.status >= 200 && response.status < 300) return
    const isTemporary = response.status >= 500 || [408, 425, 429].includes(response.status)
    throw new WebhookFailed(`it answered with status ${response.status}`, isTemporary)
  }
}

/** `message` completes “The webhook failed: …”. */
export class WebhookFailed extends Error {
  override readonly name = 'WebhookFailed'
  /** Whether a later attempt may succeed. */
  readonly isTemporary: boolean

  constructor(message: string, isTemporary: boolean, options?: ErrorOptions) {
    super(message, options)
    this.isTemporary = isTemporary
  }
}

function webhookBody({ id, owner, level, usedUsd, limitUsd, period, createdAtMs }: BudgetAlert) {
  const named = { id: owner.id, name: owner.name }
  return {
    type: 'budget_alert',
    id,
    router: owner.kind === 'router' ? named : null,
    key: owner.kind === 'key' ? named : null,
    level,
    usedUsd,
    limitUsd,
    period: { per: period.per, start: iso(period.startMs), end: iso(period.endMs) },
    createdAt: iso(createdAtMs),
  }
}

function iso(timeMs: number): string {
  return new Date(timeMs).toISOString()
}

/** Describes the failure without the address, which may contain a token. */
function problemOf(error: unknown): string {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause.name === 'TimeoutError') return 'it did not answer within 10 s'
    if ('code' in cause && cause.code === 'ADDRESS_NOT_ALLOWED')
      return 'the address is in a private or reserved network; allow private networks if the server is yours'
    if (cause.name === 'ProxyFailed') return cause.message
  }
  return 'it cannot be reached'
}
