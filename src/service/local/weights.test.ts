import { mkdir, mkdtemp, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  adoptWeights,
  downloadWeights,
  findWeights,
  isModelFile,
  weights,
  weightsPath,
} from './weights.ts'

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
  await truncate(weightsPath(cacheDir), weights.sizeBytes)

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

test('a download is resumed where it was interrupted', async () => {
  const partialFile = await writePartial('first half, ')
  const ranges: (string | undefined)[] = []
  const fetch = (_url: string, init: RequestInit) => {
    ranges.push(new Headers(init.headers).get('range') ?? undefined)
    return Promise.resolve(new Response(breakingOff('second half'), { status: 206 }))
  }

  await expect(downloadWeights({ cacheDir, fetch })).rejects.toThrow('the line broke')

  expect(ranges).toEqual(['bytes=12-'])
  expect(await readFile(partialFile, 'utf8')).toBe('first half, second half')
})

test('a server that ignores the range sends the whole file from the start', async () => {
  const partialFile = await writePartial('first half, ')
  await expect(downloadWeights({ cacheDir, fetch: answerWholeFile })).rejects.toThrow(
    'the line broke',
  )

  expect(await readFile(partialFile, 'utf8')).toBe('all of it')
})

test('a complete download with another hash is never used as the weights', async () => {
  await expect(downloadWeights({ cacheDir, fetch: answerLoginPage })).rejects.toThrow(
    'damaged or a different one',
  )
  expect(await findWeights(cacheDir)).toBeNull()
})

test('an unreachable server is named in the error', async () => {
  await expect(downloadWeights({ cacheDir, fetch: refuse })).rejects.toThrow(
    'huggingface.co cannot be reached',
  )
})

test('an abort ends the download with its reason', async () => {
  const signal = AbortSignal.abort(new Error('the user closed the dialog'))

  await expect(downloadWeights({ cacheDir, fetch: refuseWhenAborted, signal })).rejects.toThrow(
    'closed the dialog',
  )
})

test.each([
  ['GGUF and more', true],
  ['<html>', false],
  ['', false],
])('a file that holds %j is a model file: %s', async (content, isModel) => {
  const file = join(cacheDir, 'chosen')
  await writeFile(file, content)

  expect(await isModelFile(file)).toBe(isModel)
})

function answerLoginPage(): Promise<Response> {
  return Promise.resolve(new Response('a login page', { status: 200 }))
}

function answerWholeFile(): Promise<Response> {
  return Promise.resolve(new Response(breakingOff('all of it'), { status: 200 }))
}

function refuse(): Promise<Response> {
  return Promise.reject(new TypeError('fetch failed'))
}

function refuseWhenAborted(_url: string, init: RequestInit): Promise<Response> {
  init.signal?.throwIfAborted()
  return Promise.resolve(new Response('late'))
}

async function writePartial(content: string): Promise<string> {
  const partialFile = `${weightsPath(cacheDir)}.download`
  await mkdir(dirname(partialFile), { recursive: true })
  await writeFile(partialFile, content)
  return partialFile
}

/** A body that delivers the text and then fails, like a lost connection. */
function breakingOff(content: string): ReadableStream<Uint8Array> {
  let isSent = false
  return new ReadableStream({
    pull(controller) {
      if (isSent) controller.error(new Error('the line broke'))
      else controller.enqueue(new TextEncoder().encode(content))
      isSent = true
    },
  })
}
