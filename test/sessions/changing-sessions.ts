/**
 * Sessions of Claude Code, Codex and opencode whose models fail and whose routers change at random places, at vendors
 * that refuse what the real ones refuse. Tests and `npm run bench sessions` play them.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { isMoved } from '../../src/shared/requests/session-change.ts'
import { sessionStepSchema } from '../../src/shared/requests/session-step.ts'
import { seeded, type Chance } from '../agents/random.ts'
import { startTestService, type TestService } from '../test-service.ts'
import { anthropicFormat } from '../upstreams/anthropic/fake.ts'
import { openAiFormat } from '../upstreams/openai-chat/fake.ts'
import { responsesFormat } from '../upstreams/openai-responses/fake.ts'
import { claudeCode, codex, opencode, type StartClient } from './mock-clients.ts'
import { startStrictVendor, type StrictVendor } from './strict-vendor.ts'
import { chatRules, claudeRules, responsesRules } from './vendor-rules.ts'

export const stepsOfSession = 25
const clients: readonly [StartClient, ...StartClient[]] = [claudeCode, codex, opencode]

const models = [
  'claude:claude-opus-5-5',
  'claude:claude-sonnet-4-5',
  'claude:claude-haiku-5-5',
  'gpt:gpt-5.5',
  'gpt:gpt-5.4-mini',
  'other:large',
] as const
const inputUsdPerMtok = 3
const outputUsdPerMtok = 7
const nanoUsdPerToken = 1_000

interface Scene {
  started: TestService
  vendors: Readonly<Record<string, StrictVendor>>
  chance: Chance
  /** Steps that a rule of sessions moved to another model, and those that it might not move. */
  moved: number
  forbidden: number
  /** Steps behind the gate: whose answer was used, and whose was held back. */
  gated: { used: number; heldBack: number }
}

type AtEnd = (end: () => Promise<void>) => void

/**
 * @param atEnd  takes what ends the scene
 * @param prices  `even` for bills that add up; those of the catalogue make a gate pay
 */
export async function startScene(
  atEnd: AtEnd,
  prices: 'even' | 'catalog' = 'even',
): Promise<Scene> {
  const started = await startTestService({}, atEnd)
  const gated = { used: 0, heldBack: 0 }
  const scene: Scene = { started, vendors: {}, chance: seeded(0), moved: 0, forbidden: 0, gated }
  const chance = () => scene.chance
  const claude = await startStrictVendor(anthropicFormat, { rules: claudeRules, chance, atEnd })
  const gpt = await startStrictVendor(responsesFormat, { rules: responsesRules, chance, atEnd })
  const other = await startStrictVendor(
    { ...openAiFormat, problems: () => [] },
    { rules: chatRules, chance, atEnd },
  )
  const { dashboard } = started.service
  const apiKey = 'sk-test'
  await dashboard.addProvider({
    id: 'claude',
    type: 'anthropic',
    baseUrl: claude.server.origin,
    apiKey,
  })
  await dashboard.addProvider({
    id: 'gpt',
    type: 'openai',
    baseUrl: `${gpt.server.origin}/v1`,
    apiKey,
    options: { api: 'responses' },
  })
  await dashboard.addProvider({
    id: 'other',
    type: 'openai-compatible',
    baseUrl: `${other.server.origin}/v1`,
    apiKey,
  })
  for (const id of prices === 'even' ? models : models.slice(-1)) {
    await dashboard.saveModel({
      id,
      inputUsdPerMtok,
      outputUsdPerMtok,
      contextTokens: 1_000_000,
      capabilities: ['tools', 'json'],
    })
  }
  return Object.assign(scene, { vendors: { claude, gpt, other } })
}

/** Fails other models, and orders the router's anew. */
async function change({ started, vendors, chance }: Scene): Promise<void> {
  const up = chance.pick(models)
  for (const [provider, { down }] of Object.entries(vendors)) {
    down.clear()
    for (const model of models) {
      const [owner, name = ''] = model.split(':')
      if (owner === provider && model !== up && chance.isTrue(0.3)) down.add(name)
    }
  }
  if (chance.isTrue(0.5)) return
  const ordered = models.map((id) => ({ id, at: chance.next() })).toSorted((a, b) => a.at - b.at)
  await started.service.dashboard.updateRouter(started.routerId, {
    name: 'Test',
    strategy: 'priority',
    models: ordered.map(({ id }) => id),
    routing: {
      checkCommand: chance.isTrue(0.7) ? 'npm test' : null,
      stepDown: chance.isTrue(0.5),
      experiments: { gate: chance.isTrue(0.6) },
      split: chance.isTrue(0.2),
    },
  })
}

interface PlayedChanges {
  /** Why vendors refused requests. */
  refused: string[]
  badRequests: number[]
  rows: number
  unbilledNanoUsd: number
  unlistedNanoUsd: number
}

export async function runSession(scene: Scene, seed: number): Promise<PlayedChanges> {
  scene.chance = seeded(seed)
  const { started, vendors, chance } = scene
  const all = Object.values(vendors)
  for (const vendor of all) {
    vendor.refused.length = 0
    vendor.billed.length = 0
  }
  const session = `session-${seed}`
  const client = clients[Math.abs(seed) % clients.length] ?? claudeCode
  const { step } = client({ started, session, chance })
  const statuses: number[] = []
  await change(scene)
  while (statuses.length < stepsOfSession) {
    if (chance.isTrue(0.3)) await change(scene)
    statuses.push(await step())
  }
  const found = (await waitForSession(started, session)).map((record) => ({
    record,
    step: sessionStepSchema.parse(JSON.parse(record.sessionStep ?? '')),
  }))
  const refused = all.flatMap((vendor) => vendor.refused)
  const steps = found.map((one) => one.step)
  const sums = steps.map(
    ({ costs: { read, written, uncached, output } }) => read + written + uncached + output,
  )
  scene.moved += steps.filter((one) => isMoved(one.change)).length
  for (const { record, step: of } of found) {
    if (of.change?.rule !== 'gate') continue
    scene.gated[record.modelUsed === of.change.first ? 'used' : 'heldBack'] += 1
  }
  scene.forbidden += steps.filter((one) => one.change?.forbidden !== undefined).length
  const [row] = (await started.service.usage.sessions.list({ limit: 1_000 })).filter(
    ({ id }) => id === session,
  )
  return {
    refused: [...new Set(refused)],
    badRequests: statuses.filter((status) => status >= 400 && status < 429),
    rows: found.length,
    unbilledNanoUsd: billOf(all) - sums.reduce((sum, one) => sum + one, 0),
    unlistedNanoUsd: billOf(all) - (row?.costNanoUsd ?? 0),
  }
}

function billOf(vendors: readonly StrictVendor[]): number {
  const billed = vendors.flatMap((vendor) => vendor.billed)
  return billed.reduce(
    (sum, { usage: { promptTokens, completionTokens } }) =>
      sum +
      nanoUsdPerToken * (promptTokens * inputUsdPerMtok + completionTokens * outputUsdPerMtok),
    0,
  )
}

const waitMs = 60_000

/** Its rows, once the last step has one. */
async function waitForSession({ service }: TestService, session: string) {
  const rowsOf = async () =>
    (await service.usage.sessions.get({ id: session, steps: 1_000 }))?.requests ?? []
  const deadline = performance.now() + waitMs
  while ((await rowsOf()).length < stepsOfSession && performance.now() < deadline) await pause(20)
  return (await rowsOf()).map(({ record }) => record)
}
