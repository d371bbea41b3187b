import { expect, test } from 'vitest'
import { newModelport } from '../../../test/command-line/modelport.ts'
import { sampleDetail, sampleRecord } from '../../../test/storage/samples.ts'
import { sampleEstimate } from '../../../test/routing/sample-candidates.ts'
import { openStorage } from '../storage/sqlite/open-storage.ts'

const model = 'local:smollm2-135m-instruct'

/** A router with ten requests to the cheaper of two models, and one request that is too old. */
async function modelportWithRequests() {
  const modelport = newModelport()
  const create = ['router', 'create', '--name', 'Mine', '--strategy', 'cost_optimized']
  const tolerance = ['--quality-tolerance', '0.08']
  const { stdout } = await modelport.run([...create, '--models', model, ...tolerance])
  const { id: routerId } = JSON.parse(stdout)
  const storage = await openStorage({ dataDir: modelport.dataDir })
  const decision = {
    ...sampleDetail().decision,
    ranked: [
      { model: 'p:cheap', position: 0, reason: null, estimate: sampleEstimate({ quality: 0.75 }) },
      {
        model: 'p:dear',
        position: 1,
        reason: null,
        estimate: sampleEstimate({ costNanoUsd: 9_100_000 }),
      },
    ],
  }
  const { tokens, ...rest } = sampleDetail({ decision })
  const detail = { ...rest, tokens: { ...tokens, input: 12, cacheRead: 0, cacheWrite: 0 } }
  for (let index = 0; index < 11; index += 1) {
    const startedAtMs = index === 0 ? 1_000 : Date.UTC(2026, 10, 20) + index
    const id = `request-${index}`
    const row = { id, routerId, startedAtMs, modelUsed: 'p:cheap', costNanoUsd: 1_000_000 }
    await storage.ledger.append(sampleRecord(row), detail)
  }
  await storage.close()
  return { ...modelport, routerId }
}

test('estimates the cost of past requests under another strategy, and says that it is an estimate', async () => {
  const { run, json, routerId } = await modelportWithRequests()
  const since = ['--since', '2026-11-20', '--router', routerId]

  const [same] = await json('replay', '--strategy', 'cost_optimized', ...since)
  const [other] = await json('replay', '--strategy', 'quality_optimized', ...since)
  const told = await run(['replay', '--strategy', 'quality_optimized', ...since])

  expect(same).toMatchObject({ requests: 10, replayed: 10, changed: 0 })
  expect(same).toMatchObject({ expected: { costUsd: { mid: expect.closeTo(0.01, 9) } } })
  expect(other).toMatchObject({ changed: 10, models: [{ model: 'p:dear', expected: 10 }, {}] })
  expect(other).toMatchObject({ actual: { costUsd: expect.closeTo(0.01, 9) } })
  expect(told.stdout).toMatch(/USD EXPECTED +\d/)
  expect(told.stderr).toContain('no request was sent')
})

test('names a missing router and missing options', async () => {
  const { run } = newModelport()

  expect(await run(['replay', '--strategy', 'priority'])).toMatchObject({ code: 2 })
  expect(await run(['replay', '--router', 'x', '--strategy', 'cheapest'])).toMatchObject({
    code: 2,
  })
  expect(await run(['replay', '--router', 'router_x', '--strategy', 'priority'])).toMatchObject({
    code: 1,
    stderr: 'modelport: There is no router router_x.\n',
  })
})
