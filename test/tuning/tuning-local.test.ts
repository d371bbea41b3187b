/**
 * The built-in model among models of scripted ability: a run asks it like any other and gives it its low place. The
 * quick form samples the starter set; `MODELPORT_TUNE_ALL=1 vitest run test/tuning/tuning-local.test.ts` asks all of it.
 */
import { expect, test } from 'vitest'
import { localModelName } from '../../src/service/local/local-model.ts'
import { builtInProvider } from '../../src/shared/models/provider-type.ts'
import { cacheDir, prepareLocalTests } from '../local/ask-local-model.ts'
import { startTestService } from '../test-service.ts'
import { starterModel } from './starter-model.ts'

prepareLocalTests()

const isWhole = process.env['MODELPORT_TUNE_ALL'] === '1'
/** Limits of a run: on a busy computer the built-in model takes some seconds for each prompt. */
const limits = isWhole
  ? { count: 1000, maxAnswerTokens: 48, timeoutMs: 3_600_000 }
  : { count: 10, maxAnswerTokens: 16, timeoutMs: 300_000 }

const local = `${builtInProvider.id}:${localModelName}`

/** Each model's mean grade, after a run that must have graded every prompt. */
async function meansByModel(): Promise<Record<string, number>> {
  const { service, routerId } = await startTestService({
    models: { good: starterModel(() => 0.95), fair: starterModel(() => 0.6) },
    router: { models: [local, 'fake:good', 'fake:fair'], strategy: 'quality_optimized' },
    service: { cacheDir },
  })
  const { count, maxAnswerTokens } = limits
  const prompts = { from: 'starter' as const }
  const input = { routerId, prompts, count, maxAnswerTokens, capUsd: 1 }
  const { id } = await service.tuning.start(input)
  await service.tuning.ended(id)
  const result = await service.tuning.result(id)
  if (!result) throw new Error('the run has no result')
  const { total } = result.run.prompts
  expect(result.run).toMatchObject({ state: 'done', stoppedBy: null, message: null })
  expect(result.models.map(({ all }) => all.prompts)).toEqual([total, total, total])
  return Object.fromEntries(result.models.map(({ model, all }) => [model, all.quality?.mean ?? -1]))
}

test(
  'runs the starter set to its end with the built-in model, and places it last',
  async () => {
    const means = await meansByModel()
    if (isWhole) process.stdout.write(`${JSON.stringify(means)}\n`)
    const byGrade = Object.keys(means).toSorted((a, b) => (means[b] ?? 0) - (means[a] ?? 0))
    expect(byGrade).toEqual(['fake:good', 'fake:fair', local])
  },
  limits.timeoutMs,
)
