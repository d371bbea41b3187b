/**
 * How each vendor bills what did not end well, in one table, and the form of its wire. The mock of `billing-upstream.ts`
 * bills by it.
 *
 * For all vendors alike:
 * - A request that never arrived whole, and an answer with an error status (401, 429, 500, 529), cost nothing. Google says
 *   so of 400 and 500 (ai.google.dev/gemini-api/docs/billing), Novita of 400 to 504 (novita.ai/docs/guides/llm-billing).
 * - A prompt that was read costs its tokens, also when the answer broke before its first byte: the model began (the same
 *   page of Novita on closed connections).
 * - Reasoning costs as much as output, shown or not. `n` answers cost n times the output and once the prompt. Tokens read
 *   from a cache, and written to it, have prices of their own (the price lists).
 * - Not known of any vendor: whether an answer that broke off with an error of the vendor is billed. The mock bills it when
 *   it had output, and bills nothing for an error that came instead of output.
 */
import { accessKey, bedrockFormat, frame } from '../../upstreams/bedrock/fake.ts'
import { anthropicFormat } from '../../upstreams/anthropic/fake.ts'
import { azureFormat } from '../../upstreams/azure/fake.ts'
import { geminiFormat } from '../../upstreams/google/fake.ts'
import type { FakeFormat } from '../../upstreams/harness.ts'
import { ollamaFormat } from '../../upstreams/ollama/format.ts'
import { openAiFormat } from '../../upstreams/openai-chat/fake.ts'
import { responsesFormat } from '../../upstreams/openai-responses/fake.ts'

/** What happens to an answer whose connection is closed: the model stops and bills what it made, or makes and bills all. */
export type OnLeave = 'stops' | 'finishes'

export interface Vendor {
  name: string
  /** Type of the provider in Modelport. */
  type: string
  options?: Readonly<Record<string, string>>
  apiKey: string
  /** Path after the mock's address and the vendor's name. */
  basePath: string
  /** Formats in the order in which they are asked for the route. */
  formats: readonly FakeFormat[]
  models: readonly [string, ...string[]]
  embeddingModel: string | null
  /** Costs nothing, whatever its models' prices are elsewhere. */
  isFree?: true
  /** Takes `n`. */
  hasChoices?: true
  /** Bills tokens written to a cache. */
  writesCache?: true
  onLeave: { stream: OnLeave; whole: OnLeave }
  /** The event of a stream with the usage of the whole answer; absent: each event has the counts so far. */
  usageEvent?: RegExp
  /** The event with the prompt's count before any output. */
  promptEvent?: RegExp
  /** An error of the vendor inside a stream, and bytes that are no event. */
  failure: Buffer
  garbage: Buffer
  /** Reason for `onLeave`, and where it is documented. */
  reason: string
  /** What no page says. */
  unknown: string
}

const cancellation = 'openrouter.ai/docs/api-reference/streaming, "Stream Cancellation"'
const stops = `${cancellation}: supported, processing and billing stop at once; an answer that is not streamed is made and billed to its end`
const finishes = `${cancellation}: not supported, the answer is made and billed to its end`
const stopsLate = 'how many tokens the model makes until it sees the closed connection'
const failed = { message: 'The server had an error', type: 'server_error', code: 'server_error' }
const eventOf = (value: object) => Buffer.from(`data: ${JSON.stringify(value)}\n\n`)
const noEvent = Buffer.from('data: {"choices":[{\n\n')
const openAiForm = {
  failure: eventOf({ error: failed }),
  garbage: noEvent,
  basePath: '/v1',
  apiKey: 'sk-billing-mock-0001',
  // A null in each event before.
  usageEvent: /"usage":\{/,
  onLeave: { stream: 'stops', whole: 'finishes' },
  reason: stops,
  unknown: stopsLate,
} as const

export const vendors: readonly Vendor[] = [
  {
    ...openAiForm,
    name: 'openai',
    type: 'openai',
    // A request in the form of the Responses API goes to that API of the same vendor.
    formats: [openAiFormat, responsesFormat],
    usageEvent: /"usage":\{|"type":"response\.(completed|incomplete)"/,
    models: ['gpt-4o-mini', 'gpt-4.1-nano', 'gpt-4.1-mini'],
    embeddingModel: 'text-embedding-3-small',
    hasChoices: true,
  },
  {
    ...openAiForm,
    name: 'responses',
    type: 'openai',
    options: { api: 'responses' },
    formats: [responsesFormat, openAiFormat],
    usageEvent: /"type":"response\.(completed|incomplete)"/,
    failure: eventOf({ ...failed, type: 'error' }),
    models: ['gpt-4.1', 'gpt-4o'],
    embeddingModel: null,
  },
  {
    ...openAiForm,
    name: 'mistral',
    type: 'mistral',
    formats: [openAiFormat],
    models: ['mistral-small-2603', 'ministral-8b-2512', 'mistral-large-2512'],
    embeddingModel: 'mistral-embed',
    onLeave: { stream: 'finishes', whole: 'finishes' },
    reason: finishes,
    unknown: 'nothing more',
  },
  {
    ...openAiForm,
    name: 'azure',
    type: 'azure',
    basePath: '/openai/v1',
    options: { 'model.chat': 'openai:gpt-4o-mini', 'model.more': 'openai:gpt-4.1-mini' },
    formats: [azureFormat],
    models: ['chat', 'more'],
    embeddingModel: null,
    hasChoices: true,
  },
  {
    name: 'anthropic',
    type: 'anthropic',
    apiKey: 'sk-ant-billing-mock',
    basePath: '',
    formats: [anthropicFormat],
    models: ['claude-haiku-4-5', 'claude-sonnet-4-5'],
    embeddingModel: null,
    writesCache: true,
    usageEvent: /"type":"message_delta"/,
    promptEvent: /"type":"message_start"/,
    failure: eventOf({ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }),
    garbage: noEvent,
    onLeave: { stream: 'stops', whole: 'finishes' },
    reason: stops,
    unknown: stopsLate,
  },
  {
    name: 'google',
    type: 'google',
    apiKey: 'AIza-billing-mock',
    basePath: '/v1beta',
    formats: [geminiFormat(() => null)],
    failure: eventOf({ error: { code: 500, message: 'An error', status: 'INTERNAL' } }),
    garbage: noEvent,
    models: ['gemini-2.5-flash', 'gemini-3.1-flash-lite'],
    embeddingModel: 'gemini-embedding-001',
    onLeave: { stream: 'finishes', whole: 'finishes' },
    reason: finishes,
    unknown: 'whether an answer that was closed early is counted in the caches of later prompts',
  },
  {
    name: 'bedrock',
    type: 'bedrock',
    apiKey: accessKey,
    basePath: '',
    options: { region: 'eu-central-1' },
    formats: [bedrockFormat],
    failure: frame('exception', 'internalServerException', { message: 'An error' }),
    garbage: Buffer.alloc(64, 'x'),
    models: ['amazon.nova-lite-v1:0', 'eu.anthropic.claude-haiku-4-5-20251001-v1:0'],
    embeddingModel: 'amazon.titan-embed-text-v2:0',
    usageEvent: /"totalTokens"/,
    onLeave: { stream: 'finishes', whole: 'finishes' },
    reason: finishes,
    unknown: 'whether that holds for every family of models there',
  },
  {
    name: 'ollama',
    type: 'ollama',
    apiKey: 'unused',
    basePath: '',
    formats: [ollamaFormat],
    failure: Buffer.from('{"error":"an error"}\n'),
    garbage: Buffer.from('{"message":\n'),
    models: ['llama3.2'],
    embeddingModel: null,
    isFree: true,
    usageEvent: /"done":true/,
    onLeave: { stream: 'stops', whole: 'stops' },
    reason: 'runs on this computer and costs nothing',
    unknown: 'nothing',
  },
]

/** @throws Error for a name that is not in the table */
export function vendorOf(name: string): Vendor {
  const vendor = vendors.find((one) => one.name === name)
  if (vendor === undefined) throw new Error(`there is no vendor ${name}`)
  return vendor
}
