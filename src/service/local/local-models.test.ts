/** Several models on one computer: own files, switching, memory, deleting. */
import { rm, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { ChatRequest } from '../../shared/chat/chat.ts'
import type { OwnModel } from '../../shared/models/local-models.ts'
import {
  ask,
  cacheDir,
  open,
  prepareLocalTests,
  processes,
  user,
  watchStates,
} from '../../../test/local/ask-local-model.ts'
import {
  ownTitle,
  ownTrainedTokens,
  writeOwnModelFile,
} from '../../../test/local/own-model-file.ts'
import { temporaryFolder } from '../../../test/storage/temporary-folder.ts'
import { localModelName, type LocalModel } from './local-model.ts'
import { memoryNeeded } from './memory.ts'
import { sizeOfFile } from './model-file.ts'
import { weightsPath } from '../../../scripts/setup/weights.ts'
import { isRunning } from '../../../test/is-running.ts'

prepareLocalTests()

const otter = 'otter'
/** The file's template names the model in its system text, which makes these weights talk French without end. */
const question: ChatRequest = {
  messages: [
    { role: 'system', content: 'You are a helpful AI assistant.' },
    { role: 'user', content: 'What is the capital of France?' },
  ],
  temperature: 0,
  max_tokens: 20,
}

async function otterFile(): Promise<OwnModel> {
  const file = await writeOwnModelFile(weightsPath(cacheDir), join(temporaryFolder(), 'Otter.gguf'))
  const describing = await open()
  const facts = await describing.describeFile(file)
  await describing.close()
  return { name: otter, file, sizeBytes: (await sizeOfFile(file)) ?? 0, facts }
}

async function openWith(own: OwnModel, availableMemory?: () => number): Promise<LocalModel> {
  const settings = { ownModels: [own], contextTokens: 8192, usesGpu: false }
  const model = await open({ settings, availableMemory })
  onTestFinished(() => model.close())
  return model
}

test('a file says its title, context and size without being loaded', async () => {
  const { facts } = await otterFile()

  expect(facts).toEqual({
    title: ownTitle,
    trainedTokens: ownTrainedTokens,
    // 30 layers of 3 heads, each with a key and a value of 64 numbers of 2 bytes.
    cacheBytesPerToken: 30 * 3 * 2 * 64 * 2,
    vocabulary: 49_152,
    parameters: 134_515_008,
    activeShare: 1,
  })
})

test('a file of the user’s answers beside the built-in model, one process at a time', async () => {
  const model = await openWith(await otterFile())
  const states = watchStates(model)

  const fromOwn = await ask(question, { to: model, model: otter })
  const ownProcess = processes.at(-1)
  expect(model.isCold(otter)).toBe(false)
  expect(model.isCold(localModelName)).toBe(true)
  const fromBuiltIn = await ask(question, { to: model })

  expect(fromOwn.text).toContain('Paris')
  expect(fromBuiltIn.text).toContain('Paris')
  await expect.poll(() => isRunning(ownProcess?.pid)).toBe(false)
  expect(states).toEqual(['loading', 'ready'])
  expect(await model.models()).toContainEqual(
    expect.objectContaining({ name: otter, title: ownTitle, contextTokens: ownTrainedTokens }),
  )
})

test('requests for two models take turns', async () => {
  const model = await openWith(await otterFile())

  const answers = await Promise.all(
    [otter, localModelName, otter].map((name) => ask(question, { to: model, model: name })),
  )

  expect(answers.map(({ text }) => text.includes('Paris'))).toEqual([true, true, true])
})

test('an own file has no answer limit but its context, and names it when a prompt is too long', async () => {
  const model = await openWith(await otterFile())

  const tooLong = ask(user('a '.repeat(ownTrainedTokens + 10)), { to: model, model: otter })

  await expect(tooLong).rejects.toMatchObject({
    kind: 'request',
    message: expect.stringContaining(`otter accepts ${ownTrainedTokens} tokens`),
  })
})

test('a model that needs more memory than there is does not start, and others still answer', async () => {
  const own = await otterFile()
  const { sizeBytes, facts } = own
  const neededBytes = memoryNeeded({ sizeBytes, contextTokens: ownTrainedTokens, ...facts })
  let availableBytes = neededBytes - 1
  const model = await openWith(own, () => availableBytes)
  const before = processes.length

  const refused = ask(question, { to: model, model: otter })

  await expect(refused).rejects.toMatchObject({
    kind: 'unavailable',
    message: expect.stringMatching(
      /^otter needs about \d+ MB of memory, and \d+ MB are available\. Close/,
    ),
  })
  expect(processes).toHaveLength(before)
  availableBytes = neededBytes
  expect((await ask(question, { to: model, model: otter })).text).toContain('Paris')
})

test.each([
  ['moved', (file: string) => rm(file), 'The file was moved or deleted.'],
  ['changed', (file: string) => truncate(file, 1000), 'The file has changed.'],
])('a file that was %s is shown as unusable and is not asked', async (_how, change, words) => {
  const own = await otterFile()
  const model = await openWith(own)
  await change(own.file)

  const shown = (await model.models()).find(({ name }) => name === otter)

  expect(shown?.state).toMatchObject({ kind: 'unusable', message: expect.stringContaining(words) })
  await expect(ask(user('Hi'), { to: model, model: otter })).rejects.toThrow('is not installed')
})

test('without the built-in model, the other installed models are listed and answer', async () => {
  const own = await otterFile()
  const settings = { ownModels: [own], contextTokens: 8192, usesGpu: false }
  const model = await open({ cacheDir: temporaryFolder(), settings })
  onTestFinished(() => model.close())

  expect(await model.listModels(new AbortController().signal)).toEqual([otter])
  expect((await ask(question, { to: model, model: otter })).text).toContain('Paris')
})

test('a model that is not installed names how to get it', async () => {
  const model = await open()

  const refused = ask(user('Hi'), { to: model, model: 'qwen3-4b' })

  await expect(refused).rejects.toMatchObject({
    kind: 'unavailable',
    message: expect.stringContaining('“modelport local list”'),
  })
})

test('without a graphics processor the search for one finds none', async () => {
  const model = await open()

  expect(await model.findGpu()).toBeNull()
})

test('a damaged file cannot be described', async () => {
  const file = await writeOwnModelFile(
    weightsPath(cacheDir),
    join(temporaryFolder(), 'damaged.gguf'),
  )
  await truncate(file, 100)
  const model = await open()

  await expect(model.describeFile(file)).rejects.toMatchObject({ kind: 'unavailable' })
})
