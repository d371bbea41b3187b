/** Five models of scripted ability: a tuning run finds their order in every domain, within its cap. */
import { expect, test } from 'vitest'
import { domainNames, type Domain } from '../../src/shared/app/domains.ts'
import { startTestService } from '../test-service.ts'
import { starterModel } from './starter-model.ts'

const names = ['ada', 'ben', 'cleo', 'dora', 'emil']
const abilities = [0.95, 0.75, 0.55, 0.35, 0.15]

/** The order of the models is another one in each domain. */
function abilityOf(name: string, domain: Domain): number {
  const turned = (names.indexOf(name) + 2 * domainNames.indexOf(domain)) % names.length
  return abilities[turned] ?? 0
}

function scriptedOrder(domain: Domain): string[] {
  return names
    .toSorted((a, b) => abilityOf(b, domain) - abilityOf(a, domain))
    .map((name) => `fake:${name}`)
}

test('finds the scripted order of five models in every domain, within the cap', async () => {
  const models = Object.fromEntries(
    names.map((name) => [name, starterModel((domain) => abilityOf(name, domain))]),
  )
  const { service, routerId, fake } = await startTestService({
    models,
    router: { strategy: 'cost_optimized', tier: 'free' },
  })
  const input = { routerId, prompts: { from: 'starter' as const }, count: 250 }
  const plan = await service.tuning.plan(input)
  const { id } = await service.tuning.start({ ...input, capUsd: 0.5 })
  await service.tuning.ended(id)

  const result = await service.tuning.result(id)
  expect(result?.run).toMatchObject({ state: 'done', stoppedBy: null })
  expect(result?.run.prompts.graded).toBe(plan.prompts.found)
  expect(result?.run.spentUsd).toBeLessThanOrEqual(0.5)
  expect(fake.requestCount()).toBe(5 * plan.prompts.found)
  for (const domain of domainNames) {
    const found = result?.models.map((model) => ({
      model: model.model,
      quality: model.domains.find((one) => one.domain === domain)?.quality?.mean ?? 0,
    }))
    const order = found?.toSorted((a, b) => b.quality - a.quality).map(({ model }) => model)
    expect({ domain, order }).toEqual({ domain, order: scriptedOrder(domain) })
  }
})
