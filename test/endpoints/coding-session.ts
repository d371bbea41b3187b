/** Ten turns of a coding session with tool calls, which counts what the vendor's prompt cache could read. */
import type { MessageCreateParamsBase } from '@anthropic-ai/sdk/resources/messages'
import { onTestFinished } from 'vitest'
import { startTestService, type TestService } from '../test-service.ts'
import { FakePromptCache } from '../upstreams/anthropic/prompt-cache.ts'
import {
  answerOf,
  type AnswerMeaning,
  type FakeFormat,
  type UsageMeaning,
} from '../upstreams/harness.ts'
import { startWireServer, type WireServer } from '../upstreams/wire-server.ts'

/** Counts the tokens of a prompt, and those that the vendor reads from its cache. */
export type CountPrompt = (body: unknown) => { all: number; read: number; written: number }

export interface CodingSession {
  server: WireServer
  running: TestService
  /** Tokens of all prompts so far, and those that were read from the cache. */
  all: number
  read: number
}

export interface CodingVendor {
  format: FakeFormat
  count: CountPrompt
  type: string
  /** Path after the server's address. */
  path: string
  model: string
  /** The name of the tool that the model calls. */
  toolName: string
}

export const rules = Array.from({ length: 8_000 }, (_, place) => `Rule ${place}`).join('. ')
export const questions = Array.from({ length: 10 }, (_, nth) => `Please change number ${nth}.`)

/** The model reads, edits, and says what it did, in three requests. */
export const requestsOfSession = 3 * questions.length

export function resultOf(callId: string): string {
  return `line of ${callId}\n`.repeat(40)
}

export async function startCodingSession(vendor: CodingVendor): Promise<CodingSession> {
  const server = await startWireServer(vendor.format)
  onTestFinished(() => server.close())
  const running = await startTestService()
  const session: CodingSession = { server, running, read: 0, all: 0 }
  server.script(({ body }) => {
    const nth = server.requests.length - 1
    const { all, read, written } = vendor.count(body)
    session.read += read
    session.all += all
    const usage: UsageMeaning = {
      promptTokens: all,
      cachedTokens: read,
      cacheWriteTokens: written,
      completionTokens: 60,
      reasoningTokens: 0,
    }
    return { answer: answerOf({ ...answerFor(nth, vendor.toolName), usage }) }
  })
  const { dashboard } = running.service
  const baseUrl = `${server.origin}${vendor.path}`
  await dashboard.addProvider({ id: 'vendor', type: vendor.type, baseUrl, apiKey: 'sk-test' })
  const models = [`vendor:${vendor.model}`]
  const router = { name: 'Coding', strategy: 'cost_optimized' as const, models }
  await dashboard.updateRouter(running.routerId, router)
  return session
}

function answerFor(nth: number, toolName: string): Partial<AnswerMeaning> {
  const reasoning = ['Let me see.']
  if (nth % 3 === 2) return { reasoning, texts: [`Change ${nth} is done. `.repeat(10)] }
  const call = { id: `call_${nth}`, name: toolName, arguments: `{"input":"step ${nth}"}` }
  return { reasoning, toolCalls: [call] }
}

/** OpenAI's cache: the longest beginning that equals the prompt before, a quarter of a token per character. */
export function countPrefix(name: 'input' | 'messages'): CountPrompt {
  let before = ''
  return (body) => {
    const prompt = JSON.stringify((body as Record<string, unknown>)[name]).slice(0, -1)
    const read = before !== '' && prompt.startsWith(before) ? before.length : 0
    before = prompt
    return { all: Math.ceil(prompt.length / 4), read: Math.floor(read / 4), written: 0 }
  }
}

/** Anthropic's cache, with a request every 20 seconds. */
export function countMarked(): CountPrompt {
  let nowMs = 0
  const vendors = new FakePromptCache(1024, () => nowMs)
  return (body) => {
    nowMs += 20_000
    // The server has checked it against the SDK's types.
    const account = vendors.account(body as MessageCreateParamsBase)
    const written = account.written5m + account.written1h
    return { all: account.input + account.read + written, read: account.read, written }
  }
}

/** The prompts in Anthropic's form without marks. A later turn may add blocks to the last message, so its end is left out. */
export function unmarkedPrompts({ server }: CodingSession): string[] {
  return server.requests.map(({ body }) => {
    const { tools, system, messages } = body as MessageCreateParamsBase
    const withoutMarks = (key: string, value: unknown) =>
      key === 'cache_control' ? undefined : value
    return JSON.stringify([tools, system, ...messages], withoutMarks).slice(0, -3)
  })
}

/** @returns the places of prompts that do not begin with the one before */
export function unstable(prompts: readonly string[]): number[] {
  return prompts.flatMap((prompt, place) => {
    const before = prompts[place - 1] ?? ''
    return prompt.startsWith(before) ? [] : [place]
  })
}
