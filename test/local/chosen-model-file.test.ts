/** A model file chosen by the user answers under its own name, with an energy figure for its size. */
import { copyFile, mkdtemp, rm, truncate } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { builtInModel } from '../../src/service/local/library/offered-models.ts'
import { weightsPath } from '../../scripts/setup/weights.ts'
import { cacheDir, prepareLocalTests } from './ask-local-model.ts'
import { endOfGroup } from '../rules/end-of-group.ts'
import { hello, startTestService, type TestService } from '../test-service.ts'

prepareLocalTests()

const builtIn = 'local:smollm2-135m-instruct'
const own = 'local:my-model-v2'

let copy = ''
let started: TestService
const atEnd = endOfGroup()

/** The file is the built-in weights followed by zeros: another one, twice the size. */
beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'modelport-own-'))
  atEnd(() => rm(folder, { recursive: true }))
  copy = join(folder, 'My Model (v2).gguf')
  await copyFile(weightsPath(cacheDir), copy)
  await truncate(copy, 2 * builtInModel.sizeBytes)
  started = await startWith(copy, atEnd)
})

async function startWith(
  file: string | null,
  end: Parameters<typeof startTestService>[1] = onTestFinished,
) {
  const env = file === null ? {} : { MODELPORT_LOCAL_MODEL_FILE: file }
  const router = { models: [builtIn], routing: { localOnly: true } }
  return await startTestService({ service: { cacheDir, env }, router }, end)
}

const question = { ...hello, max_tokens: 4, temperature: 0 }

test('a router that lists the built-in model gets answers from the file, under its name', async () => {
  const { post, get, service } = started

  const body = await (await post('chat/completions', question)).json()
  const listed = await (await get('models')).json()

  expect(body).toMatchObject({ model: own, _meta: { modelUsed: own, cost: 0 } })
  expect(listed).toMatchObject({ data: [{ id: 'auto' }, { id: own }] })
  const models = await service.dashboard.models()
  const energyOf = (id: string) => models.find((model) => model.id === id)?.energyWhPerKtok ?? 0
  expect(energyOf(own)).toBeCloseTo(2 * energyOf(builtIn), 6)
})

test('a request that names the built-in model is answered by the file, under its name', async () => {
  const { post } = started

  const body = await (await post('chat/completions', { ...question, model: builtIn })).json()

  expect(body).toMatchObject({ model: own, _meta: { modelUsed: own, routerDecision: 'pinned' } })
})

test('a cascade that lists the built-in model asks the file', async () => {
  const { post, service, routerId } = started
  const cascade = { tiers: [{ models: [builtIn], accept: 'not_refused_not_cut_off' as const }] }
  const router = { name: 'Local', strategy: 'priority' as const, models: [builtIn] }
  await service.dashboard.updateRouter(routerId, { ...router, routing: { cascade } })
  const headers = { 'x-modelport-explain': 'true' }

  const body = await (await post('chat/completions', question, { headers })).json()

  // An answer limited to four tokens is cut off.
  const tier = { outcome: 'not_accepted', reason: 'the answer ended with "length"' }
  expect(body).toMatchObject({ _meta: { modelUsed: own, decision: { cascade: [tier] } } })
})

test('when the setting is cleared, the built-in model answers under its own name again', async () => {
  const { post, service } = await startWith(null)
  const answeredBy = async () =>
    ((await (await post('chat/completions', question)).json()) as { model: string }).model
  expect(await answeredBy()).toBe(builtIn)

  await service.dashboard.setSetting('localModelFile', copy)
  await expect.poll(answeredBy, { timeout: 200_000 }).toBe(own)

  await service.dashboard.setSetting('localModelFile', null)
  await expect.poll(answeredBy, { timeout: 200_000 }).toBe(builtIn)
})

test('a copy of the built-in model keeps its name', async () => {
  const { post } = await startWith(weightsPath(cacheDir))

  const body = await (await post('chat/completions', question)).json()

  expect(body).toMatchObject({ model: builtIn })
})
