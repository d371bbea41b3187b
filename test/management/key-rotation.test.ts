/** The remaining budget of a rotated key's successor. */
import { expect, test } from 'vitest'
import { hello, startTestService } from '../test-service.ts'

/** A token costs one cent, so each answer of ten tokens costs ten cents. */
const centPerToken = { inputUsdPerMtok: 0, outputUsdPerMtok: 10_000, contextTokens: 100_000 }
const tenTokens = { ...hello, max_tokens: 10 }
const usage = { prompt_tokens: 5, completion_tokens: 10, total_tokens: 15 }

test('a rotated key and its successor spend one budget', async () => {
  const started = await startTestService({ models: { 'fake-model': { usage } } })
  const { dashboard } = started.service
  await dashboard.saveModel({ id: 'fake:fake-model', ...centPerToken })
  const old = await dashboard.createApiKey({ name: 'tool', routers: 'all', budgetUsdPerDay: 0.3 })
  const ask = async (key: string) => {
    const headers = { authorization: `Bearer ${key}` }
    return (await started.post('chat/completions', tenTokens, { headers })).status
  }
  expect(await ask(old.key)).toBe(200)

  const successor = await dashboard.rotateApiKey(old.apiKey.id, 3_600_000)

  expect([await ask(successor.key), await ask(old.key)]).toEqual([200, 200])
  expect([await ask(successor.key), await ask(old.key)]).toEqual([402, 402])
})
