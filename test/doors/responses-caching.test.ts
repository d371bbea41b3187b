/** Ten turns of a coding session, as Codex sends them: the prompt's beginning must stay in the vendor's cache. */
import type { MessageCreateParamsBase } from '@anthropic-ai/sdk/resources/messages'
import type { OpenAI } from 'openai'
import { expect, onTestFinished, test } from 'vitest'
import { startTestService, type TestService } from '../test-service.ts'
import { anthropicFormat } from '../wires/anthropic/fake.ts'
import { FakePromptCache } from '../wires/anthropic/prompt-cache.ts'
import {
  answerOf,
  type AnswerMeaning,
  type FakeFormat,
  type UsageMeaning,
} from '../wires/harness.ts'
import { responsesFormat } from '../wires/openai-responses/fake.ts'
import { startWireServer, type WireServer } from '../wires/wire-server.ts'
import { codeMode } from './codex-requests.ts'

type Item = OpenAI.Responses.ResponseInputItem

/** Answers in turn: it reads, edits, and says what it did. */
function answersOf(nth: number): Partial<AnswerMeaning> {
  const reasoning = ['Let me see.']
  if (nth % 3 === 2) return { reasoning, texts: [`Change ${nth} is done. `.repeat(10)] }
  const call = { id: `call_${nth}`, name: 'functions__exec', arguments: `{"input":"step ${nth}"}` }
  return { reasoning, toolCalls: [call] }
}

interface Cache {
  /** @returns tokens of the prompt, and those of them that were read from the cache */
  count(body: unknown): { all: number; read: number; written: number }
}

interface Session {
  server: WireServer
  running: TestService
  read: number
  all: number
}

async function start(format: FakeFormat, cache: Cache): Promise<Session> {
  const server = await startWireServer(format)
  onTestFinished(() => server.close())
  const running = await startTestService()
  const session: Session = { server, running, read: 0, all: 0 }
  server.script(({ body }) => {
    const nth = server.requests.length - 1
    const { all, read, written } = cache.count(body)
    session.read += read
    session.all += all
    const usage: UsageMeaning = {
      promptTokens: all,
      cachedTokens: read,
      cacheWriteTokens: written,
      completionTokens: 60,
      reasoningTokens: 0,
    }
    return { answer: answerOf({ ...answersOf(nth), usage }) }
  })
  return session
}

async function use(
  { running }: Session,
  { type, baseUrl, model }: { type: string; baseUrl: string; model: string },
): Promise<void> {
  const { dashboard } = running.service
  await dashboard.addProvider({ id: 'vendor', type, baseUrl, apiKey: 'sk-test' })
  const models = [`vendor:${model}`]
  const router = { name: 'Coding', strategy: 'cost_optimized' as const, models }
  await dashboard.updateRouter(running.routerId, router)
}

const rules = Array.from({ length: 8_000 }, (_, place) => `Rule ${place}`).join('. ')

/** Ten questions; each goes on until the model calls no tool. Everything that was said is sent again. */
async function code({ running }: Session): Promise<number> {
  const [tools] = codeMode.input
  const input: unknown[] = [tools, { role: 'developer', content: rules }]
  let requests = 0
  for (let question = 0; question < 10; question += 1) {
    input.push({ type: 'message', role: 'user', content: `Please change number ${question}.` })
    for (
      let results: object[] | null = null;
      results === null || results.length > 0;
      requests += 1
    ) {
      const output = await answerTo(running.openai(), input)
      results = output.flatMap(resultsOf)
      input.push(...output, ...results)
    }
  }
  return requests
}

/** As Codex reads it: each item when it is done. */
async function answerTo(
  { responses }: OpenAI,
  input: readonly unknown[],
): Promise<OpenAI.Responses.ResponseOutputItem[]> {
  const events = await responses.create({
    model: 'auto',
    // The items are of Codex's shapes.
    input: input as Item[],
    include: ['reasoning.encrypted_content'],
    prompt_cache_key: 'session',
    store: false,
    stream: true,
  })
  const output: OpenAI.Responses.ResponseOutputItem[] = []
  for await (const event of events) {
    if (event.type === 'response.output_item.done') output.push(event.item)
  }
  return output
}

function resultsOf(item: OpenAI.Responses.ResponseOutputItem): object[] {
  if (item.type !== 'function_call' && item.type !== 'custom_tool_call') return []
  const text = `line of ${item.call_id}\n`.repeat(40)
  const output = [{ type: 'input_text', text }]
  return [{ type: `${item.type}_output`, call_id: item.call_id, output }]
}

function expectStable(prompts: readonly string[]): void {
  for (const [place, prompt] of prompts.slice(1).entries()) {
    expect(prompt.startsWith(prompts[place] ?? '')).toBe(true)
  }
}

test('to OpenAI, every prompt begins with all bytes of the one before, and 90 % are read', async () => {
  let before = ''
  const session = await start(responsesFormat, {
    count(body) {
      const { input } = body as { input: unknown }
      const prompt = JSON.stringify(input).slice(0, -1)
      const read = before !== '' && prompt.startsWith(before) ? before.length : 0
      before = prompt
      return { all: Math.ceil(prompt.length / 4), read: Math.floor(read / 4), written: 0 }
    },
  })
  const baseUrl = `${session.server.origin}/v1`
  await use(session, { type: 'openai', baseUrl, model: 'gpt-5.5' })

  const requests = await code(session)

  const bodies = session.server.requests.map(({ text }) => text)
  expect(session.server.problems).toEqual([])
  expect(requests).toBe(30)
  expect(session.read / session.all).toBeGreaterThanOrEqual(0.9)
  expectStable(bodies.map((text) => text.slice(0, text.indexOf('],"include"'))))
})

test('to Anthropic, every block of a prompt stays, and 90 % of the tokens are read', async () => {
  const clock = { now: 0 }
  const vendors = new FakePromptCache(1024, () => clock.now)
  const session = await start(anthropicFormat, {
    count(body) {
      clock.now += 20_000
      // The server has checked it against the SDK's types.
      const account = vendors.account(body as MessageCreateParamsBase)
      const written = account.written5m + account.written1h
      return { all: account.input + account.read + written, read: account.read, written }
    },
  })
  await use(session, {
    type: 'anthropic',
    baseUrl: session.server.origin,
    model: 'claude-sonnet-4-5',
  })

  const requests = await code(session)

  const prompts = session.server.requests.map(({ body }) => {
    const { tools, system, messages } = body as MessageCreateParamsBase
    const withoutMarks = (key: string, value: unknown) =>
      key === 'cache_control' ? undefined : value
    // A later turn may add blocks to the last message, so its end is left out.
    return JSON.stringify([tools, system, ...messages], withoutMarks).slice(0, -3)
  })
  expect(session.server.problems).toEqual([])
  expect(requests).toBe(30)
  expect(session.read / session.all).toBeGreaterThanOrEqual(0.9)
  expectStable(prompts)
})
