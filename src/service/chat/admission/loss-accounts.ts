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

/** Requests that name a model are made without the account. */
const newestRows = 20

export class LossAccounts {
  readonly #ledger: Pick<Ledger, 'page'>
  readonly #accounts = new Map<string, LossAccount>()

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
  open({ id, strategy }: Pick<Router, 'id' | 'strategy'>): Promise<void> | null {
    if (this.#accounts.has(id) || !strategyProfiles[strategy].spendsAccount) return null
    return this.#openFromLedger(id)
  }

  async #openFromLedger(routerId: string): Promise<void> {
    const query = { routerId, sinceMs: 0, before: null, limit: newestRows }
    const rows = await this.#ledger.page(query).catch(() => [])
    const decisions = rows.map(({ detail }) => detail.decision)
    const last = decisions.find(({ parameters }) => parameters?.account)
    const account = last?.parameters?.account
    // Requests at the same time open it once.
    if (this.#accounts.has(routerId)) return
    this.#accounts.set(routerId, last && account ? afterDecision(account, last) : openedAccount)
  }

  /** Moves the router's account by what a decision chose. */
  chosen({ id }: Pick<Router, 'id'>, decision: DecisionRecord): void {
    if (!decision.parameters?.account) return
    this.#accounts.set(id, afterDecision(this.accountOf({ id }), decision))
  }
}
