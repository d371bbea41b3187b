/** Finds providers whose models others keep answering for. One fall-over is normal; a lasting one is worth a notice. */
import type { RequestRecord } from '../../shared/entities.ts'

/** Time from the first fall-over, without an answer of the provider in between, after which it lasts. */
const lastingMs = 60_000

type FinishedRequest = Pick<RequestRecord, 'fallbackFrom' | 'modelUsed' | 'status'>

/** @returns takes each finished request; gives the provider whose fall-over lasts, else null */
export function lastingFallbacks(now: () => number): (request: FinishedRequest) => string | null {
  const sinceMs = new Map<string, number>()
  return ({ fallbackFrom, modelUsed, status }) => {
    if (modelUsed !== null && status < 400) sinceMs.delete(providerOf(modelUsed))
    if (fallbackFrom === null) return null
    const provider = providerOf(fallbackFrom)
    const firstMs = sinceMs.get(provider)
    if (firstMs !== undefined) return now() - firstMs >= lastingMs ? provider : null
    sinceMs.set(provider, now())
    return null
  }
}

function providerOf(modelId: string): string {
  return modelId.slice(0, modelId.indexOf(':'))
}
