/** `modelport local`, with a file server in place of Hugging Face. */
import { once } from 'node:events'
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { cacheDir, prepareLocalTests } from '../../../test/local/ask-local-model.ts'
import {
  ownTitle,
  ownTrainedTokens,
  writeOwnModelFile,
} from '../../../test/local/own-model-file.ts'
import { newModelport } from '../../../test/command-line/modelport.ts'
import type { RangeAnswer } from '../../../test/local/range-server.ts'
import { startRangeServer } from '../../../test/local/start-range-server.ts'
import { temporaryFolder } from '../../../test/storage/temporary-folder.ts'
import { weightsPath } from '../../../scripts/setup/weights.ts'

prepareLocalTests()

const name = 'smollm2-135m-instruct'

/** A data folder, and an empty cache that downloads from the server. */
async function prepare(script: readonly RangeAnswer[]) {
  const server = await startRangeServer(await readFile(weightsPath(cacheDir)), script)
  const modelport = newModelport()
  const emptyCache = temporaryFolder()
  const env = { MODELPORT_CACHE_DIR: emptyCache, HF_ENDPOINT: server.url }
  const run = (...args: string[]) => modelport.run(args, { env })
  const stateOf = async () => {
    const { stdout } = await run('local', 'list', '--json')
    const models = stdout.trim().split('\n').map(parseModel)
    return models.find((model) => model.name === name)?.state
  }
  return { ...modelport, env, run, stateOf, server, file: weightsPath(emptyCache) }
}

test('a download is paused by another process, resumed, verified and removed', async () => {
  const { start, run, stateOf, env, dataDir, server, file } = await prepare([
    { holdAfter: 30_000_000 },
  ])
  expect(await stateOf()).toEqual({ kind: 'available' })

  const downloading = start(['local', 'download', name, '--data-dir', dataDir], { env })
  await once(downloading.child.stderr, 'data')
  await expect.poll(stateOf).toMatchObject({ kind: 'downloading' })
  const paused = await run('local', 'pause', name)
  const ended = await downloading.exited

  expect(paused.stdout).toMatch(/^SmolLM2 135M is paused, \d+ MB of 98 MB\.$/m)
  expect(ended.code).toBe(1)
  expect(ended.stderr).toContain(`Continue: modelport local resume ${name}`)

  const resumed = await run('local', 'resume', name)
  expect(resumed).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^Installed local:smollm2-135m-instruct .*Licence: Apache 2\.0/),
  })
  expect(server.requests.map(({ range }) => range)).toEqual([
    null,
    expect.stringMatching(/^bytes=[1-9]\d+-$/),
  ])
  expect(await stateOf()).toEqual({ kind: 'installed' })

  expect(await run('local', 'remove', name)).toMatchObject({ code: 0 })
  await expect(stat(file)).rejects.toThrow('ENOENT')
  expect(await stateOf()).toEqual({ kind: 'available' })
})

test('a download that fails says why, and an unknown model is refused', async () => {
  const { run } = await prepare([{ status: 404 }])

  const failed = await run('local', 'download', name)
  expect(failed).toMatchObject({ code: 1, stderr: expect.stringContaining('answered 404') })

  const unknown = await run('local', 'download', 'gpt-9')
  expect(unknown).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('no local model "gpt-9"'),
  })
})

test('an own file is added under its own name, listed as a model, and forgotten', async () => {
  const { run, json, dataDir } = newModelport()
  const file = await writeOwnModelFile(weightsPath(cacheDir), join(dataDir, 'My Otter.gguf'))
  await json('provider', 'add', 'local', '--type', 'local').catch(() => undefined)

  const [added] = await json('local', 'add', file)

  expect(added).toMatchObject({
    name: 'my-otter',
    title: ownTitle,
    contextTokens: ownTrainedTokens,
    origin: 'own',
    state: { kind: 'installed' },
  })
  const models = await json('model', 'list')
  expect(models).toContainEqual(
    expect.objectContaining({ id: 'local:my-otter', contextTokens: ownTrainedTokens }),
  )
  await json('local', 'remove', 'my-otter')
  expect((await json('local', 'list')).map((model) => model['name'])).not.toContain('my-otter')
  expect((await stat(file)).size).toBeGreaterThan(0)
  expect((await run(['local', 'add', join(dataDir, 'modelport.db')])).stderr).toContain(
    'is not a model (GGUF)',
  )
})

test('a file that announces more than it has is refused, and does not become a model', async () => {
  const { run, json, dataDir } = newModelport()
  const file = join(dataDir, 'absurd.gguf')
  const counts = Buffer.alloc(16, 0xff)
  await mkdir(dataDir, { recursive: true })
  await writeFile(file, Buffer.concat([Buffer.from('GGUF\x03\0\0\0', 'latin1'), counts]))

  const refused = await run(['local', 'add', file])

  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('damaged') })
  expect((await json('local', 'list')).map((model) => model['name'])).not.toContain('absurd')
})

function parseModel(line: string) {
  // Test boundary: with --json, the command prints a model per line.
  return JSON.parse(line) as { name: string; state: Record<string, unknown> }
}
