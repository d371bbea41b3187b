import { expect, test } from 'vitest'
import { describeModelFile, modelNameOf } from './model-file.ts'

test.each([
  ['/models/Qwen2.5-0.5B-Instruct-Q4_K_M.gguf', 'qwen2.5-0.5b-instruct-q4_k_m'],
  ['/models/My own  Model (v2).GGUF', 'my-own-model-v2'],
  ['/models/big-00001-of-00003.gguf', 'big'],
  ['/models/模型.gguf', 'model-file'],
  // Another file must not take the built-in model's name.
  ['/models/SmolLM2-135M-Instruct.gguf', 'smollm2-135m-instruct-file'],
])('names the model of %s %s', (file, name) => {
  expect(modelNameOf(file)).toBe(name)
})

test('the size of a file that cannot be read is unknown', async () => {
  expect(await describeModelFile('/nowhere/some.gguf')).toEqual({ name: 'some', sizeBytes: null })
})
