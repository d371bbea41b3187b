/** A model file of the user's own, from adding it to the answer over HTTP. */
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { weightsPath } from '../../scripts/setup/weights.ts'
import { cacheDir, prepareLocalTests } from './ask-local-model.ts'
import { ownTitle, ownTrainedTokens, writeOwnModelFile } from './own-model-file.ts'
import { newModelport } from '../command-line/modelport.ts'
import { temporaryFolder } from '../storage/temporary-folder.ts'
import { hello, startTestService } from '../test-service.ts'

prepareLocalTests()

const builtIn = 'local:smollm2-135m-instruct'
const otter = 'local:otter'
const question = { ...hello, max_tokens: 4, temperature: 0 }

function otterFile(): Promise<string> {
  return writeOwnModelFile(weightsPath(cacheDir), join(temporaryFolder(), 'Otter.gguf'))
}

async function start() {
  const models = [builtIn]
  return await startTestService({ service: { cacheDir }, router: { models } })
}

test('an added file answers beside the built-in model, with its own context and energy', async () => {
  const { post, service, routerId } = await start()

  const added = await service.localModels.add(await otterFile())

  expect(added).toMatchObject({ name: 'otter', title: ownTitle, contextTokens: ownTrainedTokens })
  const models = [otter, builtIn]
  await service.dashboard.updateRouter(routerId, { name: 'Both', strategy: 'priority', models })
  const body = await (await post('chat/completions', question)).json()
  expect(body).toMatchObject({ model: otter, _meta: { modelUsed: otter, cost: 0 } })
  const known = await service.dashboard.models()
  const [own, original] = models.map((id) => known.find((model) => model.id === id))
  expect(own).toMatchObject({ contextTokens: ownTrainedTokens, rating: null })
  // The file has the size of the built-in model's.
  expect(own?.energyWhPerKtok).toBeCloseTo(original?.energyWhPerKtok ?? NaN, 9)
})

test('a model that another process adds and removes appears and disappears', async () => {
  const { service, dataDir } = await start()
  const isListed = async () => (await service.dashboard.models()).some(({ id }) => id === otter)
  const { json } = newModelport(dataDir)

  await json('local', 'add', await otterFile())
  await expect.poll(isListed).toBe(true)

  await json('local', 'remove', 'otter')
  await expect.poll(isListed).toBe(false)
})

test('two files with one name cannot both be added, and a file can be added again', async () => {
  const { service } = await start()
  const first = await otterFile()
  await service.localModels.add(first)

  const second = service.localModels.add(await otterFile())

  await expect(second).rejects.toMatchObject({
    code: 'conflict',
    message: expect.stringContaining('already a model named "otter"'),
  })
  expect(await service.localModels.add(first)).toMatchObject({ name: 'otter' })
})
