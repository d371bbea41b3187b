/** Where the model of a coding agent's session changes, through the running service: what it chose, the next step sees. */
import { expect, test } from 'vitest'
import type { RouterInput } from '../../src/shared/entities.ts'
import { sessionStepSchema, type SessionStep } from '../../src/shared/requests/session-step.ts'
import type { FakeModel, FakeModelScript } from '../fake-provider.ts'
import { startTestService, type TestService } from '../test-service.ts'

const reads: FakeModel = {
  toolCalls: [{ index: 0, id: 'call_x', name: 'Read', argumentPieces: ['{}'] }],
  usage: { prompt_tokens: 22_000, completion_tokens: 300, total_tokens: 22_300 },
}

/** Some 20,000 tokens, so that a cache holds something. */
const instructions = { role: 'system', content: 'You are an agent. '.repeat(5_000) }
const task = (content = 'Add a retry to the upload.') => ({ role: 'user', content })
let ids = 0

function step(name: string, input: object, result = 'A line.'): object[] {
  ids += 1
  const id = `call_${ids}`
  const call = { id, type: 'function', function: { name, arguments: JSON.stringify(input) } }
  return [
    { role: 'assistant', content: null, tool_calls: [call] },
    { role: 'tool', tool_call_id: id, content: result },
  ]
}

const edits = (count: number) => Array.from({ length: count }, () => step('Edit', { ids })).flat()
const tests = (result: string) => step('Bash', { command: 'npm test' }, result)

interface Sent {
  messages: readonly object[]
  session?: string
  headers?: Record<string, string>
}

const strong = 'gpt:gpt-5.6-sol'
const cheap = 'gpt:gpt-5.6-luna'
/** Half as dear as the strong one. */
const middle = 'gpt:gpt-5.6-terra'

async function start(
  routing: NonNullable<RouterInput['routing']>,
  models = [strong, cheap],
  luna: FakeModelScript = reads,
): Promise<TestService> {
  const started = await startTestService({
    models: { 'gpt-5.6-sol': reads, 'gpt-5.6-luna': luna, 'gpt-5.6-terra': reads },
  })
  await started.service.dashboard.addProvider({
    id: 'gpt',
    type: 'openai',
    baseUrl: started.fake.url,
    apiKey: 'sk-test',
  })
  await update(started, { models, routing })
  return started
}

async function update({ service, routerId }: TestService, given: Partial<RouterInput>) {
  const router: RouterInput = { name: 'Test', strategy: 'priority', models: [strong, cheap] }
  await service.dashboard.updateRouter(routerId, { ...router, ...given })
}

/** @returns the step as it is stored, with its model */
async function send(
  { post, service }: TestService,
  { messages, session = 'session-1', headers = {} }: Sent,
): Promise<SessionStep & { model: string | null }> {
  const answer = await post(
    'v1/chat/completions',
    {
      messages: [instructions, ...messages],
      tools: [{ type: 'function', function: { name: 'Read' } }],
    },
    {
      headers: {
        'user-agent': 'claude-cli/2.1.330 (external, cli)',
        'x-claude-code-session-id': session,
        ...headers,
      },
    },
  )
  expect(answer.status).toBe(200)
  await answer.text()
  const id = answer.headers.get('x-request-id')
  const find = async () =>
    (await service.usage.requests({ limit: 50 })).find((one) => one.id === id)
  await expect.poll(find).toBeDefined()
  const row = await find()
  const stored = sessionStepSchema.parse(JSON.parse(row?.sessionStep ?? ''))
  return { ...stored, model: row?.modelUsed ?? null }
}

test('the cheapest model begins, and the strongest takes the turn whose check failed after an edit', async () => {
  const started = await start({ checkCommand: 'npm test', escalateWhenStuck: false })
  const begun = [task()]
  const edited = [...begun, ...edits(2)]
  const failed = [...edited, ...tests('2 failed')]
  const steps = [
    await send(started, { messages: begun }),
    await send(started, { messages: edited }),
    await send(started, { messages: failed }),
    await send(started, { messages: [...failed, ...edits(1)] }),
  ]

  expect(steps.map(({ model, why }) => [model, why])).toEqual([
    [cheap, 'cheap_first'],
    [cheap, 'tool'],
    [strong, 'check_failed'],
    [strong, 'tool'],
  ])
  expect(steps[2]?.change).toMatchObject({ from: cheap, rule: 'check_failed' })
})

test('a check that failed before any edit, or passes, moves nothing', async () => {
  const started = await start({ checkCommand: 'npm test' })
  const first = [task(), ...tests('2 failed')]
  await send(started, { messages: [task()] })
  const early = await send(started, { messages: first })
  const passed = await send(started, { messages: [...first, ...edits(2), ...tests('9 passed')] })

  expect([early.model, passed.model]).toEqual([cheap, cheap])
})

test('a turn that is stuck goes up once, with its mark; with the switch off it stays', async () => {
  const started = await start({ checkCommand: 'make check' })
  const stuck = [task(), ...edits(15)]
  await send(started, { messages: [task()] })
  const raised = await send(started, { messages: stuck })
  const later = await send(started, { messages: [...stuck, ...edits(1)] })
  await update(started, { routing: { checkCommand: 'make check', escalateWhenStuck: false } })
  await send(started, { messages: [task()], session: 'session-2' })
  const stays = await send(started, { messages: stuck, session: 'session-2' })

  expect(raised).toMatchObject({
    model: strong,
    why: 'stuck',
    stuck: ['edits'],
    change: { rule: 'stuck', mark: 'edits' },
  })
  expect([later.model, later.why, later.stuck]).toEqual([strong, 'tool', undefined])
  expect([stays.model, stays.why, stays.stuck]).toEqual([cheap, 'tool', ['edits']])
})

test('nothing changes while a call has no result', async () => {
  const started = await start({ checkCommand: 'npm test' })
  await send(started, { messages: [task()] })
  const [open] = step('Read', {})
  const [, failed] = tests('2 failed')
  const two = { ...open, tool_calls: [...callsOf(open), ...callsOf(step('Bash', {})[0])] }
  const answered = { ...failed, tool_call_id: callsOf(open)[0]?.id }
  const kept = await send(started, { messages: [task(), ...edits(15), two, answered] })

  expect([kept.model, kept.why]).toEqual([cheap, 'forbidden'])
  expect(kept.change?.forbidden).toBe('open_calls')
})

function callsOf(message: object | undefined): { id: string }[] {
  const { tool_calls: calls } = (message ?? {}) as { tool_calls?: { id: string }[] }
  return calls ?? []
}

test('steps that only read go to a cheaper model, and an edit brings the session back', async () => {
  const started = await start({ stepDown: true, escalateWhenStuck: false })
  const messages: object[] = [task()]
  const models: (string | null)[] = []
  const whys: string[] = []
  for (const next of [edits(1), step('Read', { at: 1 }), step('Read', { at: 2 }), edits(1), []]) {
    const { model, why } = await send(started, { messages })
    models.push(model)
    whys.push(why)
    messages.push(...next)
  }

  expect(models).toEqual([strong, strong, cheap, cheap, strong])
  expect(whys).toEqual(['start', 'tool', 'saves', 'tool', 'back'])
})

/** The answer that calls a tool. */
const calling = (name: string, input: object): FakeModel => ({
  ...reads,
  toolCalls: [{ index: 0, id: 'call_x', name, argumentPieces: [JSON.stringify(input)] }],
})

/** A cheaper model that reads twice, then edits, tests, and tests what it writes first. */
const replies = [
  calling('Read', {}),
  calling('Read', {}),
  calling('Edit', {}),
  calling('Bash', { command: 'npm test' }),
  calling('Bash', { command: 'echo 1 > a.ts && npm test' }),
]

test('with the gate, a cheaper model’s answer is used if it only reads, else the session’s own is asked', async () => {
  const gate = { experiments: { gate: true }, escalateWhenStuck: false }
  const started = await start(gate, [strong, cheap], (_request, nth) => replies[nth - 1] ?? reads)
  const messages: object[] = [task()]
  const steps: Awaited<ReturnType<typeof send>>[] = []
  for (let nth = 0; nth < 7; nth += 1) {
    steps.push(await send(started, { messages }))
    messages.push(...step('Read', { nth }))
  }

  expect(steps.map(({ model }) => model)).toEqual([
    strong,
    strong,
    cheap,
    cheap,
    strong,
    cheap,
    strong,
  ])
  expect(steps.map(({ why }) => why)).toEqual(['start', 'tool', ...Array(5).fill('gate')])
  expect(steps.slice(2).map(({ change }) => change?.first)).toEqual(Array(5).fill(cheap))
  const rows = (await started.ledger(7)).toReversed()
  const others = rows.map(({ costNanoUsd }, nth) => {
    const { read, written, uncached, output } = steps[nth]?.costs ?? {}
    return costNanoUsd - Number(read) - Number(written) - Number(uncached) - Number(output)
  })
  // An answer that was held back is paid for, in the same row.
  expect(others.map((cost) => cost > 0)).toEqual([false, false, false, false, true, false, true])
  const again = await send(started, { messages: [...messages, task('Now the docs.')] })
  expect([again.model, again.change?.first]).toEqual([strong, undefined])
})

test('a streamed answer behind the gate has nothing of the answer that was held back', async () => {
  const heldBack = calling('Edit', { file_path: 'held-back' })
  const gate = { experiments: { gate: true }, escalateWhenStuck: false }
  const started = await start(gate, [strong, cheap], heldBack)
  const messages: object[] = [instructions, task()]
  const texts: string[] = []
  for (let nth = 0; nth < 3; nth += 1) {
    const answer = await started.post(
      'v1/chat/completions',
      { messages, tools: [{ type: 'function', function: { name: 'Read' } }], stream: true },
      {
        headers: {
          'user-agent': 'claude-cli/2.1.330 (external, cli)',
          'x-claude-code-session-id': 'session-1',
        },
      },
    )
    texts.push(await answer.text())
    messages.push(...step('Read', { nth }))
  }

  expect(started.fake.requests.filter(({ model }) => model === 'gpt-5.6-luna')).toHaveLength(1)
  expect(texts.every((text) => text.includes('Read') && !text.includes('held-back'))).toBe(true)
})

test('between models whose prices are two times apart no step goes down', async () => {
  const started = await start({ stepDown: true }, [strong, middle])
  const messages: object[] = [task()]
  const models: (string | null)[] = []
  for (let nth = 0; nth < 5; nth += 1) {
    models.push((await send(started, { messages })).model)
    messages.push(...step('Read', { nth }))
  }

  expect(new Set(models)).toEqual(new Set([strong]))
})

test('a main agent keeps its model while the cache is warm, and is free after a compaction', async () => {
  const started = await start({})
  const choose = (strategy: RouterInput['strategy']) =>
    update(started, { strategy, routing: { qualityTolerance: 0.5 } })
  await choose('quality_optimized')
  const first = await send(started, { messages: [task()] })
  await choose('cost_optimized')
  const done = { role: 'assistant', content: 'Done.' }
  const warm = await send(started, { messages: [task(), done, task('Now a test.')] })
  const kind = { 'x-claude-code-request-class': 'compaction' }
  const whole = [task(), done, task('Summarise.')]
  const summary = await send(started, { messages: whole, headers: kind })
  const free = await send(started, { messages: [task('Go on from this summary.')] })

  expect([first.model, first.why]).toEqual([strong, 'start'])
  expect([warm.model, warm.why]).toEqual([strong, 'warm'])
  expect([summary.model, summary.why]).toEqual([strong, 'agent'])
  expect([free.model, free.why]).toEqual([cheap, 'compacted'])
})

test('a subagent goes where its type is sent, keeps its model, and counts on the router that was called', async () => {
  const started = await start({})
  const { dashboard } = started.service
  const other = await dashboard.createRouter({
    name: 'Explorers',
    strategy: 'priority',
    models: [cheap, strong],
  })
  const subagents = { Explore: other.id, Plan: cheap }
  await update(started, { models: [strong], routing: { subagents } })
  const as = (agent: string, type: string) => ({
    'x-claude-code-request-class': 'subagent',
    'x-claude-code-agent-id': agent,
    'x-claude-code-agent-type': type,
  })
  const explores = await send(started, { messages: [task()], headers: as('a', 'Explore') })
  const plans = await send(started, { messages: [task()], headers: as('b', 'Plan') })
  const others = await send(started, { messages: [task()], headers: as('c', 'Review') })
  const main = await send(started, { messages: [task()] })
  await dashboard.updateRouter(other.id, {
    name: 'Explorers',
    strategy: 'priority',
    models: [strong, cheap],
  })
  const later = [task(), { role: 'assistant', content: 'Found.' }, task('And where else?')]
  const stays = await send(started, { messages: later, headers: as('a', 'Explore') })

  expect([explores.model, explores.routedTo]).toEqual([cheap, other.id])
  expect([plans.model, plans.routedTo]).toEqual([cheap, cheap])
  expect([others.model, others.routedTo]).toEqual([strong, undefined])
  expect([main.model, main.routedTo]).toEqual([strong, undefined])
  expect([stays.model, stays.why]).toEqual([cheap, 'agent'])
  const rows = await started.ledger(5)
  expect(new Set(rows.map(({ routerId }) => routerId))).toEqual(new Set([started.routerId]))
})

test('a router’s subagents are refused where they cannot go', async () => {
  const started = await start({})
  const sendTo = (subagents: Record<string, string>) => update(started, { routing: { subagents } })

  await expect(sendTo({ Explore: 'router_none' })).rejects.toThrow(/no router and no model/)
  await expect(sendTo({ 'a,b': cheap })).rejects.toThrow(/type/)
  await sendTo({ default: cheap })
  const routers = await started.service.dashboard.routers()
  const router = routers.find(({ id }) => id === started.routerId)
  expect(router?.routing.subagents).toEqual({ default: cheap })
})
