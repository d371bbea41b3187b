/** Sessions that are changed at random places: nothing that a vendor refuses, one row a step, and costs that add up. */
import { expect, onTestFinished, test } from 'vitest'
import { row } from '../../bench/row.ts'
import { fieldsOf, listOf } from '../../src/service/json-fields.ts'
import { sessionOf } from '../../src/shared/requests/session.ts'
import type { RequestRecord } from '../../src/shared/entities.ts'
import { openStorage } from '../../src/service/storage/sqlite/open-storage.ts'
import { startTestService, type TestService } from '../test-service.ts'
import { amount, expectMeasured, tortureTimeoutMs } from '../torture/amounts.ts'
import { seed } from '../torture/share.ts'
import { anthropicFormat } from '../upstreams/anthropic/fake.ts'
import { startWireServer } from '../upstreams/wire-server.ts'
import { RandomAgent, RandomVendors } from './random-session.ts'

const steps = amount({ quick: 250, full: 10_000 })
const models = ['claude:claude-opus-4-8', 'claude:claude-haiku-4-5', 'fake:gpt-a']
const stepsOfSession = 30

interface SentStep {
  requestId: string
  session: string
  /** The model whose call the request brings the result of; null for none. */
  maker: string | null
}

/** All that happens is drawn from one seed. */
class RandomClient {
  readonly service: TestService
  readonly vendors: RandomVendors
  readonly sent: SentStep[] = []
  readonly statuses: number[] = []
  readonly repeatedIds: string[] = []
  changes = 0
  #main: RandomAgent
  #subagent: RandomAgent | null = null

  constructor(service: TestService, vendors: RandomVendors) {
    this.service = service
    this.vendors = vendors
    this.#main = new RandomAgent('session-1', null)
  }

  async step(): Promise<void> {
    await this.#change()
    const { chance } = this.vendors
    if (chance.next() < 0.03) return await this.#title()
    this.#subagent ??= chance.next() < 0.1 ? this.#newSubagent() : null
    const agent = this.#subagent !== null && chance.next() < 0.7 ? this.#subagent : this.#main
    const isCompaction = agent === this.#main && agent.steps > 5 && chance.next() < 0.03
    const kind = agent === this.#subagent ? 'subagent' : isCompaction ? 'compaction' : 'main'
    const answer = await this.#send(agent, kind)
    // Every model failed: the client sends the step again.
    if (answer === null) return
    if (isCompaction) agent.compacted()
    else
      this.repeatedIds.push(...agent.answered(listOf(answer['content']), String(answer['model'])))
    if (agent === this.#subagent && agent.steps > 8) this.#subagent = null
    if (this.#main.steps < stepsOfSession) return
    this.#main = new RandomAgent(`session-${this.sent.length}`, null)
    this.#subagent = null
  }

  #newSubagent(): RandomAgent {
    return new RandomAgent(this.#main.session, `agent-${this.sent.length}`)
  }

  async #title(): Promise<void> {
    const agent = new RandomAgent(this.#main.session, null)
    await this.#send(agent, 'auxiliary')
  }

  async #send(agent: RandomAgent, kind: Parameters<RandomAgent['headers']>[0]) {
    const headers = agent.headers(kind)
    const response = await this.service.post('v1/messages', agent.body, { headers })
    const requestId = response.headers.get('x-request-id') ?? ''
    this.statuses.push(response.status)
    this.sent.push({ requestId, session: agent.session, maker: agent.maker })
    const answer = fieldsOf(await response.json())
    return response.ok ? answer : null
  }

  /** A pin, another order of the models, or a model that fails. */
  async #change(): Promise<void> {
    const { chance } = this.vendors
    const drawn = chance.next()
    const model = models[Math.floor(chance.next() * models.length)] ?? ''
    if (drawn > 0.2) return
    this.changes += 1
    if (drawn < 0.06) return void this.vendors.failing.add(model)
    if (drawn < 0.12) return await this.#pin(chance.next() < 0.3 ? null : model)
    const order = [model, ...models.filter((one) => one !== model)]
    const { service, routerId } = this.service
    await service.dashboard.updateRouter(routerId, {
      name: 'Test',
      strategy: 'priority',
      models: order,
    })
  }

  async #pin(model: string | null): Promise<void> {
    const { sessions } = this.service.service.usage
    const id = this.#main.session
    if ((await sessions.get({ id, steps: 1 })) !== null) await sessions.pin({ id, model })
  }
}

async function startRandomClient(): Promise<RandomClient> {
  const vendors = new RandomVendors(seed)
  const server = await startWireServer(anthropicFormat)
  onTestFinished(() => server.close())
  server.script((request) => ({ reply: vendors.messages(request) }))
  const service = await startTestService({
    models: { 'gpt-a': (request) => vendors.chat(request) },
  })
  const { dashboard } = service.service
  const { origin: baseUrl } = server
  await dashboard.addProvider({ id: 'claude', type: 'anthropic', baseUrl, apiKey: 'sk-ant-test' })
  const figures = {
    inputUsdPerMtok: 1,
    outputUsdPerMtok: 2,
    contextTokens: 500_000,
    capabilities: ['tools' as const],
  }
  for (const id of models) await dashboard.saveModel({ id, ...figures })
  await dashboard.updateRouter(service.routerId, { name: 'Test', strategy: 'priority', models })
  return new RandomClient(service, vendors)
}

/** A change between a call and its result, unless the model that made the call failed. */
function isForbidden({ maker }: SentStep, record: RequestRecord | undefined): boolean {
  if (maker === null || record === undefined || record.modelUsed === null) return false
  return record.modelUsed !== maker && record.fallbackFrom !== maker
}

test(
  'random changes never lead to a refused request, a second row or a cost that does not add up',
  { timeout: tortureTimeoutMs },
  async () => {
    const client = await startRandomClient()
    for (let step = 0; step < steps; step += 1) await client.step()
    const { sent, statuses, repeatedIds, vendors, changes, service } = client
    await service.ledger(Math.min(1_000, sent.length))
    const sessions = [...new Set(sent.map(({ session }) => session))]
    const storage = await openStorage({ dataDir: service.dataDir })
    onTestFinished(() => storage.close())
    const rowsOf = await Promise.all(sessions.map((id) => storage.ledger.ofSession(id)))
    const rows = new Map(rowsOf.flat().map((record) => [record.id, record]))
    const listed = await storage.ledger.sessions({ sinceMs: 0, limit: 1_000 })

    const forbidden = sent.filter((one) => isForbidden(one, rows.get(one.requestId)))
    const differences = rowsOf.map((records) => {
      const costNanoUsd = records.reduce((sum, record) => sum + record.costNanoUsd, 0)
      const session = sessionOf(records, 0)
      const parts = Object.values(session?.costs ?? {}).reduce((sum, one) => sum + one, 0)
      const inList = listed.find(({ id }) => id === session?.id)?.costNanoUsd ?? 0
      return Math.abs(costNanoUsd - parts) + Math.abs(costNanoUsd - inList)
    })
    const kept = sent.filter(
      ({ maker, requestId }) => maker !== null && rows.get(requestId)?.modelUsed === maker,
    )
    expectMeasured(
      [
        row('steps', [sent.length, ''], { target: { atLeast: steps } }),
        row('changes at random places', [changes, ''], { target: { atLeast: steps / 10 } }),
        row('results that their model read', [kept.length, ''], { target: { atLeast: steps / 3 } }),
        row('changes between a call and its result', [forbidden.length, ''], {
          target: { atMost: 0 },
        }),
        row('requests that a vendor refused', [vendors.refused.length, ''], {
          target: { atMost: 0 },
        }),
        row('answers 400', [statuses.filter((one) => one === 400).length, ''], {
          target: { atMost: 0 },
        }),
        row('ids of calls that came twice', [repeatedIds.length, ''], { target: { atMost: 0 } }),
        row('rows too many or too few', [Math.abs(rowsOf.flat().length - sent.length), ''], {
          target: { atMost: 0 },
        }),
        row('between the steps and their sessions', [Math.max(...differences), 'nano-USD'], {
          target: { atMost: 0 },
        }),
      ],
      [...vendors.refused.slice(0, 3), ...forbidden.slice(0, 3)],
    )
    expect(new Set(rowsOf.flat().map(({ modelUsed }) => modelUsed)).size).toBeGreaterThan(2)
  },
)
