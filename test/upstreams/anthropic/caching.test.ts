/** A coding conversation over the Anthropic fake, whose cache counts and bills as the vendor's does. */
import type { MessageCreateParamsBase } from '@anthropic-ai/sdk/resources/messages'
import { expect, onTestFinished, test } from 'vitest'
import type { ChatRequest } from '../../../src/shared/chat/chat.ts'
import type { ExplainedDetail } from '../../../src/shared/requests/detail.ts'
import { errorReply } from '../../fake-provider.ts'
import { startTestService, type TestService } from '../../test-service.ts'
import { answerOf, type AnswerMeaning } from '../harness.ts'
import { startWireServer, type WireServer } from '../wire-server.ts'
import { anthropicFormat } from './fake.ts'
import { FakePromptCache, type CacheAccount } from './prompt-cache.ts'

const model = 'anthropic:claude-sonnet-4-5'
/** The vendor's prices of this model, in nano-dollars a token. */
const nanoUsd = { input: 3_000, read: 300, written5m: 3_750, written1h: 6_000, output: 15_000 }
const outputTokens = 60

interface Bill {
  accounts: CacheAccount[]
  nanoUsd: number
}

interface Upstream {
  server: WireServer
  bill: Bill
  /** Milliseconds. */
  clock: { now: number }
}

/** Answers in turn: it reads a file, edits it, and says what it did. */
function answersOf(nth: number): Partial<AnswerMeaning> {
  const step = nth % 3
  if (step === 2) return { texts: [`Change ${nth} is done. `.repeat(10)] }
  const name = step === 0 ? 'read_file' : 'edit_file'
  return { toolCalls: [{ id: `toolu_${nth}`, name, arguments: `{"path":"src/file-${nth}.ts"}` }] }
}

async function startUpstream(): Promise<Upstream> {
  const server = await startWireServer(anthropicFormat)
  onTestFinished(() => server.close())
  const clock = { now: 0 }
  const cache = new FakePromptCache(1024, () => clock.now)
  const bill: Bill = { accounts: [], nanoUsd: 0 }
  server.script(({ body }) => {
    // The wire server has checked it against the SDK's types.
    const account = cache.account(body as MessageCreateParamsBase)
    const nth = bill.accounts.length
    bill.accounts.push(account)
    const { input, read, written5m, written1h } = account
    bill.nanoUsd +=
      input * nanoUsd.input +
      read * nanoUsd.read +
      written5m * nanoUsd.written5m +
      written1h * nanoUsd.written1h +
      outputTokens * nanoUsd.output
    const usage = {
      promptTokens: input + read + written5m + written1h,
      cachedTokens: read,
      cacheWriteTokens: written5m + written1h,
      completionTokens: outputTokens,
      reasoningTokens: 0,
    }
    return { answer: answerOf({ ...answersOf(nth), usage }) }
  })
  return { server, bill, clock }
}

async function startCoding(promptCaching: boolean): Promise<Upstream & { running: TestService }> {
  const upstream = await startUpstream()
  const running = await startTestService({ models: { other: {} } })
  const { dashboard } = running.service
  await dashboard.setSetting('promptCaching', promptCaching)
  await dashboard.addProvider({
    id: 'anthropic',
    type: 'anthropic',
    baseUrl: upstream.server.origin,
    apiKey: 'sk-ant-test',
  })
  return { ...upstream, running }
}

const words = (what: string, count: number) =>
  Array.from({ length: count }, (_, n) => `${what} ${n}`)
const system = words('Rule', 8_000).join('. ')
const tools = ['read_file', 'edit_file', 'run'].map((name) => ({
  type: 'function',
  function: {
    name,
    description: `${name} in the workspace. `.repeat(30),
    parameters: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
  },
}))

interface Turn {
  model: string
  decision: ExplainedDetail
}

/** Ten questions; each goes on until the model calls no tool. @returns one entry for each request */
async function code({ running, clock }: Awaited<ReturnType<typeof startCoding>>): Promise<Turn[]> {
  const messages: ChatRequest['messages'] = [{ role: 'system', content: system }]
  const turns: Turn[] = []
  for (let question = 0; question < 10; question += 1) {
    messages.push({ role: 'user', content: `Please change number ${question}.` })
    for (;;) {
      const answer = await running.post(
        'chat/completions',
        { messages, tools, stream: false },
        { headers: { 'x-modelport-explain': 'true' } },
      )
      // The form of Modelport's own answer.
      const {
        model: asked,
        choices,
        _meta: meta,
      } = (await answer.json()) as {
        model: string
        choices: { message: ChatRequest['messages'][number] }[]
        _meta: { decision: ExplainedDetail }
      }
      turns.push({ model: asked, decision: meta.decision })
      clock.now += 20_000
      const message = choices[0]?.message ?? { role: 'assistant', content: '' }
      messages.push(message)
      const calls = message.tool_calls ?? []
      if (calls.length === 0) break
      for (const { id } of calls) {
        const content = words(`line of ${id}`, 40).join('\n')
        messages.push({ role: 'tool', tool_call_id: id, content })
      }
    }
  }
  return turns
}

async function useRouter(running: TestService, models: readonly string[]): Promise<void> {
  // Both models are good enough, so the price decides.
  const routing = { qualityTolerance: 0.5 }
  const router = {
    name: 'Coding',
    strategy: 'cost_optimized' as const,
    models: [...models],
    routing,
  }
  await running.service.dashboard.updateRouter(running.routerId, router)
}

test('ten turns read at least 90 % of their input from the cache, billed to the nano-dollar', async () => {
  const coding = await startCoding(true)
  await useRouter(coding.running, [model])

  const turns = await code(coding)

  const { accounts, nanoUsd: billed } = coding.bill
  const sum = (of: (account: CacheAccount) => number) =>
    accounts.reduce((total, account) => total + of(account), 0)
  const read = sum((account) => account.read)
  const all = sum(({ input, written5m, written1h }) => input + written5m + written1h) + read
  expect(coding.server.problems).toEqual([])
  expect(turns).toHaveLength(30)
  expect(read / all).toBeGreaterThanOrEqual(0.9)
  const rows = await coding.running.ledger(30)
  expect(rows.reduce((total, row) => total + row.costNanoUsd, 0)).toBe(billed)
})

test('the marks leave every earlier byte of the prompt as it was', async () => {
  const coding = await startCoding(true)
  await useRouter(coding.running, [model])
  await code(coding)

  const prompts = coding.server.requests.map(({ body }) => {
    const { tools: offered, system: rules, messages } = body as MessageCreateParamsBase
    const withoutMarks = (key: string, value: unknown) =>
      key === 'cache_control' ? undefined : value
    return JSON.stringify([offered, rules, ...messages], withoutMarks).slice(0, -1)
  })

  for (const [index, prompt] of prompts.slice(1).entries()) {
    // A later turn may add blocks to the last message, so its end is left out.
    expect(prompt.startsWith((prompts[index] ?? '').slice(0, -2))).toBe(true)
  }
})

/** A model cheaper than the other without a cache, and dearer than that one's cache. */
const cheaper = {
  id: 'fake:other',
  inputUsdPerMtok: 2,
  outputUsdPerMtok: 10,
  contextTokens: 1_000_000,
  maxOutputTokens: 64_000,
  capabilities: ['tools' as const],
  quality: 0.9,
}

/** The first request finds the cheaper model broken. */
async function codeWithChoice(promptCaching: boolean) {
  const coding = await startCoding(promptCaching)
  const { running } = coding
  await running.service.dashboard.saveModel(cheaper)
  await useRouter(running, ['fake:other', model])
  running.fake.setModel('other', (_request, nth) => (nth === 1 ? { reply: errorReply(500) } : {}))
  return { coding, turns: await code(coding) }
}

test('a router that would switch stays, and says what the switch would have thrown away', async () => {
  const { turns } = await codeWithChoice(true)

  expect(new Set(turns.map((turn) => turn.model))).toEqual(new Set([model]))
  const { warmCache, why } = turns.at(-1)?.decision ?? {}
  expect(warmCache).toMatchObject({ model, tokens: expect.any(Number) })
  expect(why).toMatch(
    /About [\d,]+ tokens of the conversation are in its prompt cache; a change of model would have thrown away \$0\.\d+\./,
  )
})

test('the same router switches when nothing is cached', async () => {
  const { turns } = await codeWithChoice(false)

  expect(turns[0]?.model).toBe(model)
  expect(turns.at(-1)?.model).toBe('fake:other')
  expect(turns.at(-1)?.decision.warmCache).toBeUndefined()
})
