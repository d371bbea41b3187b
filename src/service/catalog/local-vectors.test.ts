import { expect, test } from 'vitest'
import { localVectorsOf } from './local-vectors.ts'

test.each([
  ['ollama:nomic-embed-text', 768, true],
  ['ollama:mxbai-embed-large:latest', 1024, true],
  ['ollama:qwen3-embedding', 4096, true],
  ['ollama:qwen3-embedding:0.6b', 1024, true],
  ['ollama:bge-m3:567m', 1024, false],
  ['lm-studio:text-embedding-nomic-embed-text-v1.5', 768, true],
  ['vllm:Qwen/Qwen3-Embedding-8B', 4096, true],
])('%s has %d dimensions', (id, dimensions, isShortenable) => {
  expect(localVectorsOf(id, 'vllm')).toMatchObject({ dimensions, isShortenable })
})

test('a name that is not listed has unknown vectors', () => {
  expect(localVectorsOf('ollama:my-own', 'ollama')).toBeNull()
})

test('one name and tag at two Ollama servers is one model, at other servers it is not', () => {
  const weightsAt = (id: string, type: string) => localVectorsOf(id, type)?.weights

  expect(weightsAt('one:bge-m3', 'ollama')).toBe(weightsAt('two:bge-m3:latest', 'ollama'))
  expect(weightsAt('one:bge-m3', 'ollama')).not.toBe(weightsAt('two:bge-m3:567m', 'ollama'))
  expect(weightsAt('one:bge-m3', 'vllm')).not.toBe(weightsAt('two:bge-m3', 'vllm'))
})
