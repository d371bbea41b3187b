/** The quick form of `npm run clients`: the same checks with the clients that are development dependencies. */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { repositoryDir } from '../../scripts/setup/paths.mjs'
import { startService } from '../../src/service/service.ts'
import { anthropicNode } from '../../clients/sdk/anthropic-node.ts'
import { openAiNode } from '../../clients/sdk/openai-node.ts'
import { configure, useUpLimit, type TestBed } from '../../clients/test-bed.ts'
import { startUpstreams } from '../../clients/upstreams.ts'
import manifest from '../../package.json' with { type: 'json' }

const ends: (() => Promise<unknown>)[] = []
let folder: string
let bed: TestBed

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'modelport-test-'))
  ends.push(() => rm(folder, { recursive: true }))
  const upstreams = await startUpstreams()
  ends.push(() => upstreams.close())
  const service = await startService({
    dataDir: join(folder, 'data'),
    cacheDir: join(folder, 'cache'),
    allowSessionSecrets: true,
    env: {},
    holder: 'serve',
    port: 0,
  })
  ends.push(() => service.close())
  const configured = await configure(service.dashboard, upstreams)
  const endpoint = service.endpoint()
  if (endpoint.status !== 'listening') throw new Error('the endpoint does not listen')
  const { url: origin, caFile, caBundleFile } = endpoint
  bed = {
    ...configured,
    origin,
    caFile,
    caBundleFile,
    upstreams,
    hasBuiltIn: false,
    newestRow: async (routerId) =>
      (await service.usage.requests({ routerId, limit: 1 }))[0] ?? null,
  }
  await useUpLimit(bed, await readFile(caFile, 'utf8'))
})

afterAll(async () => {
  for (const end of ends.toReversed()) await end()
})

test.each([openAiNode, anthropicNode])(
  '$name passes every check of clients/, unmodified and in its own process',
  async (client) => {
    const home = join(folder, client.id)

    const checks = await client.check({ bed, installed: repositoryDir, home })

    expect(checks.filter(({ problem }) => problem !== null)).toEqual([])
    expect(new Set(checks.map(({ capability }) => capability)).size).toBe(6)
  },
)

test.each([openAiNode, anthropicNode])('$name has the version of package.json', ({ packages }) => {
  expect(manifest.devDependencies).toMatchObject(packages.versions)
})
