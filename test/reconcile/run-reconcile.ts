/** Runs a comparison of generated bills with a generated ledger: what the product reads from its database is made here. */
import type { Model } from '../../src/shared/entities.ts'
import type { Reconciliation, ReconcileOptions } from '../../src/shared/requests/reconciliation.ts'
import { loadCatalog } from '../../src/service/catalog/catalog.ts'
import { reconcile } from '../../src/service/reconcile/reconcile.ts'
import type { ModelSpan } from '../../src/service/storage/storage.ts'
import type { BillForm } from './bill-files.ts'
import type { TextFile } from './bill-text.ts'
import type { LedgerEntry, VendorModel } from './vendor-billing.ts'

export interface Run {
  form: Pick<BillForm, 'providerType'>
  models: readonly VendorModel[]
  ledger: readonly LedgerEntry[]
  files: readonly TextFile[]
  timeZone?: string | undefined
  nowMs?: number
}

const afterTheBillMs = Date.parse('2026-11-28T12:00:00Z')
const provider = 'vendor'

export function runReconcile({
  form,
  models,
  ledger,
  files,
  timeZone,
  nowMs = afterTheBillMs,
}: Run): Promise<Reconciliation> {
  const spans = ledgerSpans(ledger)
  const types = { [provider]: form.providerType }
  return compareSpans(files, spans, { models: models.map(toModel), types, timeZone, nowMs })
}

interface Compared extends ReconcileOptions {
  models?: readonly Model[]
  /** Types of the configured providers, by id. */
  types?: Readonly<Record<string, string>>
  nowMs?: number
}

export function compareSpans(
  files: readonly TextFile[],
  spans: readonly ModelSpan[],
  { models = [], types = {}, nowMs = afterTheBillMs, ...options }: Compared = {},
): Promise<Reconciliation> {
  return reconcile(
    files.map(({ name, text }) => ({ name, bytes: new TextEncoder().encode(text) })),
    options,
    {
      ledger: {
        modelSpans: async ({ fromMs, toMs, bucketMs }) => {
          const byStart = new Map<string, ModelSpan>()
          for (const span of spans) {
            if (span.startMs < fromMs || span.startMs >= toMs) continue
            addSpan(byStart, { ...span, startMs: span.startMs - (span.startMs % bucketMs) })
          }
          return [...byStart.values()]
        },
      },
      models,
      providers: new Map(
        Object.entries(types).map(([id, type]) => [id, storedProvider({ id, type })]),
      ),
      catalog: loadCatalog(),
      now: () => nowMs,
    },
  )
}

/** Roll-ups of a quarter of an hour. */
function ledgerSpans(ledger: readonly LedgerEntry[]): ModelSpan[] {
  const byStart = new Map<string, ModelSpan>()
  for (const { atMs, name, tokens, reasoning, isEstimated, hasFailed, nanoUsd } of ledger) {
    addSpan(byStart, {
      startMs: atMs - (atMs % 900_000),
      model: `${provider}:${name}`,
      requests: 1,
      estimated: isEstimated ? 1 : 0,
      fallbacks: hasFailed ? 1 : 0,
      input: tokens.input,
      cacheRead: tokens.cacheRead,
      cacheWrite: tokens.write5m + tokens.write1h,
      output: tokens.output - reasoning,
      reasoning,
      costNanoUsd: nanoUsd,
    })
  }
  return [...byStart.values()]
}

function addSpan(byStart: Map<string, ModelSpan>, span: ModelSpan): void {
  const key = `${span.startMs} ${span.model}`
  const known = byStart.get(key)
  if (known === undefined) return void byStart.set(key, { ...span })
  known.requests += span.requests
  known.estimated += span.estimated
  known.fallbacks += span.fallbacks
  known.input += span.input
  known.cacheRead += span.cacheRead
  known.cacheWrite += span.cacheWrite
  known.output += span.output
  known.reasoning += span.reasoning
  known.costNanoUsd += span.costNanoUsd
}

/** Ten requests to a model at ten o'clock. @param id  `<provider>:<model_name>` */
export function tenRequests(
  day: string,
  id: string,
  { input, output, usd }: { input: number; output: number; usd: number },
): ModelSpan {
  return {
    startMs: Date.parse(`${day}T10:00:00Z`),
    model: id,
    requests: 10,
    estimated: 0,
    fallbacks: 0,
    input,
    cacheRead: 0,
    cacheWrite: 0,
    output,
    reasoning: 0,
    costNanoUsd: Math.round(usd * 1e9),
  }
}

function storedProvider({ id, type }: { id: string; type: string }) {
  const place = { baseUrl: null, privateNetwork: false, options: {} }
  return { id, type, ...place, createdAtMs: 0, keyRevision: 0 }
}

export function toModel({ name, prices }: VendorModel): Model {
  return {
    id: `${provider}:${name}`,
    providerId: provider,
    inputUsdPerMtok: prices.input,
    outputUsdPerMtok: prices.output,
    cacheReadUsdPerMtok: prices.cacheRead,
    cacheWriteUsdPerMtok: prices.write5m,
    cacheWrite1hUsdPerMtok: prices.write1h,
    priceTiers: [],
    timedPrices: [],
    contextTokens: null,
    maxOutputTokens: null,
    capabilities: [],
    quality: null,
    rating: null,
    efforts: [],
    energyWhPerKtok: null,
    size: null,
    speed: null,
    region: null,
    parameters: { refuses: [], samplesWithoutReasoning: false, sendsTemperature: false },
    priceSource: { kind: 'user' },
  }
}
