/**
 * What a person who has used the window for some months sees beside the requests: agents with runs, conversations and
 * tuning runs. The same seed gives the same figures.
 */
import { sampleConversation, sampleMessage } from '../sample-conversations.ts'
import { readFile } from 'node:fs/promises'
import { seededRandom } from '../../training/reader/random.ts'
import { startedExecution, type Execution } from '../../src/shared/agents/agent.ts'
import type { RequestRecord } from '../../src/shared/entities.ts'
import type { Storage } from '../../src/service/storage/storage.ts'
import { conversations, type SeededConversation } from './conversations.ts'
import { models } from './traffic.ts'
import type { SeededUsage } from './usage-seed.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

export interface WindowSeed {
  usage: SeededUsage
  nowMs: number
}

/** Adds the window's data after the requests. */
export async function seedWindow(storage: Storage, given: WindowSeed): Promise<void> {
  await seedKeyUse(storage, given)
  await seedLimits(storage, given)
  await seedAgents(storage, given)
  await seedConversations(storage, given)
  for (const run of tuningRuns) await seedTuningRun(storage, run, given)
}

async function seedKeyUse(storage: Storage, { usage, nowMs }: WindowSeed): Promise<void> {
  const agesMs = [minuteMs, 4 * minuteMs, 35 * minuteMs, 3 * hourMs]
  for (const [index, id] of [...usage.keys.values()].entries()) {
    await storage.configuration.touchApiKeys({ [id]: nowMs - (agesMs[index] ?? hourMs) })
  }
  await storage.configuration.expireApiKey(usage.keys.get('Notebook') ?? '', nowMs + 5 * dayMs)
}

const budgets: Readonly<Record<string, { budgetUsdPerDay?: number; budgetUsdPerMonth?: number }>> =
  {
    'Web shop': { budgetUsdPerDay: 2 },
    'Code review': { budgetUsdPerMonth: 300 },
  }

/** Budgets, and the requests of today that count towards the daily limits. */
async function seedLimits(storage: Storage, { nowMs }: WindowSeed): Promise<void> {
  const day = new Date(nowMs).toISOString().slice(0, 10)
  const { routers } = await storage.configuration.read()
  for (const router of routers) {
    await storage.configuration.updateRouter({ ...router, ...budgets[router.name] })
    const routerId = router.id
    const wanted = await storage.ledger.countMatches({ routerId, fromMs: Date.parse(day) })
    await storage.quota.take({ routerId, day, wanted, limit: null })
  }
}

interface SeededAgent {
  slug: string
  router: string
  runs: number
  /** Means of a run. */
  usd: number
  seconds: number
  steps: number
}

const agents: readonly SeededAgent[] = [
  { slug: 'extract-to-json', router: 'Web shop', runs: 64, usd: 0.0006, seconds: 1.3, steps: 1 },
  {
    slug: 'draft-critique-revise',
    router: 'Everyday',
    runs: 27,
    usd: 0.012,
    seconds: 14,
    steps: 5,
  },
  { slug: 'best-of-three', router: 'Code review', runs: 18, usd: 0.038, seconds: 9, steps: 4 },
]

async function seedAgents(storage: Storage, { usage, nowMs }: WindowSeed): Promise<void> {
  const random = seededRandom(17)
  for (const [index, agent] of agents.entries()) {
    const file = new URL(`../../resources/agents/${agent.slug}.yaml`, import.meta.url)
    const source = await readFile(file, 'utf8')
    const { slug, runs } = agent
    await storage.configuration.saveAgent({ slug, source, createdAtMs: nowMs - 40 * dayMs })
    for (let run = 0; run < runs; run += 1) {
      const startedAtMs = nowMs - 12 * minuteMs - Math.floor((1 - run / runs) * 21 * dayMs)
      const ended = endedExecution(agent, {
        usage,
        random,
        startedAtMs,
        number: run * agents.length + index,
      })
      const started = { ...startedExecution(ended), trace: [] }
      await storage.executions.begin(started, { holder: 'seed', expiresAtMs: nowMs })
      await storage.executions.end(ended)
    }
  }
}

interface RunOfAgent {
  usage: SeededUsage
  random: () => number
  startedAtMs: number
  /** Number of its id. */
  number: number
}

function endedExecution(
  { slug, router, usd, seconds, steps }: SeededAgent,
  { usage, random, startedAtMs, number }: RunOfAgent,
): Execution {
  const around = () => Math.exp((random() - 0.5) * 0.9)
  const isFailed = random() < 0.05
  return {
    id: idOf(startedAtMs, number),
    agent: slug,
    agentVersion: 1,
    routerId: usage.routers.get(router) ?? '',
    apiKeyId: usage.keys.get('Notebook') ?? null,
    source: 'api',
    isStreamed: false,
    startedAtMs,
    state: isFailed ? 'failed' : 'done',
    status: isFailed ? 502 : 200,
    errorCode: isFailed ? 'agent_step_failed' : null,
    failedStep: null,
    latencyMs: seconds * 1_000 * around(),
    steps,
    costNanoUsd: Math.round(usd * 1e9 * around()),
    carbonGrams: usd * 18 * around(),
    models: [models.mini.id],
    trace: [],
  }
}

async function seedConversations(storage: Storage, { usage, nowMs }: WindowSeed): Promise<void> {
  const routerId = usage.routers.get('Everyday') ?? ''
  const requests = await storage.ledger.list({ routerId, limit: 5_000 })
  const answered = requests.filter(({ source, status, fallbackFrom }) => {
    return source === 'chat' && status === 200 && fallbackFrom === null
  })
  // The last answer of the most capable model has the most to explain.
  const requestsOfAnswers = [
    ...answered.filter(({ modelUsed }) => modelUsed === models.sonnet.id).slice(0, 1),
    ...answered.slice(1),
  ]
  for (const [index, conversation] of conversations.entries()) {
    const request = requestsOfAnswers[index * 9]
    if (request === undefined) throw new Error('the chat window sent too few requests')
    const updatedAtMs = nowMs - 3 * minuteMs - index * index * 7 * hourMs
    await saveConversation(storage, { conversation, request, updatedAtMs, index })
  }
}

interface AnsweredConversation {
  conversation: SeededConversation
  request: RequestRecord
  updatedAtMs: number
  index: number
}

async function saveConversation(
  storage: Storage,
  { conversation, request, updatedAtMs, index }: AnsweredConversation,
): Promise<void> {
  const { title, question, answer } = conversation
  const { id: requestId, routerId, modelUsed, costNanoUsd } = request
  const { latencyMs, carbonGrams, routerDecision } = request
  const times = { createdAtMs: updatedAtMs - minuteMs, updatedAtMs }
  const id = idOf(times.createdAtMs, index)
  await storage.conversations.save(sampleConversation({ id, title, routerId, ...times }))
  const asked = sampleMessage({ id: `${id}-q`, text: question, createdAtMs: times.createdAtMs })
  const figures = { costUsd: costNanoUsd / 1e9, latencyMs, carbonGrams, routerDecision }
  const answered = sampleMessage({
    id: `${id}-a`,
    parentId: `${id}-q`,
    role: 'assistant',
    text: answer,
    createdAtMs: updatedAtMs,
    meta: { requestId, modelUsed: modelUsed ?? '', ...figures, fallback: null },
  })
  for (const message of [asked, answered]) await storage.conversations.saveMessage(id, message)
}

interface SeededRun {
  router: string
  ageMs: number
  prompts: number
  graded: number
  capUsd: number
  spentUsd: number
  from: 'starter' | 'file'
  fileName: string | null
  stoppedBy: 'cap' | null
}

const tuningRuns: readonly SeededRun[] = [
  {
    router: 'Code review',
    ageMs: 52 * dayMs,
    prompts: 60,
    graded: 43,
    capUsd: 2,
    spentUsd: 1.998,
    from: 'starter',
    fileName: null,
    stoppedBy: 'cap',
  },
  {
    router: 'Everyday',
    ageMs: 23 * dayMs,
    prompts: 100,
    graded: 100,
    capUsd: 3,
    spentUsd: 1.274,
    from: 'starter',
    fileName: null,
    stoppedBy: null,
  },
  {
    router: 'Web shop',
    ageMs: 4 * dayMs,
    prompts: 240,
    graded: 238,
    capUsd: 5,
    spentUsd: 2.861,
    from: 'file',
    fileName: 'shop-questions.jsonl',
    stoppedBy: null,
  },
]

async function seedTuningRun(
  storage: Storage,
  run: SeededRun,
  { usage, nowMs }: WindowSeed,
): Promise<void> {
  const store = storage.tuningRuns
  const { from, fileName, stoppedBy } = run
  const createdAtMs = nowMs - run.ageMs
  const id = idOf(createdAtMs, 0)
  const holder = 'seed'
  const setup = { from, fileName, models: [models.nano.id, models.mini.id, models.flash.id] }
  const created = {
    id,
    routerId: usage.routers.get(run.router) ?? '',
    createdAtMs,
    setup: JSON.stringify({ ...setup, judge: models.sonnet.id, maxAnswerTokens: null }),
    capNanoUsd: Math.round(run.capUsd * 1e9),
    prompts: Array.from({ length: run.prompts }, (_, position) => {
      return { position, text: '{}', reading: '{}' }
    }),
  }
  await store.create(created, { holder, nowMs: createdAtMs, expiresAtMs: nowMs + hourMs })
  const request = { runId: id, holder, key: 'all', position: 0 }
  const costNanoUsd = Math.round(run.spentUsd * 1e9)
  await store.reserve({ ...request, nanoUsd: costNanoUsd })
  await store.settle({ ...request, state: 'answered', costNanoUsd, answer: null })
  const endedPrompts = stoppedBy === null ? run.prompts : run.graded
  for (let position = 0; position < endedPrompts; position += 1) {
    await store.grade({ runId: id, position, outcome: '{}', isGraded: position < run.graded })
  }
  const endedAtMs = createdAtMs + 20 * minuteMs
  await store.end(id, { holder, state: 'done', stoppedBy, message: null, result: null, endedAtMs })
}

/** A UUIDv7 of this time. */
function idOf(atMs: number, number: number): string {
  const time = Math.floor(atMs).toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-${number.toString(16).padStart(12, '0')}`
}
