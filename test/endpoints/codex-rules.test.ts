/** What Codex and opencode break, loop or wait without at the Responses address, one test for each. */
import { request } from 'node:https'
import { beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { errorReply, type FakeModel } from '../fake-provider.ts'
import { startTestService, type TestService } from '../test-service.ts'
import { codeMode, history, image, unknownName, withPatches } from './codex-requests.ts'
import { eventsOf } from './messages-upstream.ts'
import { endOfGroup } from '../rules/end-of-group.ts'

type Fields = Record<string, unknown>

let started: TestService
let headers: Record<string, string>

const atEnd = endOfGroup()
beforeAll(async () => {
  started = await startTestService({ models: { one: {}, two: {} } }, atEnd)
  const { dashboard } = started.service
  const codex = { name: 'codex', routers: 'all' as const, acceptAnyModel: true }
  const { key } = await dashboard.createApiKey(codex)
  headers = { authorization: `Bearer ${key}` }
})

beforeEach(() => {
  started.fake.setModel('one', {})
  started.fake.setModel('two', {})
})

async function post(body: object) {
  return await started.post('v1/responses', body, { headers })
}

async function stream(body: object): Promise<Fields[]> {
  return eventsOf(await (await post(body)).text()).map(({ data }) => data)
}

function answerWith(script: FakeModel): void {
  started.fake.setModel('one', script)
}

function sentBody(): Fields {
  return started.fake.requests.at(-1)?.body ?? {}
}

function sentNames(): string[] {
  const tools = sentBody()['tools'] as { function: { name: string } }[]
  return tools.map(({ function: { name } }) => name)
}

function ofType(events: readonly Fields[], type: string): Fields[] {
  return events.filter((event) => event['type'] === type)
}

function doneItems(events: readonly Fields[]): unknown[] {
  return ofType(events, 'response.output_item.done').map(({ item }) => item)
}

const callTo = (name: string, ...argumentPieces: string[]): FakeModel => ({
  toolCalls: [{ id: 'call_a', name, argumentPieces }],
})

test('rule 2: tools are read from the field tools and from items of the input', async () => {
  await stream(unknownName)
  const fromTools = sentNames()
  await stream(codeMode)

  expect(fromTools).toEqual([
    'exec_command',
    'multi_agent_v1__spawn_agent',
    'multi_agent_v1__wait_agent',
  ])
  expect(sentNames().slice(0, 2)).toEqual(['functions__exec', 'functions__wait'])
})

test('rule 3: a call of a tool in a namespace comes back with both fields', async () => {
  answerWith(callTo('multi_agent_v1__spawn_agent', '{"message":', '"Hi"}'))

  const whole = (await (await post({ ...unknownName, stream: false })).json()) as {
    output: unknown[]
  }
  const events = await stream(unknownName)

  const call = {
    type: 'function_call',
    namespace: 'multi_agent_v1',
    name: 'spawn_agent',
    call_id: 'call_a',
    arguments: '{"message":"Hi"}',
  }
  expect(whole.output).toMatchObject([call])
  expect(doneItems(events)).toMatchObject([call])
})

test('rule 4: a custom tool is a function with one text, and its call comes back as text', async () => {
  const patch = '*** Begin "é"\n\\n\u{1F600}'
  const encoded = JSON.stringify({ input: patch }).replace('\u{1F600}', '\\ud83d\\ude00')
  answerWith(callTo('apply_patch', ...encoded.split('')))

  const events = await stream(withPatches)

  const item = { type: 'custom_tool_call', name: 'apply_patch', call_id: 'call_a', input: patch }
  expect(doneItems(events)).toMatchObject([item])
  const deltas = ofType(events, 'response.custom_tool_call_input.delta')
  expect(deltas.map(({ delta }) => delta).join('')).toBe(patch)
  expect(deltas.length).toBeGreaterThan(10)
  const [, tool] = sentBody()['tools'] as { function: Fields }[]
  expect(tool?.function).toMatchObject({
    description: expect.stringContaining('start: /.+/') as unknown,
    parameters: { required: ['input'] },
  })
})

test.each([
  ['{"patch":"x"}', 'x'],
  ['x y', 'x y'],
  ['{}', ''],
  ['{ "input" : "x', 'x'],
])('rule 4: the custom input of the arguments %s is %j', async (text, input) => {
  answerWith(callTo('apply_patch', text))

  const events = await stream(withPatches)

  expect(doneItems(events)).toMatchObject([{ type: 'custom_tool_call', input }])
})

test('rule 4: a custom tool in a namespace keeps both, also when its calls come back without', async () => {
  answerWith(callTo('functions__exec', '{"input":"text(1)"}'))
  const past = { type: 'custom_tool_call', call_id: 'call_9', name: 'exec', input: 'text(0)' }
  const output = { type: 'custom_tool_call_output', call_id: 'call_9', output: '0' }

  const events = await stream({ ...codeMode, input: [...codeMode.input, past, output] })

  expect(doneItems(events)).toMatchObject([
    { type: 'custom_tool_call', namespace: 'functions', name: 'exec', input: 'text(1)' },
  ])
  expect(sentBody()['messages']).toMatchObject([
    { role: 'system' },
    { role: 'user' },
    { role: 'user' },
    { tool_calls: [{ function: { name: 'functions__exec', arguments: '{"input":"text(0)"}' } }] },
    { role: 'tool', content: '0' },
  ])
})

test('a search for tools that the client runs is a function, and its finds can be called', async () => {
  answerWith(callTo('tool_search', '{"query":', '"issues"}'))
  const search = { type: 'tool_search_call', call_id: 'call_9', arguments: { query: 'pages' } }
  const found = { type: 'function', name: 'find_page', parameters: {}, defer_loading: true }
  const output = { type: 'tool_search_output', call_id: 'call_9', tools: [found] }

  const events = await stream({ ...withPatches, input: [...withPatches.input, search, output] })

  expect(doneItems(events)).toMatchObject([
    {
      type: 'tool_search_call',
      execution: 'client',
      call_id: 'call_a',
      arguments: { query: 'issues' },
    },
  ])
  expect(sentNames()).toEqual(['exec_command', 'apply_patch', 'tool_search', 'find_page'])
  expect((sentBody()['messages'] as Fields[]).at(-1)).toEqual({
    role: 'tool',
    tool_call_id: 'call_9',
    content: 'Found tools: find_page',
  })
})

test('rule 5: outputs are texts or lists of texts and images', async () => {
  await stream(history)

  const messages = sentBody()['messages'] as Fields[]
  expect(messages.filter(({ role }) => role === 'tool')).toEqual([
    { role: 'tool', tool_call_id: 'call_0', content: 'A' },
    {
      role: 'tool',
      tool_call_id: 'call_0_1',
      content: [{ type: 'image_url', image_url: { url: image.image_url, detail: 'high' } }],
    },
    { role: 'tool', tool_call_id: 'call_1', content: 'Patched.\nOne file.' },
  ])
})

test('rule 6: developer messages are the instructions', async () => {
  await stream(unknownName)

  expect(sentBody()['messages']).toEqual([
    { role: 'system', content: 'Instructions.\n\nPermissions.\n\nSkills.' },
    { role: 'user', content: 'Surroundings' },
    { role: 'user', content: 'Change the note.' },
  ])
})

test('rule 7: keep-alives are events, and the answer goes on with the same response', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  answerWith({ text: 'Late', firstByteDelayMs: 300 })
  const count = started.fake.requestCount()

  const answer = post(unknownName)
  await vi.waitFor(() => expect(started.fake.requestCount()).toBe(count + 1), {
    timeout: 60_000,
    interval: 5,
  })
  vi.advanceTimersByTime(20_000)
  const text = await (await answer).text()

  expect(text).not.toMatch(/^:/m)
  const events = eventsOf(text).map(({ data }) => data)
  expect(events.slice(0, 3).map(({ type }) => type)).toEqual([
    'response.created',
    'response.in_progress',
    'response.in_progress',
  ])
  expect(ofType(events, 'response.created')).toHaveLength(1)
  const ids = events.flatMap(({ response }) => (response as { id?: string } | undefined)?.id ?? [])
  expect(new Set(ids).size).toBe(1)
  expect(events.map((event) => event['sequence_number'])).toEqual(events.map((_, place) => place))
})

test('rule 8: every item has an id and is added before it is done, whole; usage ends the answer', async () => {
  answerWith({ text: 'Hi', reasoning: 'Hm', ...callTo('exec_command', '{"cmd":"a"}') })

  const events = await stream(unknownName)

  const added = ofType(events, 'response.output_item.added').map(
    ({ item }) => (item as Fields)['id'],
  )
  const done = doneItems(events) as Fields[]
  expect(done.map(({ id }) => id)).toEqual(added)
  expect(done).toMatchObject([
    { type: 'reasoning', summary: [{ text: 'Hm' }] },
    { type: 'message', content: [{ type: 'output_text', text: 'Hi' }] },
    { type: 'function_call', name: 'exec_command', arguments: '{"cmd":"a"}', status: 'completed' },
  ])
  const number: unknown = expect.any(Number)
  expect(events.at(-1)).toMatchObject({
    type: 'response.completed',
    response: { output: done, usage: { input_tokens: number, output_tokens: number } },
  })
})

test('rule 9: a failure inside a stream is response.failed with a code, never an error event', async () => {
  answerWith({ text: 'One two three four', chunks: 4, fault: { kind: 'truncate', afterEvents: 3 } })

  const events = await stream(unknownName)

  expect(ofType(events, 'error')).toEqual([])
  expect(events.at(-1)).toMatchObject({
    type: 'response.failed',
    response: {
      status: 'failed',
      error: { code: 'server_error', message: expect.stringMatching(/\[\w+\]$/) as unknown },
      output: [{ type: 'message' }],
    },
  })
})

test('rule 10: an attempt to open a WebSocket is a 426, and any other GET a 405', async () => {
  const upgrade = { connection: 'Upgrade', upgrade: 'websocket' }

  const { status, body } = await getRaw(upgrade)
  const plain = await started.get('v1/responses', { headers })

  expect(status).toBe(426)
  expect(body).toContain('"code":"websocket_unsupported"')
  expect(plain.status).toBe(405)
  expect(plain.headers.get('allow')).toBe('POST')
})

test('rule 22: a daily limit is usage_limit_reached with the time of its reset', async () => {
  const limited = await limitedRouter({ tier: 'enterprise', dailyLimit: 1 })

  await (await limited(unknownName)).text()
  const refused = await limited(unknownName)

  expect(refused.status).toBe(429)
  const { error } = (await refused.json()) as { error: Fields }
  expect(error).toMatchObject({ type: 'usage_limit_reached', code: 'daily_limit_exceeded' })
  expect(Number(error['resets_at']) % 86_400).toBeLessThanOrEqual(1)
  expect(Number(error['resets_at'])).toBeGreaterThan(Date.now() / 1000)
  // Rule 24.
  expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(2)
})

test('rule 23: a budget is a 429 insufficient_quota', async () => {
  const limited = await limitedRouter({ budgetUsdPerDay: 0.000_001 })

  const refused = await limited(unknownName)

  expect(refused.status).toBe(429)
  expect(await refused.json()).toMatchObject({
    error: { type: 'insufficient_quota', code: 'budget_exceeded' },
  })
})

test('rule 26: usage has the tokens of this request, not of the attempts before it', async () => {
  answerWith({ text: 'Hi', fault: { kind: 'truncate', afterEvents: 1 } })
  const usage = { prompt_tokens: 50, completion_tokens: 5, total_tokens: 55 }
  started.fake.setModel('two', { text: 'Hi', usage })

  const events = await stream(unknownName)

  expect(events.at(-1)).toMatchObject({
    response: {
      model: 'fake:two',
      usage: { input_tokens: 50, output_tokens: 5, total_tokens: 55 },
    },
  })
})

test('the order of client_metadata does not matter for the response cache', async () => {
  const limited = await limitedRouter({ cacheTtlSeconds: 60 })
  const entries = Object.entries(unknownName.client_metadata)
  const reversed = Object.fromEntries([...entries.toReversed(), ['turn_id', 'another']])

  await (await limited(unknownName)).text()
  const again = await limited({ ...unknownName, client_metadata: reversed })

  expect(again.headers.get('x-modelport-cache')).toBe('hit')
})

/** The last test, because the models are not asked again after it. */
test('rule 24: waiting times are short', async () => {
  for (const name of ['one', 'two']) {
    started.fake.setModel(name, { reply: errorReply(429, { retryAfterSeconds: 3600 }) })
  }

  const refused = await post(unknownName)

  expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(30)
})

/** A router of its own with one model. @returns a function that posts to it */
async function limitedRouter(options: object) {
  const { service, origin } = started
  const router = await service.dashboard.createRouter({
    name: 'Limited',
    strategy: 'priority',
    models: ['fake:one'],
    ...options,
  })
  return async (body: object) =>
    await started.post(`${origin}/api/router/${router.id}/v1/responses`, body, { headers })
}

/** `fetch` refuses to send these headers. */
async function getRaw(extra: Record<string, string>): Promise<{ status: number; body: string }> {
  const url = new URL('v1/responses', `${started.routerUrl}/`)
  return await new Promise((resolve, reject) => {
    const sent = request(url, { headers: { ...headers, ...extra }, rejectUnauthorized: false })
    sent.on('error', reject)
    sent.on('response', (answer) => {
      let body = ''
      answer.on('data', (piece: Buffer) => (body += piece.toString()))
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, body }))
    })
    sent.end()
  })
}
