/** Downloads published model facts and prices when the user asks for it. */
import { ConnectionRefused } from '../../shared/app/open-connection.ts'
import { ProxyFailed } from '../providers/outbound-proxy.ts'
import { DashboardError, type CatalogFetch } from './dashboard.ts'

/** The sources of a newer catalog. They are the same for every user, and the request contains no data. */
export const catalogSources = {
  prices:
    'https://raw.githubusercontent.com/pydantic/genai-prices/main/prices/new_data/v2/data.json',
  models: 'https://models.dev/api.json',
} as const

const greatestBytes = 16 * 1024 * 1024
const timeLimitMs = 30_000

/**
 * @returns the JSON at the address
 * @throws DashboardError unreachable, with the reason
 */
export async function downloadJson(url: string, fetch: CatalogFetch): Promise<unknown> {
  const text = await downloadText(url, fetch)
  try {
    return JSON.parse(text)
  } catch {
    throw unreachable(`${new URL(url).host} did not send valid JSON.`)
  }
}

async function downloadText(url: string, fetch: CatalogFetch): Promise<string> {
  const { host } = new URL(url)
  try {
    const response = await fetch(url, {
      signal: AbortSignal.timeout(timeLimitMs),
      // The addresses above are https, but a redirect could lead to http.
      redirect: 'error',
    })
    if (!response.ok) throw unreachable(`${host} answered ${response.status}.`)
    return await readText(response, host)
  } catch (error) {
    if (error instanceof DashboardError) throw error
    throw unreachable(sentenceFor(host, error))
  }
}

async function readText(response: Response, host: string): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  // The platform types the chunks of a byte stream as `any`.
  const body: AsyncIterable<Uint8Array> | null = response.body
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength
    if (bytes > greatestBytes) throw unreachable(`${host} sent more than 16 MiB.`)
    chunks.push(chunk)
  }
  return new TextDecoder().decode(Buffer.concat(chunks))
}

function sentenceFor(host: string, error: unknown): string {
  if (error instanceof ProxyFailed || error instanceof ConnectionRefused) return error.message
  if (error instanceof Error && error.name === 'TimeoutError') {
    return `${host} did not answer within ${timeLimitMs / 1000} seconds.`
  }
  return `${host} cannot be reached.`
}

function unreachable(message: string): DashboardError {
  return new DashboardError('unreachable', message)
}
