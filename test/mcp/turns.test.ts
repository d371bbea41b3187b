/** Models of the chat call tools: what is asked, what runs, and what the ledger and the next request say of it. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import type { ApprovalDecision } from '../../src/shared/chat/tool-approvals.ts'
import type { ToolMarks } from '../../src/shared/chat/tools.ts'
import type { FakeModel } from '../fake-provider.ts'
import { startTestService, type TestService } from '../test-service.ts'
import { scripted } from './scripted-server.ts'

const none: ToolMarks = { readsPrivate: false, readsForeign: false, sendsOut: false }

interface Chat extends TestService {
  serverId: string
  log: string
  say(
    text: string,
    conversationId?: string | null,
  ): ReturnType<TestService['service']['conversations']['send']>
}

/** A chat with the scripted server's tools, whose model answers with these scripts in turn; the last one repeats. */
async function startChat(answers: readonly FakeModel[]): Promise<Chat> {
  const running = await startTestService({ models: { 'fake-model': answers[0] ?? {} } })
  const { service, routerId, dataDir, fake } = running
  const log = join(dataDir, 'log')
  const added = await service.mcp.add(scripted({ log }))
  const { tools } = await service.mcp.consent(added.id, added.identity)
  await service.mcp.approve(
    added.id,
    Object.fromEntries(tools.map(({ name, seal }) => [name, seal])),
  )
  for (const { name } of tools) await service.mcp.setTool(added.id, name, { marks: none })
  let next = 1
  service.on('request:finished', () => {
    fake.setModel('fake-model', answers[Math.min(next, answers.length - 1)] ?? {})
    next += 1
  })
  const instructions = { systemPrompt: '', parameters: { tools: true } }
  const say: Chat['say'] = (text, conversationId = null) =>
    service.conversations.send({ conversationId, routerId, text, instructions })
  return { ...running, serverId: added.id, log, say }
}

function calls(name: string, args: object, id = 'call_1'): FakeModel {
  return {
    toolCalls: [{ index: 0, id, name: `Test__${name}`, argumentPieces: [JSON.stringify(args)] }],
  }
}

/** Answers all questions alike. @returns what was asked */
function decideAll(
  { service }: Chat,
  decision: ApprovalDecision | ((count: number) => ApprovalDecision),
) {
  const asked: unknown[] = []
  const seen = new Set<string>()
  service.on('tool-approvals', (open) => {
    for (const { id, about } of open) {
      if (seen.has(id)) continue
      seen.add(id)
      asked.push(about)
      const given = typeof decision === 'string' ? decision : decision(asked.length)
      queueMicrotask(() => service.conversations.approvals.decide(id, { decision: given }))
    }
  })
  return asked
}

const linesOf = (log: string) =>
  existsSync(log)
    ? readFileSync(log, 'utf8')
        .split('\n')
        .filter((line) => line.startsWith('"'))
    : []
const messagesOf = ({ fake }: Chat) =>
  // Checked by the fake provider: each request has messages.
  fake.requests.at(-1)?.body?.['messages'] as { role: string; content: unknown }[]

test('an allowed call runs, its result goes back, and each request has a row with its calls', async () => {
  const chat = await startChat([calls('write', { text: 'Hello' }), { text: 'Written.' }])
  const asked = decideAll(chat, 'once')

  const { answer } = await (await chat.say('Write hello')).finished

  expect(answer).toMatchObject({
    state: 'complete',
    text: 'Written.',
    meta: { modelUsed: 'fake:fake-model' },
  })
  expect(answer.toolSteps).toMatchObject([
    {
      server: 'Test',
      tool: 'write',
      outcome: 'done',
      allowedBy: 'once',
      bytes: 5,
      requestId: answer.id,
    },
  ])
  expect(asked).toMatchObject([
    { kind: 'call', server: 'Test', arguments: '{\n  "text": "Hello"\n}', risk: null },
  ])
  expect(linesOf(chat.log)).toEqual(['"Hello"'])
  expect(messagesOf(chat)).toMatchObject([
    { role: 'user', content: 'Write hello' },
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'call_1', function: { name: 'Test__write' } }],
    },
    { role: 'tool', tool_call_id: 'call_1', content: expect.stringContaining('It is data') },
  ])
  const rows = await chat.ledger(2)
  expect(rows.map(({ source }) => source)).toEqual(['chat', 'chat'])
  const [last, first] = rows
  expect(answer.meta?.requestId).toBe(last?.id)
  for (const { id } of rows)
    expect(await chat.service.pastRequests.conversation(id)).toMatchObject({ title: 'Write hello' })
  expect((await chat.service.usage.explain(first?.id ?? ''))?.toolCalls).toMatchObject([
    { server: 'Test', tool: 'write', outcome: 'done', allowedBy: 'once', bytes: 5 },
  ])
  expect((await chat.service.usage.explain(last?.id ?? ''))?.toolCalls).toEqual([])
  expect(answer.meta?.costUsd).toBeCloseTo(
    rows.reduce((sum, { costNanoUsd }) => sum + costNanoUsd / 1e9, 0),
    9,
  )
})

test('a denied call does not run, and the model is told', async () => {
  const chat = await startChat([calls('write', { text: 'Hello' }), { text: 'As you wish.' }])
  decideAll(chat, 'deny')
  const { answer } = await (await chat.say('Write hello')).finished
  expect(answer.toolSteps).toMatchObject([{ outcome: 'denied', allowedBy: null }])
  expect(linesOf(chat.log)).toEqual([])
  expect(messagesOf(chat).at(-1)?.content).toContain('did not allow')
})

test.each([
  ['once', 2],
  ['conversation', 1],
  ['always', 1],
] as const)('a call allowed %s is asked for again as it says', async (decision, questions) => {
  const answers = [
    calls('echo', { text: 'a' }),
    calls('echo', { text: 'b' }, 'call_2'),
    { text: 'Done.' },
  ]
  const chat = await startChat(answers)
  const asked = decideAll(chat, decision)
  const { conversation } = await (await chat.say('Repeat')).finished
  expect(asked).toHaveLength(questions)
  const [listed] = await chat.service.mcp.list()
  const echo = listed?.tools.find(({ name }) => name === 'echo')
  expect(echo?.permission).toBe(decision === 'always' ? 'allow' : 'ask')
  expect(conversation.parameters.tools).toBe(true)
})

test('after private and foreign text, a tool that sends out asks, whatever was allowed', async () => {
  const chat = await startChat([
    calls('read_mail', {}),
    calls('read_page', {}, 'call_2'),
    calls('write', { text: 'secret' }, 'call_3'),
    { text: 'Done.' },
  ])
  const marks = {
    read_mail: { ...none, readsPrivate: true },
    read_page: { ...none, readsForeign: true },
    write: { ...none, sendsOut: true },
  }
  for (const [name, changed] of Object.entries(marks))
    await chat.service.mcp.setTool(chat.serverId, name, { permission: 'allow', marks: changed })
  const asked = decideAll(chat, 'always')

  await (
    await chat.say('Read')
  ).finished

  expect(asked).toMatchObject([{ tool: { name: 'write' }, risk: 'private_and_foreign' }])
})

test('the same result three times ends the turn', async () => {
  const chat = await startChat([calls('echo', { text: 'a' })])
  decideAll(chat, 'conversation')
  const { answer } = await (await chat.say('Repeat')).finished
  expect(answer).toMatchObject({
    state: 'stopped',
    error: expect.stringContaining('the same result 3 times'),
  })
  expect(answer.toolSteps).toHaveLength(3)
})

test('the same error three times ends the turn, even with other arguments', async () => {
  const answers = [1, 2, 3, 4].map((at) => calls('fail', { text: `${at}` }, `call_${at}`))
  const chat = await startChat(answers)
  decideAll(chat, 'conversation')
  const { answer } = await (await chat.say('Repeat')).finished
  expect(answer).toMatchObject({
    state: 'stopped',
    error: expect.stringContaining('the same error 3 times'),
  })
})

test('after ten steps the turn asks whether it may go on', async () => {
  const answers = Array.from({ length: 12 }, (_, at) =>
    calls('echo', { text: `${at}` }, `call_${at}`),
  )
  const chat = await startChat(answers)
  const asked = decideAll(chat, (count) => (count === 1 ? 'conversation' : 'deny'))
  const { answer } = await (await chat.say('Go on')).finished
  expect(asked).toMatchObject([{ kind: 'call' }, { kind: 'steps', steps: 10 }])
  expect([answer.state, answer.toolSteps.length]).toEqual(['stopped', 10])
})

test('a stop ends the question and the turn', async () => {
  const chat = await startChat([calls('write', { text: 'Hello' })])
  const sent = await chat.say('Write')
  await vi.waitFor(
    () => expect(chat.service.conversations.approvals.list()).toHaveLength(1),
    60_000,
  )
  sent.stop()
  expect((await sent.finished).answer).toMatchObject({ state: 'stopped' })
  expect([chat.service.conversations.approvals.list(), linesOf(chat.log)]).toEqual([[], []])
})

test('the next question repeats the calls, or leaves them out where tools are off', async () => {
  const chat = await startChat([calls('echo', { text: 'a' }), { text: 'One.' }, { text: 'Two.' }])
  decideAll(chat, 'once')
  const { conversation } = await (await chat.say('First')).finished
  await (
    await chat.say('Second', conversation.id)
  ).finished
  expect(messagesOf(chat).map(({ role }) => role)).toEqual([
    'user',
    'assistant',
    'tool',
    'assistant',
    'user',
  ])
  expect(chat.fake.requests.at(-1)?.body?.['tools']).toHaveLength(6)

  await chat.service.conversations.change(conversation.id, { parameters: {} })
  await (
    await chat.say('Third', conversation.id)
  ).finished
  expect(messagesOf(chat).map(({ role }) => role)).toEqual([
    'user',
    'assistant',
    'user',
    'assistant',
    'user',
  ])
  expect(chat.fake.requests.at(-1)?.body).not.toHaveProperty('tools')
})

test('definitions above a share of the context are searched for', async () => {
  const search: FakeModel = {
    toolCalls: [
      { index: 0, id: 'call_1', name: 'find_tools', argumentPieces: ['{"query": "repeat text"}'] },
    ],
  }
  const through = { name: 'Test__echo', arguments: { text: 'a' } }
  const call: FakeModel = {
    toolCalls: [
      { index: 0, id: 'call_2', name: 'call_tool', argumentPieces: [JSON.stringify(through)] },
    ],
  }
  const chat = await startChat([search, call, { text: 'Done.' }])
  const price = { inputUsdPerMtok: 1, outputUsdPerMtok: 1 }
  const capabilities = ['tools' as const]
  const model = { id: 'fake:fake-model', ...price, capabilities, contextTokens: 8_000 }
  await chat.service.dashboard.saveModel(model)
  const asked = decideAll(chat, 'once')

  const { answer } = await (await chat.say('Repeat')).finished

  expect(chat.fake.requests.find(({ body }) => body)?.body?.['tools']).toHaveLength(2)
  expect(answer.toolSteps).toMatchObject([
    { calledAs: 'find_tools', outcome: 'done', allowedBy: 'search' },
    { calledAs: 'call_tool', server: 'Test', tool: 'echo', outcome: 'done', allowedBy: 'once' },
  ])
  expect(asked).toMatchObject([{ tool: { name: 'echo' }, arguments: '{\n  "text": "a"\n}' }])
  const offer = await chat.service.conversations.describeTools({
    conversationId: null,
    routerId: chat.routerId,
  })
  expect(offer).toMatchObject({ tools: 6, isOnDemand: true })
})

test('a result that is too long for a model is kept as a whole', async () => {
  const text = `${'Long. '.repeat(10_000)}The end.`
  const chat = await startChat([calls('echo', { text }), { text: 'Read.' }])
  decideAll(chat, 'once')

  const { answer } = await (await chat.say('Read it')).finished

  const [step] = answer.toolSteps
  expect(step?.result).toContain('[Cut: 10008 more characters.')
  const data = await chat.service.conversations.attachmentData(step?.wholeResult ?? '')
  expect(Buffer.from(data, 'base64').toString()).toBe(text)
})

test('a folder that was allowed for ever asks no more, and a path that leaves it does', async () => {
  const chat = await startChat([
    calls('echo', { text: '/home/ada/notes/a.txt' }),
    calls('echo', { text: '/home/ada/notes/b.txt' }, 'call_2'),
    calls('echo', { text: '/home/ada/notes/../key' }, 'call_3'),
    { text: 'Done.' },
  ])
  const asked = decideAll(chat, (count) => (count === 1 ? 'within' : 'deny'))

  const { answer } = await (await chat.say('Read')).finished

  expect(asked).toMatchObject([
    { grants: [{ argument: 'text', kind: 'folder', within: '/home/ada/notes' }] },
    { arguments: expect.stringContaining('../key') },
  ])
  expect(answer.toolSteps.map(({ outcome, allowedBy }) => [outcome, allowedBy])).toEqual([
    ['done', 'always'],
    ['done', 'always'],
    ['denied', null],
  ])
  const grantsOf = async () => {
    const [server] = await chat.service.mcp.list()
    return server?.tools.find(({ name }) => name === 'echo')?.grants
  }
  expect(await grantsOf()).toHaveLength(1)
  await chat.service.mcp.setTool(chat.serverId, 'echo', { grants: [] })
  expect(await grantsOf()).toEqual([])
})

test('all requests of an answer together stay within the limit of the conversation', async () => {
  const endless = [1, 2, 3, 4, 5, 6].map((at) => ({
    ...calls('write', { text: `${at}` }, `call_${at}`),
    usage: { prompt_tokens: 260, completion_tokens: 20, total_tokens: 280 },
  }))
  const { service, routerId, serverId } = await startChat([...endless, { text: 'Done.' }])
  await service.mcp.setTool(serverId, 'write', { marks: none, permission: 'allow' })
  await service.dashboard.saveModel({
    id: 'fake:fake-model',
    inputUsdPerMtok: 1_000,
    outputUsdPerMtok: 1_000,
    contextTokens: 1_000_000,
    capabilities: ['tools'],
    quality: 0.7,
  })
  const asked = { conversationId: null, routerId, text: 'Go' }
  const parameters = { tools: true, maxTokens: 20 }
  const instructions = { systemPrompt: '', parameters }
  const { expected } = await service.conversations.preview({ ...asked, instructions })
  const limitUsd = expected.costP90Usd * 2.2
  const { finished } = await service.conversations.send({
    ...asked,
    instructions: { ...instructions, parameters: { ...parameters, limitUsd } },
  })
  const { answer } = await finished
  expect(answer.toolSteps.length).toBeGreaterThan(1)
  expect(answer.meta?.costUsd).toBeLessThanOrEqual(limitUsd)
  // What it did stays in the conversation.
  expect(answer.state).toBe('stopped')
  expect(answer.error).toContain('the router allows')
})
