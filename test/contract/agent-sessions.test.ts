/** Coding agents over the wire: whose model reads a tool's result, and what a side request must not change. */
import { expect, test } from 'vitest'
import type { ExplainedDetail } from '../../src/shared/requests/detail.ts'
import { errorReply } from '../fake-provider.ts'
import { startTestService, type TestService } from '../test-service.ts'

const tools = [{ type: 'function', function: { name: 'bash' } }]
const task = { role: 'user', content: 'Add a retry to the upload.' }
const callOfTool = { id: 'call_1', type: 'function', function: { name: 'bash', arguments: '{}' } }
const result = [
  task,
  { role: 'assistant', content: null, tool_calls: [callOfTool] },
  { role: 'tool', tool_call_id: 'call_1', content: 'Done' },
]

const said = { role: 'assistant', content: 'The retry is there.' }

/** Both models work but for the first request of an agent that is to stay with the second. */
const start = () => startTestService({ models: { one: {}, two: {} } })

async function whileFirstFails({ fake }: TestService, request: () => Promise<string>) {
  fake.setModel('one', { reply: errorReply(500) })
  expect(await request()).toBe('fake:two')
  fake.setModel('one', {})
}

/** @returns the model that answers */
async function ask(
  { post }: TestService,
  path: string,
  { headers, body }: { headers: Record<string, string>; body: object },
): Promise<string> {
  const answer = await post(path, body, { headers })
  // The form of Modelport's own answers.
  return ((await answer.json()) as { model: string }).model
}

const opencode = (service: TestService, session: string, messages: readonly object[]) =>
  ask(service, 'chat/completions', {
    headers: { 'user-agent': 'opencode/1.18.33', 'x-session-id': session },
    body: { messages, tools },
  })

test('two sessions with the same first prompt each stay with their own model', async () => {
  const service = await start()
  await whileFirstFails(service, () => opencode(service, 'ses_a', [task]))
  await opencode(service, 'ses_b', [task])

  expect(await opencode(service, 'ses_a', result)).toBe('fake:two')
  expect(await opencode(service, 'ses_b', result)).toBe('fake:one')
})

test('a session with a pinned model gets it, but for the results of another model’s tools', async () => {
  const service = await start()
  const { sessions } = service.service.usage
  await whileFirstFails(service, () => opencode(service, 'ses_a', [task]))
  await service.ledger(1)
  await sessions.pin({ id: 'ses_a', model: 'fake:one' })

  expect(await opencode(service, 'ses_a', result)).toBe('fake:two')
  expect(await opencode(service, 'ses_a', [...result, said, task])).toBe('fake:one')
  expect(await opencode(service, 'ses_a', [...result, said, task, ...result.slice(1)])).toBe(
    'fake:one',
  )

  await sessions.pin({ id: 'ses_a', model: 'fake:two' })
  expect(await opencode(service, 'ses_a', [...result, said, task])).toBe('fake:two')
  expect(await opencode(service, 'ses_b', [task])).toBe('fake:one')
  const [, newest] = await service.ledger(6)
  expect(JSON.parse(newest?.sessionStep ?? '')).toMatchObject({ why: 'session' })

  await sessions.pin({ id: 'ses_a', model: null })
  expect(await opencode(service, 'ses_a', [task])).toBe('fake:one')
  await expect(sessions.pin({ id: 'ses_a', model: 'fake:three' })).rejects.toThrow(
    'no model fake:three',
  )
  await expect(sessions.pin({ id: 'ses_none', model: 'fake:one' })).rejects.toThrow('no session')
})

test('another key’s session of the same name has its own model', async () => {
  const service = await start()
  const { key } = await service.service.dashboard.createApiKey({ name: 'other', routers: 'all' })
  const post: TestService['post'] = (path, body, init) =>
    service.post(path, body, { headers: { ...init?.headers, authorization: `Bearer ${key}` } })
  await whileFirstFails(service, () => opencode(service, 'ses_a', [task]))

  expect(await opencode({ ...service, post }, 'ses_a', result)).toBe('fake:one')
})

test('a pin and a deletion reach the session of one key, and a replaced key keeps its pin', async () => {
  const service = await start()
  const { dashboard, usage } = service.service
  const { key, apiKey } = await dashboard.createApiKey({ name: 'other', routers: 'all' })
  const withKey = (own: string): TestService => ({
    ...service,
    post: (path, body, init) =>
      service.post(path, body, { headers: { ...init?.headers, authorization: `Bearer ${own}` } }),
  })
  await opencode(service, 'ses_a', [task])
  await opencode(withKey(key), 'ses_a', [task])
  await service.ledger(2)
  await usage.sessions.pin({ id: `ses_a@${apiKey.id}`, model: 'fake:two' })
  const { key: replaced } = await dashboard.rotateApiKey(apiKey.id, 60_000)

  expect(await opencode(service, 'ses_a', [task])).toBe('fake:one')
  expect(await opencode(withKey(key), 'ses_a', [task])).toBe('fake:two')
  expect(await opencode(withKey(replaced), 'ses_a', [task])).toBe('fake:two')

  await service.ledger(5)
  await usage.sessions.delete(`ses_a@${apiKey.id}`)
  const left = await usage.sessions.list({ limit: 9 })
  expect(left.map(({ steps }) => steps).toSorted((a, b) => a - b)).toEqual([1, 2])
  expect(await opencode(withKey(key), 'ses_a', [task])).toBe('fake:one')
})

test('a probe does not change the model of its session', async () => {
  const service = await start()
  const call = { type: 'tool_use', id: 'toolu_1', name: 'Read', input: {} }
  const output = { type: 'tool_result', tool_use_id: 'toolu_1', content: 'Done' }
  const messages = [
    task,
    { role: 'assistant', content: [call] },
    { role: 'user', content: [output] },
  ]
  const claudeCode = (body: object) =>
    ask(service, 'messages', {
      headers: { 'x-claude-code-session-id': 'session-a' },
      body: {
        messages: [task],
        max_tokens: 100,
        tools: [{ name: 'Read', input_schema: { type: 'object' } }],
        ...body,
      },
    })
  await whileFirstFails(service, () => claudeCode({}))

  expect(await claudeCode({ max_tokens: 1 })).toBe('fake:one')
  expect(await claudeCode({ messages })).toBe('fake:two')
})

test('Codex’s child has its own model, though it sends its parent’s prompt_cache_key', async () => {
  const service = await start()
  const call = { type: 'function_call', call_id: 'call_1', name: 'bash', arguments: '{}' }
  const output = { type: 'function_call_output', call_id: 'call_1', output: 'Done' }
  const codex = (thread: string, later: readonly object[] = []) =>
    ask(service, 'responses', {
      headers: { 'session-id': 'root', 'thread-id': thread },
      body: {
        input: [task, ...later],
        tools: [{ type: 'function', name: 'bash', parameters: { type: 'object' } }],
        prompt_cache_key: 'root',
        store: false,
      },
    })
  await whileFirstFails(service, () => codex('root'))
  await codex('child')

  expect(await codex('root', [call, output])).toBe('fake:two')
  expect(await codex('child', [call, output])).toBe('fake:one')
})

test('a task is read without the agent’s own texts, which are sent all the same', async () => {
  const { post, fake } = await start()
  const reminder = `<system-reminder>${'Today is Tuesday. '.repeat(500)}</system-reminder>`
  const readingOf = async (session: string, messages: readonly object[], kind = 'main') => {
    const headers = {
      'x-claude-code-session-id': session,
      'x-claude-code-request-class': kind,
      'x-modelport-explain': 'true',
    }
    const answer = await post('chat/completions', { messages, tools }, { headers })
    // The form of Modelport's own answer.
    const { _meta: meta } = (await answer.json()) as { _meta: { decision: ExplainedDetail } }
    return meta.decision.reading
  }
  const reminded = { role: 'user', content: `${reminder}${task.content}` }
  const withoutTask = [{ role: 'user', content: reminder }]
  const summary = [task, { role: 'user', content: 'Prove that there are infinitely many primes.' }]

  const plain = await readingOf('ses_a', [task])

  expect(plain).not.toBeNull()
  expect(await readingOf('ses_b', [reminded])).toEqual(plain)
  expect(await readingOf('ses_b', withoutTask)).toEqual(plain)
  expect(await readingOf('ses_b', summary, 'compaction')).toEqual(plain)
  expect(await readingOf('ses_b', summary)).not.toEqual(plain)
  expect(await readingOf('ses_c', withoutTask)).toBeNull()
  expect(fake.requests[1]?.body).toMatchObject({ messages: [reminded] })
})

const checkFor = (model: string) => ({
  model,
  max_tokens: 64,
  stop_sequences: ['</block>'],
  system: '<classifier_system_prompt>Judge the action.</classifier_system_prompt>',
  messages: [{ role: 'user', content: 'Bash rm -rf build' }],
})

test('a safety check is answered anew each time by the model that it names', async () => {
  const service = await startTestService({
    models: { one: { text: '<block>no' }, two: { text: '<block>yes' } },
    router: {
      cacheTtlSeconds: 60,
      strategy: 'adaptive',
      routing: {
        cascade: { tiers: [{ models: ['fake:one'], accept: 'not_refused_not_cut_off' }] },
      },
    },
  })
  const { key } = await service.service.dashboard.createApiKey({
    name: 'any',
    routers: 'all',
    acceptAnyModel: true,
  })
  const check = async (model: string) => {
    const answer = await service.post('messages', checkFor(model), {
      headers: { authorization: `Bearer ${key}` },
    })
    return { text: await answer.text(), cache: answer.headers.get('x-modelport-cache') }
  }

  const named = [await check('two'), await check('two')]
  const unknown = await check('claude-opus-5-5')

  for (const { text, cache } of named) {
    expect(text).toContain('<block>yes')
    expect(cache).toBeNull()
  }
  expect(unknown.text).toContain('<block>no')
  expect(service.fake.requests).toHaveLength(3)
})

test('a safety model answers the checks that name no model of its router, and fails for itself alone', async () => {
  const service = await startTestService({
    models: { one: { text: 'One.' }, two: { text: '<block>no' }, guard: { text: '<block>yes' } },
    router: {
      models: ['fake:one', 'fake:two'],
      cacheTtlSeconds: 60,
      routing: { safetyModel: 'fake:guard' },
    },
  })
  const { post, fake } = service
  const send = async (body: object) => {
    const answer = await post('messages', body)
    const model = answer.headers.get('x-modelport-safety-model')
    return { status: answer.status, text: await answer.text(), model }
  }
  const step = { max_tokens: 100, messages: [task] }

  const checks = [await send(checkFor('claude-opus-5-5')), await send(checkFor('claude-opus-5-5'))]
  const named = await send(checkFor('fake:two'))
  const plain = await send(step)
  const unchecked = await send({ ...step, safeguards: [{ type: 'dangerous_tool_use' }] })

  for (const check of checks) expect(check).toMatchObject({ status: 200, model: '"fake:guard"' })
  for (const { text } of checks) expect(text).toContain('<block>yes')
  expect(named).toMatchObject({ status: 200, model: null })
  expect(named.text).toContain('<block>no')
  expect(plain).toMatchObject({ status: 200, model: null })
  expect(unchecked).toMatchObject({ status: 200, model: '"fake:guard"' })
  expect(unchecked.text).not.toContain('<block>')
  expect(fake.requests[0]?.body).toMatchObject({ max_tokens: 64, stop: ['</block>'] })

  fake.setModel('guard', { reply: errorReply(500) })
  const asked = fake.requests.length
  const failed = await send(checkFor('claude-opus-5-5'))

  expect(failed.status).toBeGreaterThanOrEqual(500)
  expect(failed.text).not.toContain('<block>')
  expect(new Set(fake.requests.slice(asked).map(({ body }) => body?.['model']))).toEqual(
    new Set(['guard']),
  )
})
