/**
 * The routers' accounts of allowed loss, in memory. The ledger is where they are kept: each decision records the
 * account that it was made with, so the first request after a start continues from the newest decision. Several
 * nodes each continue on their own, and each keeps the mean.
 */
import type { Router } from '../../../shared/entities.ts'
import type { DecisionRecord, LossAccount } from '../../../shared/requests/detail.ts'
import { strategyProfiles } from '../../../shared/routers/strategies.ts'
import { afterDecision, openedAccount } from '../../routing/loss-account.ts'
import type { Ledger } from '../../storage/storage.ts'

/** Requests that name a model are made without the account: a few of them, or the thousands of a tuning run. */
const pageRows = { first: 20, next: 500 }
const mostRows = 2_500

export class LossAccounts {
  readonly #ledger: Pick<Ledger, 'page'>
  readonly #accounts = new Map<string, LossAccount>()
  readonly #opening = new Map<string, Promise<void>>()

  constructor(ledger: Pick<Ledger, 'page'>) {
    this.#ledger = ledger
  }

  accountOf({ id }: Pick<Router, 'id'>): LossAccount {
    return this.#accounts.get(id) ?? openedAccount
  }

  /**
   * Opens the router's account; without a ledger it starts anew.
   * @returns null once it is open, or if the router has none; never rejects
   */
  open({
    id,
    strategy,
    routing,
  }: Pick<Router, 'id' | 'strategy' | 'routing'>): Promise<void> | null {
    const hasAccount = strategyProfiles[strategy].spendsAccount && routing.qualityTolerance === null
    if (!hasAccount || this.#accounts.has(id)) return null
    // Requests at the same time open it once.
    const opening =
      this.#opening.get(id) ?? this.#openFromLedger(id).finally(() => void this.#opening.delete(id))
    this.#opening.set(id, opening)
    return opening
  }

  async #openFromLedger(routerId: string): Promise<void> {
    const last = await this.#newestWithAccount(routerId).catch(() => null)
    const account = last?.parameters?.account
    this.#accounts.set(routerId, last && account ? afterDecision(account, last) : openedAccount)
  }

  async #newestWithAccount(routerId: string): Promise<DecisionRecord | null> {
    let before: Parameters<Ledger['page']>[0]['before'] = null
    for (let limit = pageRows.first, read = 0; read < mostRows; limit = pageRows.next) {
      const rows = await this.#ledger.page({ routerId, sinceMs: 0, before, limit })
      const decisions = rows.map(({ detail }) => detail.decision)
      const last = decisions.find(({ parameters }) => parameters?.account)
      if (last) return last
      before = rows.at(-1)?.record ?? null
      read += rows.length
      if (rows.length < limit) return null
    }
    return null
  }

  /** Moves the router's account by what a decision chose. */
  chosen({ id }: Pick<Router, 'id'>, decision: DecisionRecord): void {
    if (!decision.parameters?.account) return
    this.#accounts.set(id, afterDecision(this.accountOf({ id }), decision))
  }
}
