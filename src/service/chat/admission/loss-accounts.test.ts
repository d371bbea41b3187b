/** The routers' accounts: opened from the newest decision of the ledger, and moved by each decision. */
import { describe, expect, test } from 'vitest'
import { sampleDetail, sampleRecord, sampleRouter } from '../../../../test/storage/samples.ts'
import type { DecisionRecord } from '../../../shared/requests/detail.ts'
import { afterDecision, openedAccount } from '../../routing/loss-account.ts'
import { contender, sampleParameters } from '../../../../test/routing/sample-candidates.ts'
import { LossAccounts } from './loss-accounts.ts'

const router = sampleRouter({ strategy: 'cost_optimized' })
const account = { choices: 70, qualityPerMeanCost: 0.3, meanCostUsd: 0.01 }

function decision(given: DecisionRecord['parameters']): DecisionRecord {
  const ranked = [
    contender('best', { quality: 0.8, costNanoUsd: 1_000 }, 0),
    contender('other', { quality: 0.7, costNanoUsd: 100 }, 1),
  ]
  return {
    ...sampleDetail().decision,
    parameters: given,
    ranked: ranked.map((one) => ({ ...one, reason: null })),
  }
}
const byAccount = decision({ ...sampleParameters, account })
const pinned = decision(null)

/** A ledger of these decisions, the newest first. */
function accountsOf(decisions: readonly DecisionRecord[]) {
  let reads = 0
  const accounts = new LossAccounts({
    page: async ({ before, limit }) => {
      reads += 1
      const start = before === null ? 0 : Number(before.id) + 1
      return decisions.slice(start, start + limit).map((one, index) => ({
        record: sampleRecord({ id: String(start + index) }),
        detail: { ...sampleDetail(), decision: one },
      }))
    },
  })
  return { accounts, reads: () => reads }
}

describe('the account of a router', () => {
  test('continues after a start where the newest decision with an account left it', async () => {
    const { accounts, reads } = accountsOf([pinned, byAccount, decision(sampleParameters)])

    await accounts.open(router)

    expect(accounts.accountOf(router)).toEqual(afterDecision(account, byAccount))
    expect(accounts.open(router)).toBeNull()
    expect(reads()).toBe(1)
  })

  test('continues behind the requests of a tuning run, which name their models', async () => {
    const ofRun = Array.from({ length: 1_300 }, () => pinned)
    const { accounts, reads } = accountsOf([...ofRun, byAccount])

    await accounts.open(router)

    expect(accounts.accountOf(router)).toEqual(afterDecision(account, byAccount))
    expect(reads()).toBe(4)
  })

  test('is opened anew behind more requests than are read', async () => {
    const { accounts, reads } = accountsOf(Array.from({ length: 20_000 }, () => pinned))

    await accounts.open(router)

    expect(accounts.accountOf(router)).toBe(openedAccount)
    expect(reads()).toBe(6)
  })

  test('is opened anew without such a decision, and where the ledger cannot be read', async () => {
    const { accounts } = accountsOf([pinned])
    await accounts.open(router)
    expect(accounts.accountOf(router)).toBe(openedAccount)

    const unread = new LossAccounts({ page: () => Promise.reject(new Error('no storage')) })
    await unread.open(router)
    expect(unread.accountOf(router)).toBe(openedAccount)
    expect(unread.open(router)).toBeNull()
  })

  test('is not moved back by a second request that opened it at the same time', async () => {
    const { accounts } = accountsOf([byAccount])
    const opening = [accounts.open(router), accounts.open(router)]
    await opening[0]
    accounts.chosen(router, byAccount)
    await opening[1]

    expect(accounts.accountOf(router).choices).toBe(72)
  })

  test('moves with each decision that was made by it', async () => {
    const { accounts } = accountsOf([])
    await accounts.open(router)

    accounts.chosen(router, byAccount)
    accounts.chosen(router, decision(sampleParameters))
    accounts.chosen(router, pinned)

    expect(accounts.accountOf(router)).toEqual(afterDecision(openedAccount, byAccount))
  })

  test('is never read for a strategy without one', () => {
    const { accounts, reads } = accountsOf([])

    expect(accounts.open({ ...router, strategy: 'priority' })).toBeNull()
    const routing = { ...router.routing, qualityTolerance: 0.05 }
    expect(accounts.open({ ...router, routing })).toBeNull()
    expect(reads()).toBe(0)
  })
})
