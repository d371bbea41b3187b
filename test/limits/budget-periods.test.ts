/** Budgets over a day, a month and a restart. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Agent, fetch } from 'undici'
import { expect, onTestFinished, test } from 'vitest'
import { startService } from '../../src/service/service.ts'
import { outcomeOf, startBudgeted, utc } from './start-budgeted.ts'
import { hello, type TestService } from '../test-service.ts'

/** Starts another service on the same data folder, called with the same key. */
async function restart({ dataDir, fake, routerId, apiKey }: TestService) {
  const service = await startService({
    dataDir,
    cacheDir: join(dataDir, 'cache'),
    allowSessionSecrets: true,
    env: { MODELPORT_KEY_FAKE: 'sk-fake-provider-key' },
    holder: 'serve',
    port: 0,
    extraCa: fake.ca === null ? [] : [fake.ca],
  })
  onTestFinished(() => service.close())
  const endpoint = service.endpoint()
  if (endpoint.status !== 'listening') throw new Error('the endpoint does not listen')
  const dispatcher = new Agent({ connect: { ca: await readFile(endpoint.caFile, 'utf8') } })
  onTestFinished(() => dispatcher.close())
  const post: TestService['post'] = (path, body) =>
    fetch(`${endpoint.url}/api/router/${routerId}/${path}`, {
      method: 'POST',
      dispatcher,
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  return { post }
}

test('a restart keeps the spending of the period', async () => {
  const started = await startBudgeted({ router: { budgetUsdPerDay: 0.25 } })
  await outcomeOf(started)
  await outcomeOf(started)
  await started.service.close()

  const again = await restart(started)

  expect(await outcomeOf(again)).toBe('402 budget_exceeded')
  expect(await outcomeOf(again, { ...hello, max_tokens: 5 })).toBe('served')
})

test('a new day and a new month reset the budget, and a clock set back does not', async () => {
  const startedAtMs = Date.now()
  const clock = { nowMs: startedAtMs }
  const router = { budgetUsdPerDay: 0.1, budgetUsdPerMonth: 0.2 }
  const started = await startBudgeted({ router, now: () => clock.nowMs })
  const at = async (...time: Parameters<typeof utc>[1]) => {
    clock.nowMs = utc(startedAtMs, time)
    return await outcomeOf(started)
  }

  expect(await at(1, 27, 22)).toBe('served')
  expect(await at(1, 27, 23)).toBe('402 budget_exceeded')
  expect(await at(1, 28, 0)).toBe('served')
  expect(await at(1, 27, 23)).toBe('402 budget_exceeded')
  expect(await at(2, 1, 0)).toBe('served')
  expect(await at(1, 15, 0)).toBe('402 budget_exceeded')
})
