/** Providers in use: each key is read once, and an old key is never used after a change. */
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import type { ProviderHealth } from '../../shared/entities.ts'
import type { LocalModel } from '../local/local-model.ts'
import { Outbound } from '../providers/outbound.ts'
import { ProviderError } from '../providers/provider.ts'
import { SecretStoreError, type SecretStore } from '../secrets/secret-store.ts'
import type { ConfigurationIndex, LiveConfiguration } from '../storage/live-configuration.ts'
import type { StoredProvider } from '../storage/storage.ts'
import { Upstreams } from './upstreams.ts'

/** An upstream that lists no models and remembers the key of each request. */
async function startUpstream({ refuses = async (_key: string) => false } = {}) {
  const keys: (string | undefined)[] = []
  const server = createServer(({ headers }: IncomingMessage, response) => {
    keys.push(headers.authorization)
    void refuses(headers.authorization ?? '').then((isRefused) =>
      response
        .writeHead(isRefused ? 401 : 200, { 'content-type': 'application/json' })
        .end('{"data":[]}'),
    )
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  onTestFinished(() => server.close().closeAllConnections())
  const { port } = server.address() as AddressInfo
  return { keys, baseUrl: `http://127.0.0.1:${port}/v1` }
}

/** A keychain that answers when the test says so. */
function slowSecrets() {
  const reads: { resolve: (key: string | null) => void; reject: (error: Error) => void }[] = []
  const get = () =>
    new Promise<string | null>((resolve, reject) => {
      reads.push({ resolve, reject })
    })
  const names = async (providerId: string) => [providerId]
  const bound = new Map<string, string>()
  const boundTo = async (name: string) => bound.get(name) ?? null
  const bindVariable = async (name: string, origin: string) => void bound.set(name, origin)
  // The test only reads.
  const onChange = () => undefined
  return {
    reads,
    secrets: { get, names, boundTo, bindVariable, onChange } as unknown as SecretStore,
  }
}

async function openUpstreams(upstream: Parameters<typeof startUpstream>[0] = {}) {
  const { keys, baseUrl } = await startUpstream(upstream)
  const { reads, secrets } = slowSecrets()
  const stored: StoredProvider = {
    id: 'up',
    type: 'openai-compatible',
    baseUrl,
    privateNetwork: false,
    options: {},
    createdAtMs: 1,
    keyRevision: 0,
  }
  const healthChanges: ProviderHealth[] = []
  let tellChange: Parameters<LiveConfiguration['onChange']>[0] = () => {}
  const indexOf = (provider: StoredProvider) =>
    ({
      providers: new Map([['up', provider]]),
      settings: { connectionsOff: [] },
    }) as unknown as ConfigurationIndex
  let index = indexOf(stored)
  const upstreams = new Upstreams({
    configuration: {
      current: () => index,
      onChange: (listener: Parameters<LiveConfiguration['onChange']>[0]) => {
        tellChange = listener
        return () => {}
      },
    } as unknown as LiveConfiguration,
    secrets,
    localModel: {} as LocalModel,
    outbound: new Outbound({
      use: null,
      proxyChoice: () => ({ setting: 'direct', env: {} }),
      extraRoots: async () => [],
    }),
    now: () => 0,
    onAlarm: () => {},
    onHealthChange: () => healthChanges.push(upstreams.health('up')),
  })
  onTestFinished(() => upstreams.close())
  const read = async (position: number) => {
    await expect.poll(() => reads.length).toBeGreaterThan(position)
    const { resolve = () => {}, reject = () => {} } = reads[position] ?? {}
    return { resolve, reject }
  }
  const ask = () => upstreams.open('up').listModels(AbortSignal.timeout(15_000))
  const change = (changed: StoredProvider) => {
    const before = index
    index = indexOf(changed)
    tellChange(before, index)
  }
  return { upstreams, healthChanges, stored, keys, reads, read, ask, change }
}

test('reads a key once, even if many requests wait for it', async () => {
  const { ask, keys, reads, read } = await openUpstreams()

  const asked = [ask(), ask(), ask()]
  ;(await read(0)).resolve('key-1')
  await Promise.all(asked)
  await ask()

  expect(reads).toHaveLength(1)
  expect(keys).toEqual(Array.from({ length: 4 }, () => 'Bearer key-1'))
})

test('a key replaced while the old one is being read is used from then on', async () => {
  const { ask, change, stored, keys, read } = await openUpstreams()

  const first = ask()
  change({ ...stored, keyRevision: 1 })
  ;(await read(0)).resolve('old-key')
  await first
  const second = ask()
  ;(await read(1)).resolve('new-key')
  await second

  expect(keys).toEqual(['Bearer old-key', 'Bearer new-key'])
})

test('asks the store again after a failed read', async () => {
  const { ask, read } = await openUpstreams()

  const refused = ask()
  ;(await read(0)).reject(new SecretStoreError('locked'))
  await expect(refused).rejects.toMatchObject({ kind: 'unavailable' })
  const second = ask()
  ;(await read(1)).resolve('key-1')

  expect(await second).toEqual([])
})

test('reads the key again for a provider that was removed and added again', async () => {
  const { ask, change, stored, keys, read } = await openUpstreams()
  const first = ask()
  ;(await read(0)).resolve('old-key')
  await first

  change({ ...stored, createdAtMs: 2 })
  const second = ask()
  ;(await read(1)).resolve('new-key')
  await second

  expect(keys).toEqual(['Bearer old-key', 'Bearer new-key'])
})

test('a request whose old key is refused after its replacement is sent again with the new key', async () => {
  let keyReplaced = () => {}
  const untilReplaced = new Promise<void>((resolve) => {
    keyReplaced = resolve
  })
  const refuses = async (key: string) => {
    if (!key.endsWith('old-key')) return false
    await untilReplaced
    return true
  }
  const { ask, change, stored, keys, read } = await openUpstreams({ refuses })

  const asked = ask()
  ;(await read(0)).resolve('old-key')
  await expect.poll(() => keys).toEqual(['Bearer old-key'])
  change({ ...stored, keyRevision: 1 })
  keyReplaced()
  ;(await read(1)).resolve('new-key')

  expect(await asked).toEqual([])
  expect(keys).toEqual(['Bearer old-key', 'Bearer new-key'])
})

test('a refusal of the current key is reported at once', async () => {
  const { ask, keys, read } = await openUpstreams({ refuses: async () => true })

  const asked = ask()
  ;(await read(0)).resolve('bad-key')

  await expect(asked).rejects.toMatchObject({ kind: 'auth' })
  expect(keys).toEqual(['Bearer bad-key'])
})

test('a key is not sent to another address, even if the database names one', async () => {
  const other = await startUpstream()
  const { ask, change, stored, keys, read } = await openUpstreams()
  const first = ask()
  ;(await read(0)).resolve('key-1')
  await first

  change({ ...stored, baseUrl: other.baseUrl })
  await ask()

  expect(keys).toEqual(['Bearer key-1'])
  expect(other.keys).toEqual([undefined])
})

test('tells when a provider begins to fail, fails in another way, and works again', async () => {
  const { upstreams, healthChanges } = await openUpstreams()
  const rejected = new ProviderError('auth', 'it rejected the key')
  upstreams.succeeded('up', 10)
  upstreams.succeeded('up', 20)
  upstreams.failed('up', rejected)
  upstreams.failed('up', rejected)
  upstreams.failed('up', new ProviderError('credit', 'it has no credit left'))
  upstreams.succeeded('up', 10)
  expect(healthChanges).toMatchObject([
    { status: 'ok' },
    { status: 'failing', problem: 'key_rejected' },
    { status: 'failing', problem: 'out_of_credit' },
    { status: 'ok' },
  ])
})
