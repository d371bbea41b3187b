/** Requests a file, or the rest of it, and follows redirects to allowed servers only. */
import { ConnectionRefused } from '../../../shared/app/open-connection.ts'
import { differentFile, DownloadFailed, DownloadInterrupted } from './download-errors.ts'

export interface RemoteFile {
  readonly url: string
  readonly sizeBytes: number
  /** Hexadecimal. */
  readonly sha256: string
}

export type Fetch = (url: string, init: RequestInit) => Promise<Response>
/** Whether a request or redirect may go to this address. */
export type IsAllowed = (url: URL) => boolean

interface FileRequest {
  remote: RemoteFile
  fetch: Fetch
  isAllowed: IsAllowed
  /** The first missing byte. */
  from: number
  /** The version that the received part belongs to; null if the server named none. */
  etag: string | null
  signal: AbortSignal
}

/**
 * `rest` continues the received part, `whole` is the file from its first byte; after `mismatch`, the part does not
 * belong to the server's file and has to be discarded.
 */
export type FileResponse =
  | { kind: 'rest' | 'whole'; response: Response }
  | { kind: 'mismatch'; response: null }

const redirectLimit = 5
const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

/** @throws DownloadInterrupted when no connection opens; DownloadFailed for every answer without the file */
export async function requestFile(request: FileRequest): Promise<FileResponse> {
  const { remote, from, etag } = request
  const response = await follow(request)
  const { status, headers } = response
  if (status === 416 && from > 0) return await mismatch(response)
  if (status === 206) {
    const { start, totalBytes } = readContentRange(headers)
    const isOther = etag !== null && headers.get('etag') !== null && headers.get('etag') !== etag
    if (start !== from || isOther) return await mismatch(response)
    if (totalBytes !== null && totalBytes !== remote.sizeBytes) return await refuse(response)
    return { kind: 'rest', response }
  }
  if (!response.ok) {
    await response.body?.cancel()
    throw new DownloadFailed(`${new URL(remote.url).host} answered ${status}`)
  }
  const lengthText = headers.get('content-length')
  if (lengthText !== null && Number(lengthText) !== remote.sizeBytes) return await refuse(response)
  return { kind: 'whole', response }
}

async function follow({ remote, fetch, isAllowed, from, etag, signal }: FileRequest) {
  const headers = {
    // Compressed bytes would not match the range.
    'accept-encoding': 'identity',
    ...(from > 0 ? { range: `bytes=${from}-` } : {}),
    // Only a strong entity tag may stand here (RFC 9110, 13.1.5).
    ...(from > 0 && etag?.startsWith('"') === true ? { 'if-range': etag } : {}),
  }
  let target = new URL(remote.url)
  for (let hop = 0; hop <= redirectLimit; hop++) {
    if (!isAllowed(target)) {
      throw new DownloadFailed(
        `The download is redirected to ${target.origin}, which is not allowed.`,
      )
    }
    const response = await connect(target, { headers, signal, redirect: 'manual' }, fetch)
    refuseOtherHash(response, remote)
    const location = response.headers.get('location')
    if (!redirects.has(response.status) || location === null) return response
    await response.body?.cancel()
    target = new URL(location, target)
  }
  throw new DownloadFailed(`${new URL(remote.url).host} redirects too often.`)
}

/** Hugging Face names the file's SHA-256 before it sends the file. */
function refuseOtherHash({ headers }: Response, remote: RemoteFile): void {
  const linked = /^"([0-9a-f]{64})"$/.exec(headers.get('x-linked-etag') ?? '')?.[1]
  if (linked !== undefined && linked !== remote.sha256) throw new DownloadFailed(differentFile)
}

async function connect(target: URL, init: RequestInit, fetch: Fetch): Promise<Response> {
  try {
    return await fetch(target.href, init)
  } catch (error) {
    if (error instanceof ConnectionRefused) throw new DownloadFailed(error.message)
    // A proxy's failure has its own message.
    const isProxy = error instanceof Error && error.name === 'ProxyFailed'
    const reason = isProxy ? `: ${error.message}` : ''
    throw new DownloadInterrupted(`${target.host} cannot be reached${reason}`, { cause: error })
  }
}

/** Reads `bytes 12-98/99`; null for a missing header or a total of `*`. */
function readContentRange(headers: Headers): { start: number | null; totalBytes: number | null } {
  const match = /^bytes (\d+)-\d+\/(\d+|\*)$/.exec(headers.get('content-range') ?? '')
  const [, start, total] = match ?? []
  return {
    start: start === undefined ? null : Number(start),
    totalBytes: total === undefined || total === '*' ? null : Number(total),
  }
}

async function mismatch(response: Response): Promise<FileResponse> {
  await response.body?.cancel()
  return { kind: 'mismatch', response: null }
}

async function refuse(response: Response): Promise<never> {
  await response.body?.cancel()
  throw new DownloadFailed(differentFile)
}
