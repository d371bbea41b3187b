/** Tuning runs over the real request path, against an upstream with models of scripted ability. */
import { expect, test } from 'vitest'
import type { TuningRun } from '../src/shared/tuning-run.ts'
import type { FakeModelScript } from './fake-provider.ts'
import { startTestService, type TestService } from './test-service.ts'

const topics = ['tides', 'bridges', 'verbs', 'taxes', 'violins', 'glaciers', 'bread', 'comets']

/** Prompts of different words: number 7 asks for the word `right 7`. */
function promptFile(count: number): string {
  return Array.from({ length: count }, (_item, index) => {
    const words = topics.filter((_topic, bit) => ((index + 1) >> bit) & 1).join(' and ')
    const prompt = `Question [${index}] about ${words}: what is the right word?`
    return JSON.stringify({ prompt, check: { type: 'exact', expected: [`right ${index}`] } })
  }).join('\n')
}

/** Answers a share of the prompts right. */
function able(share: number): FakeModelScript {
  return ({ body }) => {
    const index = Number(/\[(\d+)\]/.exec(JSON.stringify(body))?.[1])
    return { text: (index * 7) % 10 < share * 10 ? `right ${index}` : 'wrong' }
  }
}

async function runToItsEnd(
  { service, routerId }: TestService,
  { count, capUsd }: { count: number; capUsd: number },
): Promise<TuningRun> {
  const prompts = { from: 'file' as const, name: 'own.jsonl', text: promptFile(count) }
  const { id } = await service.tuning.start({ routerId, prompts, count, capUsd })
  await service.tuning.ended(id)
  return await service.tuning.get(id)
}

test('asks each model each prompt once, and finds how good each is', async () => {
  const tested = await startTestService({ models: { good: able(0.9), poor: able(0.2) } })
  const run = await runToItsEnd(tested, { count: 20, capUsd: 1 })
  expect(run).toMatchObject({
    state: 'done',
    stoppedBy: null,
    prompts: { total: 20, graded: 20, ungraded: 0 },
    requests: { answered: 40, failed: 0, lost: 0 },
    reservedUsd: 0,
  })
  expect(tested.fake.requestCount()).toBe(40)
  const rows = await tested.ledger(40)
  expect(rows.every(({ source }) => source === 'tune')).toBe(true)
  const costNanoUsd = rows.reduce((sum, row) => sum + row.costNanoUsd, 0)
  expect(Math.round(run.spentUsd * 1e9)).toBe(costNanoUsd)
  const result = await tested.service.tuning.result(run.id)
  expect(result?.models.map(({ all }) => all.quality?.mean)).toEqual([0.9, 0.2])
})
