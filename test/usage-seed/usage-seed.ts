/**
 * A data folder that has been in use: three routers over five models, four keys, and requests of some months. The same
 * seed gives the same requests. Rows are written with the storage's own functions, so they cannot differ from real ones.
 */
import { seededRandom } from '../../training/reader/random.ts'
import type { RequestRecord } from '../../src/shared/entities.ts'
import type { Estimate, RequestDetail } from '../../src/shared/requests/detail.ts'
import { openSqliteLedger } from '../../src/service/storage/sqlite/ledger-parts.ts'
import { toRowValues } from '../../src/service/storage/sql/ledger-row.ts'
import { openDatabase } from '../../src/service/storage/sqlite/database.ts'
import { openWriteGroup } from '../../src/service/storage/sqlite/write-group.ts'
import { openWorkspace } from '../../src/service/wiring/workspace.ts'
import { sampleEstimate } from '../routing/sample-candidates.ts'
import { sampleDetail, sampleRecord } from '../storage/samples.ts'
import {
  models,
  traffic,
  type Caller,
  type ModelName,
  type SeededModel,
  type Traffic,
} from './traffic.ts'

/** Keys of the seeded providers, for the environment of the app. */
export const seededKeys = {
  MODELPORT_KEY_OPENAI: 'sk-seeded-openai',
  MODELPORT_KEY_ANTHROPIC: 'sk-seeded-anthropic',
  MODELPORT_KEY_GOOGLE: 'sk-seeded-google',
}

/** The ids of what was created, by name. */
export interface SeededUsage {
  routers: ReadonlyMap<string, string>
  keys: ReadonlyMap<string, string>
}

/** Creates the providers, routers and keys in a new data folder. */
export async function seedConfiguration(
  dataDir: string,
  createdAtMs = Date.now(),
): Promise<SeededUsage> {
  const options = { dataDir, cacheDir: dataDir, allowSessionSecrets: true, env: seededKeys }
  let atMs = createdAtMs
  // Lists are sorted by age, so no two are of the same age.
  const now = () => (atMs += 1)
  const workspace = await openWorkspace({ ...options, now })
  const { dashboard } = workspace
  for (const id of ['openai', 'anthropic', 'google']) await dashboard.addProvider({ id, type: id })
  const routers = new Map<string, string>()
  for (const { router, models: names } of traffic) {
    const input = { ...router, models: names.map((name) => models[name].id), tier: 'pro' as const }
    const created = await dashboard.createRouter(input)
    routers.set(router.name, created.id)
  }
  const keys = new Map<string, string>()
  for (const [name, environment] of keyNames) {
    const { apiKey } = await dashboard.createApiKey({ name, environment, routers: 'all' })
    keys.set(name, apiKey.id)
  }
  await workspace.close()
  return { routers, keys }
}

const keyNames = [
  ['Shop backend', 'prod'],
  ['Support bot', 'prod'],
  ['Build server', 'stage'],
  ['Notebook', 'dev'],
] as const

export interface LedgerSeed {
  rows: number
  /** Spread over the days before `nowMs`. */
  days: number
  nowMs: number
  /** Sets the hour and the weekday of `nowMs` that the requests follow. The default is `nowMs`. */
  patternMs?: number
  seed?: number
}

const dayMs = 86_400_000
const rowsAtOnce = 2_000

/** Writes the requests, oldest first. The app must not run. */
export async function seedLedger(
  dataDir: string,
  usage: SeededUsage,
  given: LedgerSeed,
): Promise<void> {
  const db = openDatabase({ dataDir })
  const ledger = openSqliteLedger(db)
  const write = openWriteGroup(db)
  const random = seededRandom(given.seed ?? 16)
  const times = timesOf(given, random)
  for (let from = 0; from < times.length; from += rowsAtOnce) {
    const rows = times.slice(from, from + rowsAtOnce).map((startedAtMs) => {
      return toRowValues(drawRequest(startedAtMs, { usage, random }))
    })
    await write([() => ledger.appendAll(rows)])
  }
  db.close()
}

/** Times of requests: more by day than by night, fewer on weekends, and slowly growing. */
function timesOf(
  { rows, days, nowMs, patternMs = nowMs }: LedgerSeed,
  random: () => number,
): number[] {
  const times: number[] = []
  while (times.length < rows) {
    const age = random()
    const ageMs = age * days * dayMs
    const at = new Date(patternMs - ageMs)
    const hour = at.getUTCHours() + at.getUTCMinutes() / 60
    const isWeekend = at.getUTCDay() % 6 === 0
    const likely = (0.12 + 0.88 * Math.exp(-(((hour - 14) / 4.5) ** 2))) * (isWeekend ? 0.35 : 1)
    const growth = 1 - 0.45 * age
    if (random() < likely * growth) times.push(Math.floor(nowMs - ageMs))
  }
  return times.toSorted((a, b) => a - b)
}

interface Draw {
  usage: SeededUsage
  random: () => number
}

function drawRequest(startedAtMs: number, { usage, random }: Draw) {
  const kind = drawBy(traffic, ({ share }) => share, random)
  const caller = kind.callers[Math.floor(random() * kind.callers.length)] ?? nobody
  const answer = drawAnswer(kind, random)
  const { status, model, chosen, isFallback } = answer
  const record = sampleRecord({
    id: drawId(startedAtMs, random),
    routerId: usage.routers.get(kind.router.name) ?? '',
    apiKeyId: (caller.key && usage.keys.get(caller.key)) ?? null,
    source: caller.key === null ? 'chat' : 'api',
    startedAtMs,
    status,
    errorCode: errorCodes[status] ?? null,
    modelUsed: status === 200 || status === 499 ? model.id : null,
    routerDecision: kind.router.strategy,
    isStreamed: random() < 0.7,
    tag: caller.tag,
    fallbackFrom: isFallback ? models[chosen].id : null,
    fallbackReason: isFallback ? 'rate_limit' : null,
    ...figuresOf(answer),
  })
  if (!record.isStreamed) record.firstTokenMs = null
  return { record, detail: detailOf({ kind, answer, record, client: caller.client }) }
}

const nobody: Caller = { key: null, client: null, tag: null }

interface DrawnAnswer {
  status: number
  /** The first choice, and the model that answered. */
  chosen: ModelName
  model: SeededModel
  isFallback: boolean
  input: number
  output: number
  /** The first try, in a fall-over. */
  failedMs: number
  firstMs: number
  answerMs: number
}

function drawAnswer(kind: Traffic, random: () => number): DrawnAnswer {
  const chosen = drawBy(kind.models, (name) => kind.shares[kind.models.indexOf(name)] ?? 0, random)
  const status = drawBy(statuses, ([, share]) => share, random)[0]
  const isFallback = status === 200 && random() < 0.03
  const used = isFallback ? kind.models.find((name) => name !== chosen) : chosen
  const model = models[used ?? chosen]
  const around = (middle: number, spread: number) => middle * Math.exp((random() - 0.5) * spread)
  const input = Math.max(12, Math.round(around(kind.promptTokens, 1.6)))
  const output = Math.max(4, Math.round(around(kind.answerTokens, 1.8)))
  const firstMs = around(model.firstTokenMs, 0.7) * (random() < 0.015 ? 6 : 1)
  const failedMs = isFallback ? 150 + random() * 900 : 0
  const answerMs = firstMs + (output / model.tokensPerSecond) * 1_000
  return { status, chosen, model, isFallback, input, output, failedMs, firstMs, answerMs }
}

/** How requests end, and how often. */
const statuses: readonly (readonly [number, number])[] = [
  [200, 0.98],
  [503, 0.008],
  [429, 0.004],
  [499, 0.004],
  [400, 0.004],
]

/** The time of Modelport itself before the first try. */
const ownMs = 1.4

function figuresOf({ status, model, input, output, failedMs, firstMs, answerMs }: DrawnAnswer) {
  if (status !== 200) {
    const reported = { reportedPromptTokens: null, reportedCompletionTokens: null }
    const free = { costNanoUsd: 0, carbonGrams: 0, firstTokenMs: null }
    return { ...reported, ...free, latencyMs: isAsked(status) ? ownMs + answerMs / 3 : 0.6 }
  }
  const nanoUsd = (input * model.inputUsdPerMtok + output * model.outputUsdPerMtok) * 1_000
  return {
    reportedPromptTokens: input,
    reportedCompletionTokens: output,
    costNanoUsd: Math.round(nanoUsd),
    carbonGrams: (output * model.milligramsPerToken) / 1_000,
    latencyMs: ownMs + failedMs + answerMs,
    firstTokenMs: ownMs + failedMs + firstMs,
    attempts: failedMs > 0 ? 2 : 1,
  }
}

/** Whether a model was asked before the request failed. */
function isAsked(status: number): boolean {
  return status === 503 || status === 499
}

const errorCodes: Readonly<Record<number, string>> = {
  400: 'invalid_parameter',
  429: 'rate_limit_exceeded',
  499: 'client_closed_request',
  503: 'all_models_unavailable',
}

function drawBy<Item>(
  items: readonly Item[],
  shareOf: (item: Item) => number,
  random: () => number,
) {
  let left = random() * items.reduce((sum, item) => sum + shareOf(item), 0)
  for (const item of items) {
    left -= shareOf(item)
    if (left <= 0) return item
  }
  const [first] = items
  if (first === undefined) throw new Error('nothing to draw from')
  return first
}

/** A UUIDv7 of this time. */
function drawId(atMs: number, random: () => number): string {
  const time = atMs.toString(16).padStart(12, '0')
  const bits = () =>
    Math.floor(random() * 2 ** 32)
      .toString(16)
      .padStart(8, '0')
  const rest = bits() + bits() + bits()
  return `${time.slice(0, 8)}-${time.slice(8)}-7${rest.slice(0, 3)}-8${rest.slice(3, 6)}-${rest.slice(6, 18)}`
}

function attemptsOf(answer: DrawnAnswer): RequestDetail['attempts'] {
  const { status, chosen, model, failedMs, answerMs } = answer
  if (status !== 200) {
    if (!isAsked(status)) return []
    const outcome = status === 499 ? 'aborted' : 'unavailable'
    const failed = { outcome, status: status === 499 ? null : 503, message: null }
    return [{ model: model.id, startedMs: ownMs, tookMs: answerMs / 3, ...failed }]
  }
  const answered = { status: 200, message: null, outcome: 'answered' }
  const last = { model: model.id, startedMs: ownMs + failedMs, tookMs: answerMs, ...answered }
  if (failedMs === 0) return [last]
  const limited = { outcome: 'rate_limit', status: 429, message: 'Too many requests' }
  return [{ model: models[chosen].id, startedMs: ownMs, tookMs: failedMs, ...limited }, last]
}

interface DetailParts {
  kind: Traffic
  answer: DrawnAnswer
  record: RequestRecord
  client: string | null
}

function detailOf({ kind, answer, record, client }: DetailParts): RequestDetail {
  const { decision, tokens: _tokens, price: _price, ...sample } = sampleDetail()
  const { model, input, output, status } = answer
  return {
    ...sample,
    client,
    tokenSource: status === 200 ? 'reported' : 'none',
    tokens: tokensOf(answer),
    price: status === 200 ? priceOf(model) : null,
    carbon: {
      lowGrams: record.carbonGrams * 0.45,
      highGrams: record.carbonGrams * 2.1,
      method: 'modelled',
    },
    attempts: attemptsOf(answer),
    decision: {
      ...decision,
      strategy: kind.router.strategy,
      promptTokens: input,
      isStreamed: record.isStreamed,
      ranked: kind.models
        .map((name) => models[name])
        .toSorted((a, b) => tryOf(a, answer) - tryOf(b, answer))
        .map((one, position) => {
          const quality = expectedQuality(one, kind, answer)
          const estimate = estimateOf({ ...one, quality }, input, output)
          return { model: one.id, position, reason: null, estimate }
        }),
    },
  }
}

/** The position of the model among the tries; models that were not tried come last. */
function tryOf(one: SeededModel, { chosen, model }: DrawnAnswer): number {
  if (one === models[chosen]) return 0
  return one === model ? 1 : 2
}

/** A quality for which the strategy would choose the same model again. */
function expectedQuality(one: SeededModel, kind: Traffic, answer: DrawnAnswer): number {
  const chosen = models[answer.chosen]
  const best = Math.max(...kind.models.map((name) => models[name].quality))
  if (kind.router.strategy !== 'cost_optimized') return one === chosen ? best + 0.02 : one.quality
  const isCheaper = one.outputUsdPerMtok < chosen.outputUsdPerMtok
  return isCheaper ? Math.min(one.quality, best - 0.12) : Math.max(one.quality, best - 0.05)
}

function tokensOf({ status, input, output }: DrawnAnswer): RequestDetail['tokens'] {
  const unknown = { cacheRead: null, cacheWrite: null, reasoning: null }
  return status === 200 ? { input, output, ...unknown } : { input: 0, output: 0, ...unknown }
}

function priceOf({ inputUsdPerMtok, outputUsdPerMtok }: SeededModel): RequestDetail['price'] {
  return {
    inputUsdPerMtok,
    outputUsdPerMtok,
    cacheReadUsdPerMtok: null,
    cacheWriteUsdPerMtok: null,
    source: '@pydantic/genai-prices 0.1.8 (MIT)',
    asOf: '2026-09-23',
  }
}

function estimateOf(model: SeededModel, input: number, output: number): Estimate {
  const promptNanoUsd = Math.round(input * model.inputUsdPerMtok * 1_000)
  const costNanoUsd = promptNanoUsd + Math.round(output * model.outputUsdPerMtok * 1_000)
  const micrograms = Math.round(output * model.milligramsPerToken * 1_000)
  return sampleEstimate({
    quality: model.quality,
    outputTokens: output,
    promptNanoUsd,
    costNanoUsd,
    costP90NanoUsd: costNanoUsd * 3,
    latencyMs: Math.round(model.firstTokenMs),
    latencyP95Ms: Math.round(model.firstTokenMs * 2.2),
    latencySource: 'learned',
    lowMicrograms: Math.round(micrograms * 0.45),
    micrograms,
    highMicrograms: Math.round(micrograms * 2.1),
  })
}
