/**
 * Logs failures of providers: the first of each kind at once, and then one line a minute with their count, so that a
 * provider that is down for a day does not fill the log.
 */
import type { Log } from '../data-folder/log.ts'
import type { ProviderError } from '../providers/provider.ts'

export interface ProviderFailuresOptions {
  log: Pick<Log, 'noted'>
  /** Unix milliseconds. */
  now(): number
}

const logEveryMs = 60_000

interface Logged {
  atMs: number
  /** Failures since that line. */
  count: number
}

export class ProviderFailures {
  readonly #options: ProviderFailuresOptions
  /** Logged failures by provider, kind and status: at most some dozens per provider. */
  readonly #logged = new Map<string, Logged>()

  constructor(options: ProviderFailuresOptions) {
    this.#options = options
  }

  /** @param error  its message is Modelport's own words; the upstream's text is never logged */
  add(provider: string, { kind, status, message }: ProviderError): void {
    const { log, now } = this.#options
    const name = `${provider} ${kind} ${status}`
    const nowMs = now()
    const logged = this.#logged.get(name)
    if (logged && Math.abs(nowMs - logged.atMs) < logEveryMs) {
      logged.count += 1
      return
    }
    this.#logged.set(name, { atMs: nowMs, count: 0 })
    log.noted('a provider failed', {
      provider,
      kind,
      ...(status === null ? {} : { status: String(status) }),
      message,
      sinceLastLine: String((logged?.count ?? 0) + 1),
    })
  }
}
