/** The built-in model's file: missing, chosen, damaged and downloaded. */
import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { expect, onTestFinished, test } from 'vitest'
import {
  ask,
  cacheDir,
  open,
  prepareLocalTests,
  question,
  user,
  watchStates,
} from '../../../test/local/ask-local-model.ts'
import { ProviderError } from '../providers/provider.ts'
import { builtInModel } from './library/offered-models.ts'
import { weightsPath } from '../../../scripts/setup/weights.ts'

prepareLocalTests()

async function emptyFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'modelport-local-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

test('without weights the model is missing, and the error names three ways to fix it', async () => {
  const missing = await open({ cacheDir: await emptyFolder() })

  expect(missing.state()).toEqual({ status: 'missing', downloadBytes: builtInModel.sizeBytes })
  const refused = ask(user('Hi'), { to: missing })
  await expect(refused).rejects.toBeInstanceOf(ProviderError)
  await expect(refused).rejects.toThrow('Choose a model file, add a provider key, or retry')
  await expect(missing.listModels(new AbortController().signal)).rejects.toThrow('missing')
})

test.each([
  ['is not there', null, 'cannot be read'],
  ['is another kind of file', 'PK\u0003\u0004', 'not a model file'],
])('a chosen file that %s fails with a clear message', async (_what, content, words) => {
  const file = join(await emptyFolder(), 'chosen.gguf')
  if (content !== null) await writeFile(file, content)

  const chosen = await open({ file })

  expect(chosen.state()).toMatchObject({ status: 'failed', file })
  await expect(ask(user('Hi'), { to: chosen })).rejects.toThrow(words)
})

test('a damaged model file fails to load, and the built-in model then works again', async () => {
  const file = join(await emptyFolder(), 'damaged.gguf')
  await writeFile(file, 'GGUF and nothing that belongs to it')
  const damaged = await open({ file })

  await expect(ask(user('Hi'), { to: damaged })).rejects.toMatchObject({ kind: 'unavailable' })
  expect(damaged.state()).toMatchObject({ status: 'failed', file })

  expect(await damaged.useFile(null)).toMatchObject({ status: 'stopped' })
  expect((await ask(user(question), { to: damaged })).text).toContain('Paris')
  await damaged.close()
})

test('a download shows its progress and leaves a model that can be started', async () => {
  const emptyCache = await emptyFolder()
  const fetch = async () => {
    const file = createReadStream(weightsPath(cacheDir))
    await once(file, 'open')
    return new Response(Readable.toWeb(file) as ReadableStream)
  }
  const downloading = await open({ cacheDir: emptyCache, fetch })
  const states = watchStates(downloading)
  const received: number[] = []
  downloading.onState(
    (state) => state.status === 'downloading' && received.push(state.receivedBytes),
  )

  const after = await Promise.all([downloading.download(), downloading.download()])

  expect(states).toEqual(['downloading', 'stopped'])
  expect(received.length).toBeGreaterThan(20)
  expect(received).toEqual(received.toSorted((a, b) => a - b))
  expect(after).toEqual([
    { status: 'stopped', file: weightsPath(emptyCache) },
    { status: 'stopped', file: weightsPath(emptyCache) },
  ])
})

test('a download that fails says why', async () => {
  const offline = await open({ cacheDir: await emptyFolder() })

  expect(await offline.download()).toEqual({
    status: 'failed',
    file: null,
    message: 'huggingface.co cannot be reached',
  })
})
