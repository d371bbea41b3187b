/** Choices of `cost_optimized` one after another, with the account that the choices before left. */
import type { RankParameters } from '../../src/shared/requests/detail.ts'
import { afterChoice, openedAccount } from '../../src/service/routing/loss-account.ts'
import { order } from '../../src/service/routing/order.ts'
import { sampleParameters } from '../../test/routing/sample-candidates.ts'
import type { Contender } from '../../src/service/routing/strategies/strategy.ts'

/** The model of each request, in their order. @param given  what differs from a new router's parameters */
export function spendAccount<One extends Contender>(
  requests: readonly (readonly One[])[],
  given: Partial<RankParameters> = {},
): One[] {
  let account = openedAccount
  return requests.flatMap((among) => {
    const parameters = { ...sampleParameters, ...given, account }
    const [chosen] = order(among, 'cost_optimized', parameters)
    if (!chosen) return []
    account = afterChoice(account, { among, chosen, paced: parameters.qualityPerUsd })
    return [chosen]
  })
}
