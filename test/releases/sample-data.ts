/** Writes something into every table, and reads it as the stores do. Times and ids never change. */
import {
  sampleAttachment,
  sampleConversation,
  sampleMessage,
  samplePreset,
  sampleQueued,
} from '../sample-conversations.ts'
import { startedExecution, type Execution } from '../../src/shared/agents/agent.ts'
import type { JudgedPrompt } from '../../src/shared/tuning/tuning.ts'
import { routingSettingsSchema } from '../../src/shared/routers/routing-settings.ts'
import { topicNames } from '../../src/shared/routers/topics.ts'
import type { Storage } from '../../src/service/storage/storage.ts'
import {
  sampleApiKey,
  sampleDetail,
  sampleProvider,
  sampleRecord,
  sampleRouter,
} from '../storage/samples.ts'

const nowMs = Date.UTC(2026, 10, 24, 12)
const day = '2026-11-24'
const routing = routingSettingsSchema.parse({ contentDays: 30 })
const router = sampleRouter({ routing, createdAtMs: nowMs, updatedAtMs: nowMs })
const routerId = router.id
const byTopic = (value: number) => topicNames.map((_, place) => (place === 0 ? value : 0))

const execution: Execution = {
  ...startedExecution({
    id: 'execution-1',
    agent: 'news',
    agentVersion: 1,
    routerId,
    apiKeyId: 'key-1',
    source: 'api',
    isStreamed: false,
    startedAtMs: nowMs,
  }),
  state: 'done',
  status: 200,
  latencyMs: 12.5,
  steps: 1,
  costNanoUsd: 1_500,
  carbonGrams: 0.25,
  models: ['openai:gpt-5'],
  trace: [{ stepId: 'best', type: 'judge', outcome: 'done', startedMs: 0.5, tookMs: 12 }],
}

const judged: JudgedPrompt = {
  id: '00000000-0000-4000-8000-000000000001',
  atMs: nowMs,
  topics: byTopic(1),
  difficulty: -0.7,
  confidence: 0.8,
  form: [1.5, 0, -2],
  kind: 'law',
  errorRate: 0.1,
  answers: [{ modelId: 'openai:gpt-5', startLogit: 0.5, grade: 1 }],
}

/** Fills an empty storage. */
export async function fillStorage(storage: Storage): Promise<void> {
  await fillConfiguration(storage)
  await fillLedger(storage)
  await fillConversations(storage)
  await fillTools(storage)
  await fillLearned(storage)
  await fillTuning(storage)
}

async function fillConfiguration({ configuration }: Storage): Promise<void> {
  await configuration.insertProvider(sampleProvider({ options: { apiVersion: '2026-11-01' } }))
  await configuration.setListedModels('openai', ['gpt-5'])
  await configuration.saveModel({
    id: 'openai:gpt-5',
    inputUsdPerMtok: 0.0375,
    outputUsdPerMtok: 2,
    capabilities: ['tools'],
    refuses: ['seed'],
  })
  await configuration.insertRouter({ ...router, strategy: 'priority' })
  await configuration.updateRouter(router)
  await configuration.insertApiKey(sampleApiKey({ budgetUsdPerDay: 10, createdAtMs: nowMs }))
  await configuration.setSetting('port', 7000)
  await configuration.saveAgent({ slug: 'news', source: 'name: News', createdAtMs: nowMs })
}

async function fillLedger(storage: Storage): Promise<void> {
  const { ledger, contents, quota, executions, refusals, budgetAlerts, unexpectedCalls } = storage
  const record = sampleRecord({ routerId, startedAtMs: nowMs, tag: 'team' })
  await ledger.append(record, sampleDetail())
  const failed = { id: 'request-2', status: 503, errorCode: 'all_models_unavailable' }
  await ledger.append({ ...record, ...failed, modelUsed: null }, sampleDetail({ price: null }))
  const step = { id: 'request-3', executionId: execution.id, stepId: 'best' }
  await ledger.append({ ...record, ...step }, sampleDetail())
  const content = { requestId: 'request-1', routerId, startedAtMs: nowMs }
  const texts = { request: '{"messages":[]}', isRequestCut: false, answer: null, isAnswerCut: true }
  await contents.save({ ...content, ...texts })
  await quota.take({ routerId, day, wanted: 3, limit: 5 })
  await executions.begin(execution, { holder: 'process-1', expiresAtMs: nowMs })
  await executions.end(execution)
  const refusal = { apiKeyId: 'key-1', routerId, code: 'invalid_parameter', door: 'chat' } as const
  await refusals.add({
    counts: [{ kind: refusal, startMs: nowMs, count: 2 }],
    newest: [{ ...refusal, id: '01900000-0000-7000-8000-000000000001', atMs: nowMs }],
  })
  await budgetAlerts.add(
    {
      id: 'alert-1',
      owner: { kind: 'key', id: 'key-1', name: 'Laptop' },
      level: 80,
      usedUsd: 8.1,
      limitUsd: 10,
      period: { per: 'day', startMs: Date.UTC(2026, 10, 24), endMs: Date.UTC(2026, 10, 25) },
      createdAtMs: nowMs,
    },
    true,
  )
  await unexpectedCalls.see([{ apiKeyId: 'key-1', kind: 'program', value: 'curl', atMs: nowMs }])
  const owner = { ownerKind: 'key', ownerId: 'key-1' } as const
  const spike = { kind: 'spend', value: null, amount: 90, usual: 1.5 } as const
  await unexpectedCalls.report({ ...owner, ...spike, lastAtMs: nowMs })
}

async function fillConversations({ conversations }: Storage): Promise<void> {
  await conversations.save(sampleConversation({ routerId, createdAtMs: nowMs, updatedAtMs: nowMs }))
  await conversations.saveMessage('c', sampleMessage({ createdAtMs: nowMs }))
  await conversations.saveDraft('new', {
    text: 'And when',
    attachments: [sampleAttachment()],
    queue: [sampleQueued()],
  })
  await conversations.saveBlob(
    { sha256: sampleAttachment().sha256, data: 'YQ==', text: 'a' },
    nowMs,
  )
  await conversations.savePreset(samplePreset())
  await conversations.saveFolder({ id: 'f', name: 'Work', presetId: null })
  await conversations.savePrompt({
    id: 'p',
    name: 'Translate',
    text: 'Translate into {{language}}',
  })
}

async function fillTools({ mcp }: Storage): Promise<void> {
  const config = { kind: 'http', url: 'https://mcp.example.com/', secretNames: [] } as const
  const server = { id: 'mcp-1', name: 'Files', isOn: true, addedAtMs: nowMs }
  await mcp.saveServer({ ...server, config: { ...config, secretNames: ['X-Key'] } })
  const claims = { isReadOnly: true, isDestructive: false }
  const definition = { name: 'read', title: null, description: 'Reads.', inputSchema: {}, claims }
  const marks = { readsPrivate: true, readsForeign: false, sendsOut: false }
  const grants = [{ argument: 'path', kind: 'folder', within: '/home/ada/notes' }] as const
  const tool = {
    definition,
    seal: 'a',
    approvedSeal: 'a',
    permission: 'ask',
    marks,
    grants,
  } as const
  await mcp.saveTools('mcp-1', [tool])
  const call = { id: 'call-1', requestId: 'request-1', server: 'Files', tool: 'read', bytes: 3 }
  const times = { startedAtMs: nowMs, latencyMs: 1.5 }
  await mcp.saveCall({ ...call, ...times, outcome: 'done', allowedBy: 'once' })
}

async function fillLearned(storage: Storage): Promise<void> {
  const { modelStatistics, routerStatistics, feedback, judgedPrompts } = storage
  const modelId = 'openai:gpt-5'
  const verbosity = { lnSum: 0.25, answers: 1 }
  const ofModel = { latencies: {}, prompts: null, verbosity }
  await modelStatistics.save([{ id: modelId, figures: ofModel, base: null }])
  const topics = { lnLonger: byTopic(0.25), answers: byTopic(1) }
  const ofRouter = { answers: 1, lnLonger: 0.25, topics, looks: 1 }
  await routerStatistics.save([{ id: routerId, figures: ofRouter, base: null }])
  const label = { modelId, atMs: nowMs, label: 1, weight: 1, shares: byTopic(1), difficulty: -1 }
  const place = { requestId: 'request-1', aspect: 'thumb' }
  await feedback.give(place, [{ ...label, requestId: 'request-1' }])
  const finding = { id: 'answers:openai:gpt-5:named', kind: 'answers', lastAtMs: nowMs } as const
  await storage.findings.report({ ...finding, evidence: '{}', requestIds: ['request-1'] })
  await storage.findings.saveDocuments([{ name: 'answers:openai:gpt-5', value: '{}' }])
  const signals = { modelId, good: byTopic(0), bad: byTopic(0.5), difficulty: byTopic(-0.5) }
  await feedback.addSignals([signals], nowMs)
  await judgedPrompts.add(routerId, [judged])
}

async function fillTuning({
  tuningRuns,
  shadowSamples,
  sessionProofs,
  judgedPrompts,
}: Storage): Promise<void> {
  const run = { id: 'run-1', routerId, createdAtMs: nowMs, setup: '{}', capNanoUsd: 100 }
  const prompts = [{ position: 0, text: '{"text":"Why?"}', reading: '{}' }]
  const lease = { holder: 'process-1', nowMs, expiresAtMs: nowMs }
  await tuningRuns.create({ ...run, prompts }, lease)
  const request = { runId: run.id, key: 'a' }
  await tuningRuns.reserve({ ...request, holder: 'process-1', position: 0, nanoUsd: 60 })
  await tuningRuns.settle({ ...request, state: 'answered', costNanoUsd: 7, answer: '{}' })
  await shadowSamples.reserve({ routerId, day, nanoUsd: 60, capNanoUsd: 100 })
  const id = '00000000-0000-4000-8000-000000000002'
  const sample = { id, routerId, atMs: nowMs, judge: 'openai:gpt-5' }
  const outcome = '{"repeated":[]}'
  await shadowSamples.add({ ...sample, reading: '{}', outcome }, { ...judged, id }, 10)
  const step = { model: 'openai:gpt-5', sessionId: 'session-1', apiKeyId: 'key-1' }
  const same = { first: 'explore', second: 'edit', isSameTool: false, isSameFile: null } as const
  await sessionProofs.addShadowStep({ id, routerId, atMs: nowMs, ...step, outcome: same }, 10)
  await judgedPrompts.apply(run.id, 'router')
}

/** Contents as JSON, so that they can be compared with a file. */
export async function contentsOf(storage: Storage): Promise<unknown> {
  const contents = {
    ...(await configurationOf(storage)),
    ...(await ledgerOf(storage)),
    ...(await learnedOf(storage)),
  }
  return JSON.parse(JSON.stringify(contents))
}

async function configurationOf({ configuration, conversations }: Storage) {
  const { version: _version, ...lists } = await configuration.read()
  return {
    lists,
    routerChanges: await configuration.routerChanges(routerId),
    agentVersions: await configuration.agentVersions('news'),
    conversations: await conversations.list(),
    messages: await conversations.messages('c'),
    drafts: await conversations.drafts(),
  }
}

async function ledgerOf(storage: Storage) {
  const { ledger, contents, quota, executions, refusals, budgetAlerts, unexpectedCalls } = storage
  const ids = ['request-1', 'request-2', 'request-3']
  return {
    requests: await Promise.all(ids.map((id) => ledger.get(id))),
    usage: await ledger.usage({ sinceMs: 0, group: 'model' }),
    content: await contents.get('request-1'),
    quota: await quota.take({ routerId, day, wanted: 3, limit: 5 }),
    execution: await executions.get(execution.id),
    refusals: await refusals.counts({ sinceMs: 0 }),
    newestRefusals: await refusals.newest({ limit: 10 }),
    budgetAlerts: await budgetAlerts.waiting(0),
    unexpectedCalls: await unexpectedCalls.list(),
  }
}

async function learnedOf(storage: Storage) {
  const { modelStatistics, routerStatistics, feedback, judgedPrompts } = storage
  const { tuningRuns, shadowSamples } = storage
  return {
    modelStatistics: await modelStatistics.read(),
    routerStatistics: await routerStatistics.read(),
    feedback: await feedback.counts(nowMs),
    judgedPrompts: await judgedPrompts.list(),
    tuningRun: await tuningRuns.get('run-1'),
    tuningPrompts: await tuningRuns.prompts('run-1'),
    tuningRequests: await tuningRuns.requests('run-1'),
    shadowSamples: await shadowSamples.ofRouter(routerId),
  }
}
