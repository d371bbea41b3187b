/**
 * The daily probe of a provider: one short fixed request a day to one of its models, where a person switched it on with a
 * cap. The same text must count the same tokens every day, and its answer is compared like any other. Without a switch,
 * nothing is ever sent.
 */
import { z } from 'zod'
import type { AnswersEvidence, ProbeSetting } from '../../shared/requests/finding.ts'
import type { Router } from '../../shared/entities.ts'
import { costNanoUsd } from '../catalog/cost.ts'
import type { CompleteChat } from '../chat/chat-call.ts'
import { createIds } from '../ids.ts'
import type { Candidate } from '../routing/candidate.ts'
import type { FindingStore } from '../storage/finding-store.ts'
import { createChatAsker, tunedRouter } from '../tuning/chat-asker.ts'
import type { Workspace } from './workspace.ts'

const firstMs = 5 * 60_000
const everyMs = 3_600_000
const limitMs = 60_000
const dayMs = 86_400_000
const prefix = 'probe:'

const sentences = [
  'A harbour is a place on the coast where ships find shelter from wind and waves.',
  'Some harbours are natural bays, and others were built with walls of stone or concrete.',
  'Cranes lift containers from ships, and trains carry them to cities far from the sea.',
  'Fishing boats leave early in the morning and return before the market opens.',
]
const prompt = `${sentences.join(' ')}\n\nIn one short sentence: what is a harbour for?`
const mostOutputTokens = 64
/** More than any tokenizer counts for the prompt. */
const mostPromptTokens = 600
/** A vendor's template may change by a token or two. */
const usualChange = 0.03

const documentSchema = z.strictObject({
  capUsdPerDay: z.number().nullable(),
  /** Prompt tokens that each model reported for the probe. */
  tokens: z.record(z.string(), z.int()),
  probes: z.int(),
})
type ProbeDocument = z.output<typeof documentSchema>

type OnFinding = (finding: { evidence: AnswersEvidence; requestIds: string[] }) => Promise<void>

export interface AnswerProbes {
  /** Sends the day's probes that were not sent yet; also runs by itself every hour. */
  run(): Promise<void>
  close(): Promise<void>
}

type Parts = Pick<Workspace, 'storage' | 'configuration' | 'candidatesOf' | 'now'> & {
  log: Pick<Workspace['log'], 'failed'>
}

export function startAnswerProbes(
  workspace: Parts,
  completeChat: CompleteChat,
  onFinding: OnFinding,
): AnswerProbes {
  const { storage, log } = workspace
  const closing = new AbortController()
  const run = async () => {
    for (const [providerId, document] of await readProbes(storage.findings))
      if (document.capUsdPerDay !== null && !closing.signal.aborted)
        await probe(workspace, { providerId, document, completeChat, onFinding, closing })
  }
  let running = Promise.resolve()
  const start = () => {
    running = running.then(run).catch((error: unknown) => {
      if (!closing.signal.aborted) log.failed('daily probe', error)
    })
    return running
  }
  const first = setTimeout(() => void start(), firstMs).unref()
  const next = setInterval(() => void start(), everyMs).unref()
  return {
    run: start,
    close() {
      clearTimeout(first)
      clearInterval(next)
      closing.abort()
      return running
    },
  }
}

interface Probe {
  providerId: string
  document: ProbeDocument
  completeChat: CompleteChat
  onFinding: OnFinding
  closing: AbortController
}

async function probe(workspace: Parts, one: Probe): Promise<void> {
  const { storage, now } = workspace
  const { providerId, document, completeChat, onFinding, closing } = one
  const dayNumber = Math.floor(now() / dayMs)
  const target = targetOf(workspace, providerId, dayNumber)
  const capNanoUsd = Math.floor((document.capUsdPerDay ?? 0) * 1e9)
  if (target === null || mostNanoUsd(target.candidate) > capNanoUsd) return
  const day = new Date(now()).toISOString().slice(0, 10)
  const account = { routerId: prefix + providerId, day }
  // The whole cap, so that no other node and no restart sends a second one on this day.
  const reserved = Math.max(1, capNanoUsd)
  const isFirst = await storage.shadowSamples.reserve({
    ...account,
    nanoUsd: reserved,
    capNanoUsd: reserved,
  })
  if (!isFirst) return
  const requestId = createIds(now)()
  const ask = createChatAsker({
    completeChat,
    router: tunedRouter(target.router, null),
    runId: prefix + providerId,
    source: 'probe',
    newId: () => requestId,
  })
  const body = {
    messages: [{ role: 'user' as const, content: prompt }],
    max_tokens: mostOutputTokens,
  }
  const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(limitMs)])
  await ask({ candidate: target.candidate, body, isJudge: false }, signal)
  await compareTokens(workspace, { providerId, document, requestId, onFinding })
}

interface Target {
  router: Router
  candidate: Candidate
}

/** A model of the provider that a router uses, another one each day. */
function targetOf(
  { configuration, candidatesOf }: Parts,
  providerId: string,
  dayNumber: number,
): Target | null {
  const targets = new Map<string, Target>()
  for (const router of configuration.current().routers.values())
    for (const candidate of candidatesOf(router))
      if (candidate.providerId === providerId && candidate.embedding === null)
        targets.set(candidate.modelId, { router, candidate })
  const all = [...targets.values()]
  return all[dayNumber % Math.max(1, all.length)] ?? null
}

function mostNanoUsd({ price }: Candidate): number {
  const none = { cacheReadTokens: 0, cacheWriteTokens: 0 }
  return costNanoUsd(price, {
    ...none,
    inputTokens: mostPromptTokens,
    outputTokens: mostOutputTokens,
  })
}

/** The probe's own row says what the model counted. */
async function compareTokens(
  { storage, now }: Parts,
  one: Pick<Probe, 'providerId' | 'document' | 'onFinding'> & { requestId: string },
): Promise<void> {
  const { providerId, document, requestId, onFinding } = one
  const row = (await storage.ledger.get(requestId))?.record
  const reported = row?.reportedPromptTokens ?? null
  const modelId = row?.modelUsed ?? null
  if (row === undefined || reported === null || modelId === null || row.status >= 400) return
  const before = document.tokens[modelId]
  const tokens = { ...document.tokens, [modelId]: reported }
  const next = { ...document, tokens, probes: document.probes + 1 }
  await saveProbe(storage.findings, providerId, next)
  if (before === undefined || Math.abs(reported / before - 1) <= usualChange) return
  const evidence: AnswersEvidence = {
    check: 'promptTokens',
    modelId,
    deviating: 1,
    answers: next.probes,
    sinceMs: now(),
    named: null,
    factor: reported / before,
    hoursUtc: null,
  }
  await onFinding({ evidence, requestIds: [requestId] })
}

export async function readProbes(findings: FindingStore): Promise<Map<string, ProbeDocument>> {
  const probes = new Map<string, ProbeDocument>()
  for (const { name, value } of await findings.documents(prefix)) {
    const read = documentSchema.safeParse(JSON.parse(value))
    if (read.success) probes.set(name.slice(prefix.length), read.data)
  }
  return probes
}

async function saveProbe(
  findings: FindingStore,
  providerId: string,
  document: ProbeDocument,
): Promise<void> {
  await findings.saveDocuments([{ name: prefix + providerId, value: JSON.stringify(document) }])
}

/** Switches a provider's probe on with a cap, or off with null. */
export async function setProbe(
  findings: FindingStore,
  { providerId, capUsdPerDay }: ProbeSetting,
): Promise<void> {
  const known = (await readProbes(findings)).get(providerId) ?? { tokens: {}, probes: 0 }
  await saveProbe(findings, providerId, { ...known, capUsdPerDay })
}
