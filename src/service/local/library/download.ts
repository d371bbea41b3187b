/**
 * Downloads one large file and resumes it after interruptions, pauses and restarts. The received part is in
 * `<file>.download` and gets the final name only after its size and SHA-256 were checked, so a file with the
 * final name is always complete. Each start asks for the missing bytes only; a server that ignores this, or
 * whose file has changed, sends the whole file again.
 */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, open, readFile, rename, rm, stat, statfs, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { formatBytes } from '../../../shared/strings/format.ts'
import {
  differentFile,
  DownloadFailed,
  DownloadInterrupted,
  DownloadPaused,
} from './download-errors.ts'
import { holdDownload } from './download-lock.ts'
import { requestFile, type Fetch, type IsAllowed, type RemoteFile } from './request-file.ts'

/** Bytes of the whole file, including those of earlier attempts. */
export interface DownloadProgress {
  readonly receivedBytes: number
  readonly totalBytes: number
  /** All bytes have arrived, and their hash is being computed. */
  readonly isVerifying: boolean
}

export interface DownloadOptions {
  readonly remote: RemoteFile
  /** Path of the verified file. */
  readonly file: string
  /** The app passes its own, which uses proxies and extra certificate authorities. */
  readonly fetch: Fetch
  /** Whether a request or redirect may go to this address. */
  readonly isAllowed: IsAllowed
  readonly onProgress?: ((progress: DownloadProgress) => void) | undefined
  readonly signal?: AbortSignal | undefined
  /** The waits before retries; tests pass shorter ones. */
  readonly retryWaitsMs?: readonly number[] | undefined
  readonly freeBytes?: ((folder: string) => Promise<number>) | undefined
}

const answerLimitMs = 5_000
const stallLimitMs = 30_000
const retryWaitsMs = [1_000, 2_000, 4_000, 8_000, 16_000]
/** An attempt that received this much resets the count of retries. */
const progressBytes = 1_000_000
/** Left free for everything else that writes to the disk. */
const spareBytes = 100_000_000

/** The received part of a file that is not complete. */
export function partFileOf(file: string): string {
  return `${file}.download`
}

/** @returns the bytes received so far; 0 without a part */
export async function receivedBytesOf(file: string): Promise<number> {
  try {
    return (await stat(partFileOf(file))).size
  } catch {
    return 0
  }
}

/** Deletes everything that an incomplete download left. */
export async function discardPart(file: string): Promise<void> {
  await Promise.all([partFileOf(file), etagFileOf(file)].map((path) => rm(path, { force: true })))
}

/**
 * @returns the file's path
 * @throws DownloadFailed; DownloadPaused; the signal's reason. The received part is kept for the next start.
 */
export async function downloadFile(options: DownloadOptions): Promise<string> {
  const { file, remote, onProgress } = options
  await mkdir(dirname(file), { recursive: true })
  const pause = new AbortController()
  const release = await holdDownload(file, () => pause.abort(new DownloadPaused()))
  try {
    const signal = AbortSignal.any([pause.signal, ...(options.signal ? [options.signal] : [])])
    await receiveAll(options, signal)
    const { sizeBytes: totalBytes } = remote
    onProgress?.({ receivedBytes: totalBytes, totalBytes, isVerifying: true })
    await adoptFile(partFileOf(file), { file, remote, signal })
    await rm(etagFileOf(file), { force: true })
    return file
  } finally {
    await release()
  }
}

interface Adoption {
  file: string
  remote: Pick<RemoteFile, 'sha256'>
  signal?: AbortSignal
}

/**
 * Gives a complete file its final name if it is the right one; deletes it if not.
 * @throws DownloadFailed when its hash differs; the signal's reason
 */
export async function adoptFile(
  received: string,
  { file, remote, signal }: Adoption,
): Promise<void> {
  const actual = await hashFile(received, signal)
  if (actual !== remote.sha256) {
    await rm(received, { force: true })
    throw new DownloadFailed(
      `The model file is damaged or a different one: its SHA-256 is ${actual}, not ${remote.sha256}. It was deleted.`,
    )
  }
  await mkdir(dirname(file), { recursive: true })
  await rename(received, file)
}

/** Requests the missing bytes until none is missing. A first request that fails is not repeated. */
async function receiveAll(options: DownloadOptions, signal: AbortSignal): Promise<void> {
  const { file, remote } = options
  const waits = options.retryWaitsMs ?? retryWaitsMs
  let retries = 0
  let hasReceived = false
  for (;;) {
    signal.throwIfAborted()
    const from = await findResumePoint(file, remote)
    if (from === remote.sizeBytes) return
    await checkDisk(options, from)
    const problem = await receiveFrom(from, options, signal)
    const received = (await receivedBytesOf(file)) - from
    if (problem === null && received + from === remote.sizeBytes) return
    signal.throwIfAborted()
    hasReceived ||= received > 0
    if (received >= progressBytes) retries = 0
    const waitMs = waits[retries++]
    if (!hasReceived || waitMs === undefined) throw problem ?? new DownloadInterrupted(endedEarly)
    await wait(waitMs, undefined, { signal }).catch(() => signal.throwIfAborted())
  }
}

const endedEarly = 'The server ended the file too early. Resume the download to continue.'

/** A complete part only waits for its hash check; a part that is too long is another file. */
async function findResumePoint(file: string, remote: RemoteFile): Promise<number> {
  const received = await receivedBytesOf(file)
  if (received <= remote.sizeBytes) return received
  await discardPart(file)
  return 0
}

/** @throws DownloadFailed when the rest of the file does not fit on the disk */
async function checkDisk(options: DownloadOptions, received: number): Promise<void> {
  const folder = dirname(options.file)
  const neededBytes = options.remote.sizeBytes - received + spareBytes
  const freeBytes = await (options.freeBytes ?? freeBytesOf)(folder)
  if (freeBytes >= neededBytes) return
  throw new DownloadFailed(
    `The disk has too little space: the download needs ${formatBytes(neededBytes)}, and ${formatBytes(freeBytes)} are free in ${folder}.`,
  )
}

async function freeBytesOf(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}

/**
 * One request, from this byte to the end of the file.
 * @returns the interruption; null when the server sent everything it wanted to send
 * @throws DownloadFailed; the signal's reason
 */
async function receiveFrom(
  from: number,
  options: DownloadOptions,
  outer: AbortSignal,
): Promise<DownloadInterrupted | null> {
  const limit = new AbortController()
  const signal = AbortSignal.any([outer, limit.signal])
  const { host } = new URL(options.remote.url)
  const watch = watchdog(limit, host)
  try {
    const etag = await readEtag(options.file)
    const { kind, response } = await requestFile({ ...options, from, etag, signal })
    watch.restart()
    if (kind === 'mismatch') {
      await discardPart(options.file)
      return new DownloadInterrupted(`${host} has another file than before.`)
    }
    await saveEtag(options.file, response.headers.get('etag'))
    await receiveBody(response, { ...options, from: kind === 'rest' ? from : 0, watch })
    return null
  } catch (error) {
    outer.throwIfAborted()
    const problem: unknown = limit.signal.aborted ? limit.signal.reason : error
    if (problem instanceof DownloadInterrupted) return problem
    throw problem
  } finally {
    watch.stop()
  }
}

interface Reception extends DownloadOptions {
  from: number
  watch: Watchdog
}

/** Writes every chunk to disk before it reads the next one, so that an interruption loses no received byte. */
async function receiveBody(response: Response, reception: Reception): Promise<void> {
  const { remote, file, from, onProgress, watch } = reception
  const reader = (response.body ?? new ReadableStream<Uint8Array>()).getReader()
  const part = await open(partFileOf(file), from > 0 ? 'a' : 'w')
  let receivedBytes = from
  try {
    for (let { value } = await readNext(reader); value; { value } = await readNext(reader)) {
      watch.restart()
      if (receivedBytes === 0) refuseOtherFormat(value)
      receivedBytes += value.length
      if (receivedBytes > remote.sizeBytes) throw new DownloadFailed(differentFile)
      await part.writeFile(value)
      onProgress?.({ receivedBytes, totalBytes: remote.sizeBytes, isVerifying: false })
    }
    // A power failure must not leave a verified name on bytes that never reached the disk.
    await part.sync()
  } catch (error) {
    throw isDiskFull(error) ? new DownloadFailed(diskFull, { cause: error }) : error
  } finally {
    await part.close()
    await reader.cancel().catch(() => undefined)
  }
}

const diskFull = 'The disk is full. Free some space, then resume the download.'

/** Refuses another format. Network sign-in pages answer every request with HTML and status 200. */
function refuseOtherFormat(firstChunk: Uint8Array): void {
  const magic = 'GGUF'
  const start = Buffer.from(firstChunk.subarray(0, magic.length)).toString('latin1')
  if (!magic.startsWith(start)) throw new DownloadFailed(differentFile)
}

/** @throws DownloadInterrupted when the connection breaks */
async function readNext(reader: ReadableStreamDefaultReader<Uint8Array>) {
  try {
    return await reader.read()
  } catch (error) {
    throw new DownloadInterrupted('The connection broke. Resume the download to continue.', {
      cause: error,
    })
  }
}

function isDiskFull(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOSPC'
}

interface Watchdog {
  restart(): void
  stop(): void
}

/** The server has some seconds for its first response, and may then pause for longer between two chunks. */
function watchdog(limit: AbortController, host: string): Watchdog {
  const abortAfter = (limitMs: number, complaint: string) =>
    setTimeout(() => limit.abort(new DownloadInterrupted(`${host} ${complaint}`)), limitMs)
  let timer = abortAfter(answerLimitMs, `did not answer within ${answerLimitMs / 1000} s`)
  let isAnswered = false
  return {
    restart() {
      if (isAnswered) return void timer.refresh()
      isAnswered = true
      clearTimeout(timer)
      timer = abortAfter(stallLimitMs, `sent nothing for ${stallLimitMs / 1000} s`)
    },
    stop: () => clearTimeout(timer),
  }
}

/** The version of the file that the part belongs to, as the server names it. */
function etagFileOf(file: string): string {
  return `${file}.download-etag`
}

async function readEtag(file: string): Promise<string | null> {
  try {
    return await readFile(etagFileOf(file), 'utf8')
  } catch {
    return null
  }
}

async function saveEtag(file: string, etag: string | null): Promise<void> {
  if (etag === null) await rm(etagFileOf(file), { force: true })
  else await writeFile(etagFileOf(file), etag)
}

async function hashFile(file: string, signal?: AbortSignal): Promise<string> {
  const hash = createHash('sha256')
  try {
    await pipeline(createReadStream(file), hash, signal ? { signal } : {})
  } catch (error) {
    signal?.throwIfAborted()
    throw error
  }
  return hash.digest('hex')
}
