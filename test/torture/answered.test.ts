/**
 * The model that really answered: upstreams that substitute, mix, downgrade at night, strip reasoning or misreport tokens
 * are found within 200 requests through the real service, and honest ones never are.
 */
import { expect, onTestFinished, test } from 'vitest'
import { row } from '../../bench/row.ts'
import type { Finding } from '../../src/shared/requests/finding.ts'
import { loadCatalog } from '../../src/service/catalog/catalog.ts'
import { openNames } from '../../src/service/catalog/same-model.ts'
import { AnswerChecks } from '../../src/service/chat/answer-checks/answer-checks.ts'
import { seeded } from '../agents/random.ts'
import { startTestService, type TestService } from '../test-service.ts'
import { amount, expectMeasured, isTorture, tortureTimeoutMs } from './amounts.ts'
import { honestAnswers } from './answered/honest-answers.ts'
import { drawText } from './answered/texts.ts'
import {
  dishonest,
  startAnsweringUpstream,
  startMs,
  stepMs,
  wires,
  type AnsweringWire,
  type Behaviour,
} from './answered/upstreams.ts'
import { seed } from './share.ts'

const mostRequests = 200
const atOnce = 10
/** The service's own time, which the requests move on. */
const clock = { nowMs: startMs }

interface Asked {
  wire: AnsweringWire
  behaviourOf: (index: number) => Behaviour
  asks?: Readonly<Record<string, unknown>> | undefined
  requests: number
  /** Ends it early. */
  isEnough: (findings: readonly Finding[]) => boolean
}

/** @returns the findings, and the number of requests */
async function ask(
  { service, post }: TestService,
  { wire, behaviourOf, asks = {}, requests, isEnough }: Asked,
): Promise<{ findings: Finding[]; sent: number }> {
  const { dashboard, usage } = service
  const upstream = await startAnsweringUpstream(wire, behaviourOf)
  onTestFinished(() => upstream.close())
  const id = `p${(providers += 1)}`
  const { type, apiKey, options = {}, basePath, model } = wire
  const baseUrl = `${upstream.origin}${basePath}`
  await dashboard.addProvider({ id, type, baseUrl, apiKey, options: { ...options } })
  const modelId = `${id}:${model}`
  const price = { inputUsdPerMtok: 1, outputUsdPerMtok: 1, contextTokens: 200_000 }
  await dashboard.saveModel({ id: modelId, ...price, capabilities: ['logprobs'] })
  const router = await dashboard.createRouter({
    name: id,
    strategy: 'priority',
    models: [modelId],
    tier: 'enterprise',
  })
  const chance = seeded(seed * 1_000 + providers)
  let findings: Finding[] = []
  let sent = 0
  while (sent < requests && !isEnough(findings)) {
    const group = Array.from({ length: Math.min(atOnce, requests - sent) }, async () => {
      const content = drawText(chance, 'prose', 900 + chance.below(1_500))
      const stream = chance.isTrue(0.5)
      const body = { messages: [{ role: 'user', content }], stream, ...asks }
      const answer = await post(`../${router.id}/chat/completions`, body)
      expect([answer.status, await answer.text()]).toEqual([200, expect.anything()])
    })
    await Promise.all(group)
    sent += group.length
    clock.nowMs += group.length * stepMs
    const all = await usage.findings.list()
    findings = all.filter(({ evidence }) => 'modelId' in evidence && evidence.modelId === modelId)
  }
  return { findings, sent }
}

let providers = 0

async function startAnswered(): Promise<TestService> {
  clock.nowMs = startMs
  return await startTestService({ service: { now: () => clock.nowMs } })
}

test(
  'dishonest upstreams are found',
  async () => {
    const running = await startAnswered()
    const chosen = isTorture ? dishonest : dishonest.filter((_, index) => index % 3 === 0)
    const missed: string[] = []
    let most = 0
    for (const { what, wire, behaviourOf, asks } of chosen) {
      // Nights are those of the upstream's own numbers.
      clock.nowMs = startMs + providers * 10 * 86_400_000
      const isEnough = (findings: readonly Finding[]) => findings.length > 0
      const asked = { wire, behaviourOf, asks, requests: mostRequests, isEnough }
      const { findings, sent } = await ask(running, asked)
      if (findings.length === 0) missed.push(`${wire.name} ${what}`)
      else most = Math.max(most, sent)
    }
    expect(chosen.length).toBeGreaterThan(0)
    expectMeasured(
      [
        row('dishonest upstreams', [chosen.length, '']),
        row('not found', [missed.length, ''], { target: { atMost: isTorture ? 1 : 0 } }),
        row('most requests until found', [most, ''], { target: { atMost: mostRequests } }),
      ],
      isTorture && missed.length <= 1 ? [] : missed,
    )
  },
  tortureTimeoutMs,
)

test(
  'honest answers on every wire give no finding',
  async () => {
    const running = await startAnswered()
    const requests = amount({ quick: 40, full: 300 })
    const found: Finding[] = []
    for (const wire of Object.values(wires)) {
      const asks = wire.name === 'openai-chat' ? { reasoning_effort: 'high' } : {}
      const honest = { wire, behaviourOf: () => ({}), asks, requests, isEnough: () => false }
      found.push(...(await ask(running, honest)).findings)
    }
    const collected = amount({ quick: 4_000, full: 100_000 })
    found.push(...collect(collected))
    expect(found).toEqual([])
    const wiresAsked = Object.keys(wires).length
    expectMeasured(
      [
        row('honest requests through the service', [requests * wiresAsked, '']),
        row('honest answers', [collected, '']),
        row('findings', [found.length, ''], { target: { atMost: 0 } }),
      ],
      found,
    )
  },
  tortureTimeoutMs,
)

function collect(count: number): Finding[] {
  const checks = new AnswerChecks({
    verdictOf: openNames(loadCatalog().models()),
    stored: new Map(),
    onBug(error) {
      throw error
    },
  })
  for (const facts of honestAnswers(count, seed)) {
    checks.answered(facts)
    checks.readAll()
  }
  const at = { firstAtMs: 0, lastAtMs: 0, dismissedAtMs: null }
  return checks.takeFindings().map(({ evidence, requestIds }) => ({
    kind: 'answers',
    id: evidence.modelId,
    ...at,
    requestIds,
    evidence,
  }))
}
