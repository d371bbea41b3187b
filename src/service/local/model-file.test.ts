import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../../test/storage/temporary-folder.ts'
import { describeModelFile, isModelFile, modelNameOf } from './model-file.ts'

test.each([
  ['/models/Qwen2.5-0.5B-Instruct-Q4_K_M.gguf', 'qwen2.5-0.5b-instruct-q4_k_m'],
  ['/models/My own  Model (v2).GGUF', 'my-own-model-v2'],
  ['/models/big-00001-of-00003.gguf', 'big'],
  ['/models/模型.gguf', 'model-file'],
  // Another file must not take the name of a model that Modelport offers.
  ['/models/SmolLM2-135M-Instruct.gguf', 'smollm2-135m-instruct-file'],
  ['/models/Qwen3-4B.gguf', 'qwen3-4b-file'],
])('names the model of %s %s', (file, name) => {
  expect(modelNameOf(file)).toBe(name)
})

test('the size of a file that cannot be read is unknown', async () => {
  expect(await describeModelFile('/nowhere/some.gguf')).toEqual({
    name: 'some',
    sizeBytes: null,
    facts: null,
    contextTokens: null,
  })
})

test.each([
  ['GGUF and more', true],
  ['<html>', false],
  ['', false],
])('a file that holds %j is a model file: %s', async (content, isModel) => {
  const file = join(temporaryFolder(), 'chosen')
  await writeFile(file, content)

  expect(await isModelFile(file)).toBe(isModel)
})
