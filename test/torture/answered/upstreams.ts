/** Upstreams on real wires that answer as another model than the one that was asked, or honestly. */
import { accessKey, bedrockFormat } from '../../upstreams/bedrock/fake.ts'
import { anthropicFormat } from '../../upstreams/anthropic/fake.ts'
import { geminiFormat } from '../../upstreams/google/fake.ts'
import { answerOf, type FakeFormat, type RecordedRequest } from '../../upstreams/harness.ts'
import { ollamaFormat } from '../../upstreams/ollama/format.ts'
import { openAiFormat } from '../../upstreams/openai-chat/fake.ts'
import { responsesFormat } from '../../upstreams/openai-responses/fake.ts'
import { startWireServer, type WireServer } from '../../upstreams/wire-server.ts'
import { seeded } from '../../agents/random.ts'
import { seed } from '../share.ts'
import { countTokens, tokenizers, type Tokenizer } from './texts.ts'

export interface AnsweringWire {
  name: string
  type: string
  options?: Readonly<Record<string, string>>
  apiKey: string
  basePath: string
  format: FakeFormat
  tokenizer: Tokenizer
  /** The model that is asked, and its honest names in answers. */
  model: string
  names: readonly [string, ...string[]]
  /** A cheaper model of the same vendor. */
  cheaper: string
}

const apiKey = 'sk-answered-test-0001'
const ofOpenAi = { apiKey, basePath: '/v1', tokenizer: tokenizers.openai } as const

export const wires = {
  openAiChat: {
    ...ofOpenAi,
    name: 'openai-chat',
    type: 'openai-compatible',
    format: openAiFormat,
    model: 'gpt-5.4',
    names: ['gpt-5.4-2026-03-05', 'openai/gpt-5.4'],
    cheaper: 'gpt-5.4-mini',
  },
  responses: {
    ...ofOpenAi,
    name: 'openai-responses',
    type: 'openai',
    options: { api: 'responses' },
    format: responsesFormat,
    model: 'gpt-5.4',
    names: ['gpt-5.4', 'gpt-5.4-2026-03-05'],
    cheaper: 'gpt-4o-mini-2024-07-18',
  },
  anthropic: {
    name: 'anthropic',
    type: 'anthropic',
    apiKey: 'sk-ant-answered',
    basePath: '',
    format: anthropicFormat,
    tokenizer: tokenizers.anthropic,
    model: 'claude-sonnet-4-5',
    names: ['claude-sonnet-4-5-20250929'],
    cheaper: 'claude-haiku-4-5-20251001',
  },
  google: {
    name: 'google',
    type: 'google',
    apiKey: 'AIza-answered',
    basePath: '/v1beta',
    format: geminiFormat(() => null),
    tokenizer: tokenizers.google,
    model: 'gemini-2.5-pro',
    names: ['gemini-2.5-pro', 'models/gemini-2.5-pro'],
    cheaper: 'gemini-2.5-flash',
  },
  ollama: {
    name: 'ollama',
    type: 'ollama',
    apiKey: 'unused',
    basePath: '',
    format: ollamaFormat,
    tokenizer: tokenizers.llama,
    model: 'llama3.1:8b',
    names: ['llama3.1:8b'],
    cheaper: 'llama3.2:1b',
  },
  bedrock: {
    name: 'bedrock',
    type: 'bedrock',
    apiKey: accessKey,
    basePath: '',
    options: { region: 'eu-central-1' },
    format: bedrockFormat,
    tokenizer: tokenizers.anthropic,
    model: 'eu.anthropic.claude-sonnet-4-5-20250929-v1:0',
    names: [''],
    cheaper: '',
  },
} as const satisfies Record<string, AnsweringWire>

/** What an upstream does with one request; absent parts are honest. */
export interface Behaviour {
  named?: string
  /** Reported prompt tokens as a multiple of the true count, and tokens added to them. */
  factor?: number
  added?: number
  reasons?: boolean
}

/** @param behaviourOf  of the request with this number, from 0 */
export async function startAnsweringUpstream(
  wire: AnsweringWire,
  behaviourOf: (index: number) => Behaviour,
): Promise<WireServer> {
  const behaviours = new WeakMap<RecordedRequest, { index: number; behaviour: Behaviour }>()
  const nameFor = (request: RecordedRequest) => {
    const { index = 0, behaviour } = behaviours.get(request) ?? {}
    return behaviour?.named ?? wire.names[index % wire.names.length] ?? ''
  }
  const server = await startWireServer(naming(wire.format, nameFor))
  const chance = seeded(7)
  let count = 0
  server.script((request) => {
    const behaviour = behaviourOf(count)
    behaviours.set(request, { index: count, behaviour })
    count += 1
    const texts = wire.format
      .read(request)
      .items.flatMap((item) => (item.kind === 'text' ? [item.text] : []))
    const { factor = 1, added = 0, reasons = true } = behaviour
    const noise = 1 + (chance.next() - 0.5) * 0.04
    const truth = countTokens(texts.join('\n'), wire.tokenizer) * noise
    const reasoningTokens = reasons ? 120 + chance.below(300) : 0
    const usage = {
      promptTokens: Math.round(truth * factor + added),
      cachedTokens: 0,
      cacheWriteTokens: 0,
      completionTokens: 130 + reasoningTokens,
      reasoningTokens,
    }
    const reasoning = reasons ? ['First, ', 'I think.'] : []
    return { answer: answerOf({ texts: ['An ', 'answer'], reasoning, usage }) }
  })
  return server
}

/** The format with another model's name in its answers; Bedrock's have none. */
function naming(format: FakeFormat, nameFor: (request: RecordedRequest) => string): FakeFormat {
  const renamed = (bytes: string | Buffer, request: RecordedRequest) => {
    const name = nameFor(request)
    if (name === '') return bytes
    return String(bytes)
      .replaceAll(/"model":"[^"]*"/g, `"model":"${name}"`)
      .replaceAll(/"modelVersion":"[^"]*"/g, `"modelVersion":"${name}"`)
  }
  return {
    ...format,
    problems: () => [],
    whole(answer, request) {
      const reply = format.whole(answer, request)
      return { ...reply, body: renamed(reply.body, request) }
    },
    stream(answer, request) {
      const { headers, events } = format.stream(answer, request)
      return { headers, events: events.map((event) => Buffer.from(renamed(event, request))) }
    },
  }
}

const hourMs = 3_600_000
export const startMs = Date.UTC(2026, 10, 23, 12)
/** Requests are 20 minutes apart, so that 200 of them span almost three days. */
export const stepMs = hourMs / 3

const isNight = (index: number) => {
  const hour = new Date(startMs + index * stepMs).getUTCHours()
  return hour >= 22 || hour < 6
}

interface DishonestUpstream {
  what: string
  wire: AnsweringWire
  behaviourOf: (index: number) => Behaviour
  /** Fields of each request. */
  asks?: Readonly<Record<string, unknown>>
}

const { openAiChat, responses, anthropic, google, ollama } = wires
const always = (wire: AnsweringWire) => () => ({ named: wire.cheaper })
const every = (wire: AnsweringWire, share: number) => {
  const chance = seeded(seed * 1_000 + Math.round(100 * share))
  return () => (chance.isTrue(share) ? { named: wire.cheaper } : {})
}
const atNight = (behaviour: Behaviour) => (index: number) => (isNight(index) ? behaviour : {})
const high = { reasoning_effort: 'high' }

export const dishonest: readonly DishonestUpstream[] = [
  { what: 'substitutes', wire: openAiChat, behaviourOf: always(openAiChat) },
  { what: 'substitutes', wire: responses, behaviourOf: always(responses) },
  { what: 'substitutes', wire: anthropic, behaviourOf: always(anthropic) },
  { what: 'substitutes', wire: google, behaviourOf: always(google) },
  { what: 'substitutes', wire: ollama, behaviourOf: always(ollama) },
  { what: 'mixes in half', wire: openAiChat, behaviourOf: every(openAiChat, 0.5) },
  { what: 'mixes in 30 %', wire: responses, behaviourOf: every(responses, 0.3) },
  { what: 'mixes in 15 %', wire: anthropic, behaviourOf: every(anthropic, 0.15) },
  { what: 'mixes in 10 %', wire: google, behaviourOf: every(google, 0.1) },
  { what: 'mixes in 5 %', wire: openAiChat, behaviourOf: every(openAiChat, 0.05) },
  {
    what: 'is another at night',
    wire: openAiChat,
    behaviourOf: atNight({ named: 'gpt-5.4-nano' }),
  },
  {
    what: 'is another at night',
    wire: anthropic,
    behaviourOf: atNight({ named: anthropic.cheaper }),
  },
  {
    what: 'does not reason at night',
    wire: openAiChat,
    behaviourOf: atNight({ reasons: false }),
    asks: high,
  },
  { what: 'counts 1.5 times at night', wire: google, behaviourOf: atNight({ factor: 1.5 }) },
  {
    what: 'strips reasoning',
    wire: openAiChat,
    behaviourOf: () => ({ reasons: false }),
    asks: high,
  },
  {
    what: 'strips reasoning',
    wire: responses,
    behaviourOf: () => ({ reasons: false }),
    asks: high,
  },
  {
    what: 'strips log probabilities',
    wire: openAiChat,
    behaviourOf: () => ({}),
    asks: { logprobs: true },
  },
  { what: 'reports twice the tokens', wire: openAiChat, behaviourOf: () => ({ factor: 2.4 }) },
  {
    what: 'reports 1.4 times from its 60th answer',
    wire: anthropic,
    behaviourOf: (index) => (index < 60 ? {} : { factor: 1.4 }),
  },
  { what: 'adds 800 tokens', wire: responses, behaviourOf: () => ({ added: 800 }) },
]
