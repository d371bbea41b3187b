/**
 * Upstreams behind a proxy: a real CONNECT proxy, TLS to the upstream inside its tunnel with an authority that only
 * this computer trusts, and the errors when the proxy fails.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { makeAuthority, makeLeaf } from '../../src/service/http/sockets/make-certificates.ts'
import { startFakeProxy } from '../fake-proxy.ts'
import { startTestService } from '../test-service.ts'

const host = 'api.upstream.test'
const names = ['localhost', '127.0.0.1', host]

/** An upstream for `api.upstream.test` whose authority is in a file and trusted nowhere else. */
async function startUpstream() {
  const folder = mkdtempSync(join(tmpdir(), 'modelport-upstream-'))
  const authority = await makeAuthority(names, Date.now())
  const leaf = await makeLeaf(authority, [host], Date.now())
  const caFile = join(folder, 'company-ca.pem')
  writeFileSync(caFile, authority.cert)
  const server = createServer(leaf, (_request, response) =>
    response.setHeader('content-type', 'application/json').end('{"data":[{"id":"behind-proxy"}]}'),
  )
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  onTestFinished(() => {
    server.close().closeAllConnections()
    rmSync(folder, { recursive: true })
  })
  const proxyLeaf = await makeLeaf(authority, ['127.0.0.1', 'localhost'], Date.now())
  return { caFile, port: (server.address() as AddressInfo).port, proxyLeaf }
}

/** A service with a provider under a name that only the proxy can reach. */
async function startBehind(env: Record<string, string>, baseUrl = `https://${host}/v1`) {
  const running = await startTestService({ service: { env } })
  const { dashboard } = running.service
  await dashboard.addProvider({
    id: 'far',
    type: 'openai-compatible',
    baseUrl,
    apiKey: 'sk-far-away-key',
  })
  return { ...running, dashboard, testFar: () => dashboard.testProvider('far') }
}

test('reaches an upstream through HTTPS_PROXY, with its credentials and a company’s authority', async () => {
  const { caFile, port } = await startUpstream()
  const proxy = await startFakeProxy({ port, credentials: 'ann:p@ss' })
  const { testFar } = await startBehind({
    HTTPS_PROXY: `http://ann:p%40ss@127.0.0.1:${proxy.port}`,
    NODE_EXTRA_CA_CERTS: caFile,
  })

  expect(await testFar()).toMatchObject({ ok: true, models: ['behind-proxy'] })
  expect(proxy.asked.map(({ target }) => target)).toEqual([`${host}:443`])
})

test('reaches an upstream through a proxy that speaks TLS, named in the settings', async () => {
  const { caFile, port, proxyLeaf } = await startUpstream()
  const proxy = await startFakeProxy({ port, tls: proxyLeaf })
  const { testFar, dashboard } = await startBehind({ SSL_CERT_FILE: caFile })
  const before = await testFar()

  await dashboard.setSetting('outboundProxy', proxy.url)

  expect(before).toMatchObject({ ok: false, message: 'the address could not be found' })
  expect(await testFar()).toMatchObject({ ok: true, models: ['behind-proxy'] })
})

test('without the company’s authority the certificate is not trusted, proxy or not', async () => {
  const { port } = await startUpstream()
  const proxy = await startFakeProxy({ port })
  const { testFar } = await startBehind({ HTTPS_PROXY: proxy.url })

  expect(await testFar()).toMatchObject({ ok: false, message: 'its certificate is not trusted' })
})

test('an unreadable file of authorities is logged, and the others apply', async () => {
  const { caFile, port } = await startUpstream()
  const proxy = await startFakeProxy({ port })
  const { testFar, dataDir } = await startBehind({
    HTTPS_PROXY: proxy.url,
    NODE_EXTRA_CA_CERTS: '/nowhere/ca.pem',
    SSL_CERT_FILE: caFile,
  })

  expect(await testFar()).toMatchObject({ ok: true })
  await expect.poll(() => readLog(dataDir)).toContain('trusted roots')
})

test.each([
  [
    403,
    `refuses to connect to ${host} (status 403): have it allowed there, or exempt it with NO_PROXY`,
  ],
  [407, 'did not accept the user and the password of HTTPS_PROXY'],
  [502, `could not reach ${host} (status 502)`],
])(
  'the error about a proxy that answers %i names it and a solution, but not its password',
  async (status, words) => {
    const { port } = await startUpstream()
    const proxy = await startFakeProxy({ port })
    proxy.answerWith(status)
    const { testFar, dashboard, dataDir } = await startBehind({
      HTTPS_PROXY: `http://ann:secret-password@127.0.0.1:${proxy.port}`,
    })

    const outcome = await testFar()

    expect(outcome).toEqual({
      ok: false,
      problem: 'unreachable',
      message: `the proxy 127.0.0.1:${proxy.port} ${words}`,
    })
    const shown = JSON.stringify([outcome, await dashboard.providers()]) + readLog(dataDir)
    expect(shown).not.toContain('secret-password')
  },
)

test('the error about a proxy that requires credentials says where to set them', async () => {
  const { port } = await startUpstream()
  const proxy = await startFakeProxy({ port, credentials: 'ann:secret' })
  const { testFar } = await startBehind({ HTTPS_PROXY: proxy.url })

  expect(await testFar()).toMatchObject({
    message: expect.stringContaining('requires a user and a password: set them in the variable'),
  })
})

test('the error about an unreachable proxy names it', async () => {
  const { testFar } = await startBehind({ HTTPS_PROXY: 'http://127.0.0.1:9' })

  expect(await testFar()).toMatchObject({
    message: 'the proxy 127.0.0.1:9 of HTTPS_PROXY cannot be reached',
  })
})

test('with a proxy, private addresses stay refused and loopback stays direct', async () => {
  const { port } = await startUpstream()
  const proxy = await startFakeProxy({ port })
  const running = await startBehind({ HTTPS_PROXY: proxy.url, HTTP_PROXY: proxy.url })
  const add = (baseUrl: string) =>
    running.dashboard.addProvider({ id: 'near', type: 'openai-compatible', baseUrl })

  await expect(add('https://10.0.0.1/v1')).rejects.toMatchObject({ field: 'baseUrl' })
  await expect(add('https://169.254.169.254/v1')).rejects.toMatchObject({ field: 'baseUrl' })
  // Every test service's own provider is on this computer.
  expect(await running.dashboard.testProvider('fake')).toMatchObject({ ok: true })
  expect(proxy.asked).toEqual([])
})

test('a server in the user’s own network is reached without the proxy', async () => {
  const { port } = await startUpstream()
  const proxy = await startFakeProxy({ port })
  const { dashboard } = await startBehind({ ALL_PROXY: proxy.url })
  await dashboard.addProvider({
    id: 'lan',
    type: 'openai-compatible',
    baseUrl: 'https://no-such-server.test/v1',
    privateNetwork: true,
  })

  expect(await dashboard.testProvider('lan')).toMatchObject({ ok: false })
  expect(proxy.asked).toEqual([])
})

test('the built-in model’s file is downloaded through the proxy, whose refusal is reported', async () => {
  const { port } = await startUpstream()
  const proxy = await startFakeProxy({ port })
  proxy.answerWith(403)
  const { service } = await startBehind({ HTTPS_PROXY: proxy.url })

  await service.localModel.download()

  await expect
    .poll(() => service.localModel.state())
    .toMatchObject({
      status: 'failed',
      message: expect.stringContaining(`the proxy 127.0.0.1:${proxy.port} refuses to connect`),
    })
  expect(proxy.asked.map(({ target }) => target)).toEqual(['huggingface.co:443'])
})

test.each([
  'http://user:secret@proxy:3128',
  'socks5://proxy:1080',
  'http://proxy/path',
  'proxy:3128',
])('the setting does not accept %s', async (address) => {
  const { dashboard } = await startBehind({})

  await expect(dashboard.setSetting('outboundProxy', address)).rejects.toMatchObject({
    code: 'invalid',
  })
})

function readLog(dataDir: string): string {
  return readFileSync(join(dataDir, 'logs', 'modelport.log'), 'utf8')
}

test('switched off, providers are not asked, not even over an open connection; those of this computer are', async () => {
  const { caFile, port } = await startUpstream()
  const proxy = await startFakeProxy({ port })
  const { testFar, dashboard, post, service } = await startBehind({
    HTTPS_PROXY: proxy.url,
    NODE_EXTRA_CA_CERTS: caFile,
  })
  expect(await testFar()).toMatchObject({ ok: true })
  const asked = proxy.asked.length

  await dashboard.setSetting('connectionsOff', ['providers'])

  const refused = await testFar()
  expect(refused.ok).toBe(false)
  expect(JSON.stringify(refused)).toContain('“Requests to providers” is switched off')
  expect(proxy.asked).toHaveLength(asked)
  const answer = await post('chat/completions', { messages: [{ role: 'user', content: 'Hi' }] })
  expect(answer.status).toBe(200)
  const states = await service.connections.list()
  const usedOf = (id: string) => states.find((state) => state.id === id)
  expect(usedOf('providers')).toMatchObject({ isOn: false, lastUsedAtMs: expect.any(Number) })
  expect(usedOf('localProviders')).toMatchObject({ isOn: true, lastUsedAtMs: expect.any(Number) })
  expect(usedOf('proxy')).toMatchObject({ isOn: true, lastUsedAtMs: expect.any(Number) })
  expect(usedOf('catalog')).toMatchObject({ isOn: true, lastUsedAtMs: null })

  await dashboard.setSetting('connectionsOff', [])
  expect(await testFar()).toMatchObject({ ok: true })
})
