/** Reads answers through an adapter, as the service does. */
import type { ChatRequest } from '../../src/shared/chat/chat.ts'
import { wholeAnswer } from '../../src/service/chat/answer/collect.ts'
import { Outbound } from '../../src/service/providers/outbound.ts'
import {
  joinChunks,
  type Provider,
  type ProviderChunk,
} from '../../src/service/providers/provider.ts'
import type { AnswerMeaning, UsageMeaning, WireHarness } from './harness.ts'
import type { WireServer } from './wire-server.ts'

export interface StartedWire {
  server: WireServer
  provider: Provider
  /** The name of the model in each request. */
  model: string
}

/** Looks like a key, so that a leak into an error shows. */
export const testKey = 'sk-secret-of-the-test-0123456789'

const outbound = new Outbound({
  use: null,
  proxyChoice: () => ({ setting: 'direct', env: {} }),
  extraRoots: async () => [],
})

/** The caller closes it. */
export function createAdapter(
  {
    wire,
    create,
    basePath,
    options = {},
    apiKey = () => testKey,
  }: Pick<WireHarness, 'wire' | 'create' | 'basePath' | 'options' | 'apiKey'>,
  origin: string,
): Provider {
  const connection = {
    baseUrl: `${origin}${basePath}`,
    apiKey,
    privateNetwork: false,
    options,
    now: () => Date.now(),
    connector: (connectMs: number) =>
      outbound.connector({ id: 'providers', privateNetwork: false, connectMs }),
  }
  return create ? create(connection) : wire.create(connection)
}

/** An answer in the inner form. */
export interface AnswerReading {
  text: string
  reasoning: string
  toolCalls: { id: string; name: string; arguments: string }[]
  finishReason: string
  usage: UsageMeaning | null
}

interface ReadOptions {
  body?: ChatRequest
  signal?: AbortSignal
}

const hello: ChatRequest = { messages: [{ role: 'user', content: 'Hello' }] }

/** @throws ProviderError, also when the answer broke off */
export async function readWhole(
  { provider, model }: Pick<StartedWire, 'provider' | 'model'>,
  { body = hello, signal = new AbortController().signal }: ReadOptions = {},
): Promise<AnswerReading> {
  return readingOf(await provider.complete({ model, body }, signal))
}

/** @throws as `readWhole` */
export async function readStreamed(
  { provider, model }: Pick<StartedWire, 'provider' | 'model'>,
  { body = hello, signal = new AbortController().signal }: ReadOptions = {},
): Promise<AnswerReading> {
  return readingOf(await joinChunks(provider.stream({ model, body }, signal)))
}

export function readingOf(chunk: ProviderChunk): AnswerReading {
  const { choices, usage } = wholeAnswer(chunk)
  const [choice] = choices
  if (choice === undefined) throw new Error('the answer has no choice')
  const { content, reasoning, reasoning_content, tool_calls = [] } = choice.message
  if (content !== null && typeof content !== 'string') throw new Error('the content is a list')
  return {
    text: content ?? '',
    reasoning: reasoning_content ?? reasoning ?? '',
    toolCalls: tool_calls.map(({ id, function: called }) => ({
      id,
      name: called?.name ?? '',
      arguments: called?.arguments ?? '',
    })),
    finishReason: choice.finish_reason,
    usage: usage && {
      promptTokens: usage.prompt_tokens,
      cachedTokens: usage.prompt_tokens_details?.cached_tokens ?? 0,
      cacheWriteTokens: usage.prompt_tokens_details?.cache_write_tokens ?? 0,
      completionTokens: usage.completion_tokens,
      reasoningTokens: usage.completion_tokens_details?.reasoning_tokens ?? 0,
    },
  }
}

/** What an adapter should read from an answer. */
export function readingOfMeaning(
  answer: AnswerMeaning,
  harness: Pick<WireHarness, 'unreported'>,
): AnswerReading {
  return {
    text: answer.texts.join(''),
    reasoning: answer.reasoning.join(''),
    toolCalls: answer.toolCalls.map((call) => ({ ...call })),
    finishReason: answer.toolCalls.length > 0 ? 'tool_calls' : 'stop',
    usage: reportedUsage(answer.usage, harness),
  }
}

/** Usage without the counts that the vendor does not report. */
export function reportedUsage(
  usage: UsageMeaning,
  { unreported }: Pick<WireHarness, 'unreported'>,
): UsageMeaning {
  const missing = unreported.map((name) => [name, 0] as const)
  return { ...usage, ...Object.fromEntries(missing) }
}
