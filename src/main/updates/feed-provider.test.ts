import { generateKeyPairSync, sign } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { RequestOptions } from 'node:http'
import type { ProviderRuntimeOptions } from 'electron-updater/out/providers/Provider.js'
import { expect, onTestFinished, test } from 'vitest'
import { SignedFeedProvider } from './feed-provider.ts'
import { UpdateProblem } from './update-problem.ts'

const sha512 = Buffer.alloc(64, 7).toString('base64')

const feedText = `version: 0.2.0
files:
  - url: modelport-0.2.0-linux-x64.tar.gz
    sha512: ${sha512}
    size: 12
  - url: modelport_0.2.0_amd64.deb
    sha512: ${sha512}
    size: 10
releaseDate: "2026-11-20T09:00:00.000Z"
releaseNotes: Faster.
`

function newKeys() {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const der = publicKey.export({ format: 'der', type: 'spki' }).toString('base64')
  return {
    der,
    sign: (text: string) => sign(null, Buffer.from(text), privateKey).toString('base64'),
  }
}

/** Serves these files; every other path is a 404. */
async function serve(files: Readonly<Record<string, string>>) {
  const requests: { path: string; headers: string[] }[] = []
  const server = createServer((request, response) => {
    const path = (request.url ?? '').slice(1)
    requests.push({ path, headers: Object.keys(request.headers) })
    const text = files[path]
    response.writeHead(text === undefined ? 404 : 200).end(text)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  // Checked boundary: it listens on a port.
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, requests }
}

/** electron-updater's requests, without Electron. */
const executor = {
  async request({ protocol, hostname, port, path, headers }: RequestOptions) {
    const answer = await fetch(`${protocol}//${hostname}:${port}${path}`, {
      headers: { ...(headers as Record<string, string> | undefined) },
    })
    if (!answer.ok) throw Object.assign(new Error('404'), { code: 'HTTP_ERROR_404' })
    return await answer.text()
  },
}

function openFeed(url: string, publicKey: string, extension = '.tar.gz'): SignedFeedProvider {
  const platform = 'linux'
  const options = { executor, platform, isUseMultipleRangeRequest: false }
  // Checked boundary: of the executor, the provider uses only `request`.
  const provider = new SignedFeedProvider(
    { url, publicKey },
    extension,
    options as unknown as ProviderRuntimeOptions,
  )
  return provider
}

async function kindOfFailure(provider: SignedFeedProvider): Promise<string> {
  try {
    await provider.getLatestVersion()
    return 'accepted'
  } catch (error) {
    if (error instanceof UpdateProblem) return error.kind
    throw error
  }
}

const feedName = `latest-linux${process.arch === 'x64' ? '' : `-${process.arch}`}.yml`

function signedFiles(text: string, signature: string) {
  return { [feedName]: text, [`${feedName}.sig`]: signature }
}

test('a signed feed names the package for this kind of installation', async () => {
  const keys = newKeys()
  const { url, requests } = await serve(signedFiles(feedText, keys.sign(feedText)))
  const provider = openFeed(url, keys.der)
  provider.setRequestHeaders()
  const release = await provider.getLatestVersion()
  expect(release).toMatchObject({ version: '0.2.0', releaseNotes: 'Faster.' })
  expect(provider.resolveFiles(release).map((file) => file.url.href)).toEqual([
    `${url}modelport-0.2.0-linux-x64.tar.gz`,
  ])
  expect(requests.map(({ path }) => path)).toEqual([feedName, `${feedName}.sig`])
  expect(requests.flatMap(({ headers }) => headers)).not.toContain('x-user-staging-id')
})

test('a feed that was changed after it was signed is refused', async () => {
  const keys = newKeys()
  const tampered = feedText.replace('0.2.0', '0.9.0')
  const { url } = await serve(signedFiles(tampered, keys.sign(feedText)))
  expect(await kindOfFailure(openFeed(url, keys.der))).toBe('bad_signature')
})

test('a feed signed with another key, or without a readable signature, is refused', async () => {
  const { der } = newKeys()
  for (const signature of [newKeys().sign(feedText), '', 'not base64!', 'AAAA']) {
    const { url } = await serve(signedFiles(feedText, signature))
    expect(await kindOfFailure(openFeed(url, der))).toBe('bad_signature')
  }
})

test('a signed feed that cannot be read, or has no package for this installation, is refused', async () => {
  const keys = newKeys()
  for (const text of ['version: new', '{', feedText.replace(sha512, 'short'), 'files: []']) {
    const { url } = await serve(signedFiles(text, keys.sign(text)))
    expect(await kindOfFailure(openFeed(url, keys.der))).toBe('bad_feed')
  }
  const { url } = await serve(signedFiles(feedText, keys.sign(feedText)))
  expect(await kindOfFailure(openFeed(url, keys.der, '.rpm'))).toBe('bad_feed')
})
