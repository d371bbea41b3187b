/**
 * The built-in model among models of scripted ability: a run asks it like any other and gives it its low place. The
 * quick form samples the starter set; `MODELPORT_TUNE_ALL=1 vitest run test/tuning-local.test.ts` asks all of it.
 */
import { expect, test } from 'vitest'
import { localModelName } from '../src/service/local/local-model.ts'
import { builtInProvider } from '../src/shared/provider-type.ts'
import { cacheDir, prepareLocalTests } from './local/ask-local-model.ts'
import { startTestService } from './test-service.ts'
import { starterModel } from './tuning/starter-model.ts'

prepareLocalTests()

const isWhole = process.env['MODELPORT_TUNE_ALL'] === '1'
/** On a busy computer the built-in model takes some seconds for each prompt. */
const limits = isWhole
  ? { count: 1000, maxAnswerTokens: 48, timeoutMs: 3_600_000 }
  : { count: 12, maxAnswerTokens: 24, timeoutMs: 120_000 }

const local = `${builtInProvider.id}:${localModelName}`

test(
  'runs the starter set to its end with the built-in model, and places it last',
  { timeout: limits.timeoutMs },
  async () => {
    const { service, routerId } = await startTestService({
      models: { good: starterModel(() => 0.95), fair: starterModel(() => 0.6) },
      router: { models: [local, 'fake:good', 'fake:fair'], strategy: 'quality_optimized' },
      service: { cacheDir },
    })
    const { count, maxAnswerTokens } = limits
    const prompts = { from: 'starter' as const }
    const { id } = await service.tuning.start({
      ...{ routerId, prompts, count, maxAnswerTokens },
      capUsd: 1,
    })
    await service.tuning.ended(id)

    const result = await service.tuning.result(id)
    expect(result?.run).toMatchObject({ state: 'done', stoppedBy: null, message: null })
    expect(result?.run.prompts).toMatchObject({ graded: result?.run.prompts.total, ungraded: 0 })
    const [ofLocal, good, fair] = (result?.models ?? []).map(({ all }) => all)
    expect(ofLocal?.prompts).toBe(good?.prompts)
    expect(ofLocal?.quality?.mean).toBeLessThan(fair?.quality?.mean ?? 0)
    expect(fair?.quality?.mean).toBeLessThan(good?.quality?.mean ?? 0)
    if (isWhole) console.table(result?.models.map(({ model, all }) => ({ model, ...all.quality })))
  },
)
