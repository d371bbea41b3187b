/** What a router's requests would have cost under settings that are not saved yet. */
import { expect, test } from 'vitest'
import type { DraftReplayQuery } from '../../src/shared/routers/replay.ts'
import { works } from '../attempts/failing-models.ts'
import { hello, startTestService } from '../test-service.ts'

const dear = 'fake:dear'
const cheap = 'fake:cheap'

/** Three answered requests of a router with one of two models. */
async function startAnswered() {
  const running = await startTestService({
    models: { dear: works, cheap: works },
    router: { models: [dear], strategy: 'priority' },
  })
  const { service, post, ledger } = running
  const price = (id: string, usdPerMtok: number) =>
    service.dashboard.saveModel({
      id,
      inputUsdPerMtok: usdPerMtok,
      outputUsdPerMtok: usdPerMtok,
      contextTokens: 8_000,
      quality: 0.8,
    })
  await price(dear, 10)
  await price(cheap, 1)
  for (let sent = 0; sent < 3; sent += 1) await (await post('chat/completions', hello)).text()
  await ledger(3)
  return running
}

test('a model that is added to the draft is estimated for requests that it never competed for', async () => {
  const { service, fake, routerId } = await startAnswered()
  const received = fake.requests.length
  const replay = (draft: DraftReplayQuery['draft']) => service.usage.replay({ routerId, draft })

  const same = await replay({ strategy: 'priority', models: [dear] })
  const cheaper = await replay({ strategy: 'cost_optimized', models: [dear, cheap] })

  expect(same).toMatchObject({ requests: 3, replayed: 3, changed: 0 })
  expect(same.expected.costUsd.mid).toBeCloseTo(same.actual.costUsd, 12)
  expect(cheaper).toMatchObject({ replayed: 3, changed: 3, models: [{ model: cheap }, {}] })
  expect(cheaper.expected.costUsd.mid).toBeLessThan(cheaper.actual.costUsd)
  expect(fake.requests).toHaveLength(received)
})

test('requests that no model of the draft could take are counted as such', async () => {
  const { service, routerId } = await startAnswered()
  const models = [dear, cheap]

  const capped = await service.usage.replay({
    routerId,
    draft: { strategy: 'priority', models, routing: { maxCostUsdPerRequest: 1e-9 } },
  })
  const newest = await service.usage.replay({
    routerId,
    draft: { strategy: 'priority', models },
    limit: 2,
  })

  expect(capped).toMatchObject({ requests: 3, replayed: 0, skipped: { no_model: 3 } })
  expect(newest).toMatchObject({ requests: 2, replayed: 2, isCut: true })
})

test('a draft of an unknown router is refused', async () => {
  const { service } = await startTestService()
  const query = { routerId: 'router_x', draft: { strategy: 'priority' as const, models: [dear] } }

  await expect(service.usage.replay(query)).rejects.toMatchObject({ code: 'not_found' })
})
