import { createHash } from 'node:crypto'
import { mkdir, readFile, stat, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import type { RangeServer } from '../../../../test/local/range-server.ts'
import { startRangeServer } from '../../../../test/local/start-range-server.ts'
import { temporaryFolder } from '../../../../test/storage/temporary-folder.ts'
import { downloadFile, receivedBytesOf, type DownloadOptions } from './download.ts'
import { DownloadPaused } from './download-errors.ts'
import { isHeld, requestPause } from './download-lock.ts'

type Server = Pick<RangeServer, 'url' | 'received'>

/** 300 kB that start like a model file. */
const content = Buffer.concat([
  Buffer.from('GGUF'),
  Buffer.alloc(300_000, 'weights and more weights '),
])
const version = { etag: '"first-version"' }

function prepare(
  { url, received }: Server,
  options: Partial<DownloadOptions> = {},
): DownloadOptions {
  return {
    remote: { url: `${url}/model.gguf`, sizeBytes: content.length, sha256: sha256Of(content) },
    file: join(temporaryFolder(), 'models', 'model.gguf'),
    fetch,
    isAllowed: () => true,
    retryWaitsMs: [0, 0, 0],
    onProgress: ({ receivedBytes }) => received(receivedBytes),
    ...options,
  }
}

test('a download that is interrupted three times, paused and resumed verifies', async () => {
  const breaks = [10_000, 20_000, 30_000].map((breakAfter) => ({ breakAfter, headers: version }))
  const server = await startRangeServer(content, [
    ...breaks,
    { holdAfter: 40_000, headers: version },
  ])
  const options = prepare(server)

  const pause = new AbortController()
  const paused = downloadFile({
    ...options,
    signal: pause.signal,
    onProgress: ({ receivedBytes }) => {
      server.received(receivedBytes)
      if (receivedBytes === 100_000) pause.abort(new Error('paused by the user'))
    },
  })
  await expect(paused).rejects.toThrow('paused by the user')
  expect(await receivedBytesOf(options.file)).toBe(100_000)
  await expect(stat(options.file)).rejects.toThrow('ENOENT')

  await downloadFile(options)

  expect(server.requests.map(({ range }) => range)).toEqual([
    null,
    'bytes=10000-',
    'bytes=30000-',
    'bytes=60000-',
    'bytes=100000-',
  ])
  expect(sha256Of(await readFile(options.file))).toBe(sha256Of(content))
  expect(await receivedBytesOf(options.file)).toBe(0)
})

test('a file with another hash is refused and deleted', async () => {
  const other = Buffer.from(content)
  other[200_000] = 0
  const server = await startRangeServer(other)
  const options = prepare(server)

  await expect(downloadFile(options)).rejects.toThrow('damaged or a different one')

  expect(await receivedBytesOf(options.file)).toBe(0)
  await expect(stat(options.file)).rejects.toThrow('ENOENT')
})

test('a pause while the hash is computed keeps the complete part', async () => {
  const server = await startRangeServer(content)
  const pause = new AbortController()
  const options = prepare(server)

  const paused = downloadFile({
    ...options,
    signal: pause.signal,
    onProgress: ({ isVerifying }) => isVerifying && pause.abort(new Error('paused by the user')),
  })
  await expect(paused).rejects.toThrow('paused by the user')
  expect(await receivedBytesOf(options.file)).toBe(content.length)

  await downloadFile(options)
  expect(server.requests).toHaveLength(1)
  expect(await readFile(options.file)).toEqual(content)
})

test('a server that ignores the range sends the whole file from the start', async () => {
  const server = await startRangeServer(content, [{ breakAfter: 50_000 }, { ignoresRange: true }])
  const options = prepare(server)

  await downloadFile(options)

  expect(server.requests.map(({ range }) => range)).toEqual([null, 'bytes=50000-'])
  expect(await readFile(options.file)).toEqual(content)
})

test.each([
  ['the server names another version of the file', { headers: { etag: '"second-version"' } }],
  ['the server finds the range outside the file', { status: 416 }],
  [
    'the server sends another range',
    { headers: { ...version, 'content-range': `bytes 7-${content.length - 1}/${content.length}` } },
  ],
])('a download starts anew when %s', async (_when, answer) => {
  const server = await startRangeServer(content, [{ breakAfter: 50_000, headers: version }, answer])
  const options = prepare(server)

  await downloadFile(options)

  expect(server.requests).toEqual([
    { path: '/model.gguf', range: null, ifRange: null },
    { path: '/model.gguf', range: 'bytes=50000-', ifRange: '"first-version"' },
    { path: '/model.gguf', range: null, ifRange: null },
  ])
  expect(await readFile(options.file)).toEqual(content)
})

test.each([
  ['another size', { content: Buffer.from('<html>sign in</html>') }, 'sends a different file'],
  ['a page without a length', signInPage(), 'sends a different file'],
  ['another hash in x-linked-etag', { headers: linkedTo('0') }, 'sends a different file'],
  ['status 404', { status: 404 }, /^127\.0\.0\.1:\d+ answered 404$/],
])('%s ends the download before the file arrives', async (_what, answer, words) => {
  const server = await startRangeServer(content, [answer])
  const options = prepare(server)

  await expect(downloadFile(options)).rejects.toThrow(words)

  expect(server.requests).toHaveLength(1)
  expect(await receivedBytesOf(options.file)).toBe(0)
})

test('a redirect to an allowed server is followed with the range', async () => {
  const storage = await startRangeServer(content)
  const redirect = {
    status: 302,
    headers: { location: `${storage.url}/blob`, ...linkedTo('real') },
  }
  const hub = await startRangeServer(content, [redirect])
  const options = prepare(hub)
  await writePart(options.file, content.subarray(0, 12))

  await downloadFile(options)

  expect(storage.requests).toEqual([{ path: '/blob', range: 'bytes=12-', ifRange: null }])
  expect(await readFile(options.file)).toEqual(content)
})

test('a redirect to a server that is not allowed is refused', async () => {
  const elsewhere = await startRangeServer(content)
  const hub = await startRangeServer(content, [
    { status: 302, headers: { location: `${elsewhere.url}/blob` } },
  ])
  const options = prepare(hub, { isAllowed: ({ origin }) => origin === hub.url })

  await expect(downloadFile(options)).rejects.toThrow(
    `redirected to ${elsewhere.url}, which is not allowed`,
  )
  expect(elsewhere.requests).toEqual([])
})

test('a server that cannot be reached is asked once', async () => {
  const nowhere = { url: 'https://huggingface.co', received: () => {} }
  let attempts = 0
  const refuse = () => {
    attempts++
    return Promise.reject(new TypeError('fetch failed'))
  }

  const failing = downloadFile(prepare(nowhere, { fetch: refuse }))

  await expect(failing).rejects.toThrow('huggingface.co cannot be reached')
  expect(attempts).toBe(1)
})

test('interruptions without progress end the download, and it can be resumed', async () => {
  const noProgress = [
    { breakAfter: 50_000 },
    ...Array.from({ length: 3 }, () => ({ breakAfter: 0 })),
  ]
  const server = await startRangeServer(content, noProgress)
  const options = prepare(server)

  await expect(downloadFile(options)).rejects.toThrow('Resume the download to continue')
  expect(await receivedBytesOf(options.file)).toBe(50_000)

  await downloadFile(options)
  expect(server.requests.at(-1)).toMatchObject({ range: 'bytes=50000-' })
})

test('a disk with too little space is named before anything is requested', async () => {
  const server = await startRangeServer(content)
  const options = prepare(server, { freeBytes: () => Promise.resolve(5_000_000) })

  await expect(downloadFile(options)).rejects.toThrow(
    `needs 100 MB, and 5 MB are free in ${dirname(options.file)}`,
  )
  expect(server.requests).toEqual([])
})

test('another process can pause a download and cannot start it twice', async () => {
  const server = await startRangeServer(content, [{ holdAfter: 70_000 }])
  let tell = () => {}
  const isUnderWay = new Promise<void>((resolve) => {
    tell = resolve
  })
  const onProgress = ({ receivedBytes }: { receivedBytes: number }) => {
    if (receivedBytes === 70_000) tell()
  }
  const options = prepare(server, { onProgress })
  const ended = downloadFile(options).catch((error: unknown) => error)
  await isUnderWay

  expect(await isHeld(options.file)).toBe(true)
  await expect(downloadFile(options)).rejects.toThrow('Another process downloads this model')
  await requestPause(options.file)

  expect(await ended).toBeInstanceOf(DownloadPaused)
  expect(await isHeld(options.file)).toBe(false)
  expect(await receivedBytesOf(options.file)).toBe(70_000)
})

test('the lock of a crashed process does not block the next download', async () => {
  const server = await startRangeServer(content)
  const options = prepare(server)
  await writePart(options.file, content.subarray(0, 30))
  const lock = `${options.file}.download-lock`
  await writeFile(lock, 'a process that has ended')
  const longAgo = new Date(Date.now() - 60_000)
  await utimes(lock, longAgo, longAgo)

  await downloadFile(options)

  expect(await readFile(options.file)).toEqual(content)
})

function signInPage() {
  return { content: Buffer.from('<html>sign in</html>'), hasNoLength: true }
}

/** Hugging Face's header with the file's hash, or with zeros. */
function linkedTo(hash: 'real' | '0'): Record<string, string> {
  return { 'x-linked-etag': `"${hash === 'real' ? sha256Of(content) : '0'.repeat(64)}"` }
}

async function writePart(file: string, part: Buffer): Promise<void> {
  await mkdir(dirname(file), { recursive: true })
  await writeFile(`${file}.download`, part)
}

function sha256Of(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}
