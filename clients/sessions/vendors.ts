/**
 * Three vendors with two accounts each: their forms, caches, refusals and bills. What one account's models thought, the
 * other's organisation does not take back.
 */
import { fieldsOf, listOf } from '../../src/service/json-fields.ts'
import type { RequestKind } from '../../src/shared/requests/session-step.ts'
import {
  chatRules,
  claudeRules,
  refusal,
  responsesRules,
  signing,
  type Rules,
} from '../../test/sessions/vendor-rules.ts'
import { anthropicFormat } from '../../test/upstreams/anthropic/fake.ts'
import type {
  AnswerMeaning,
  FakeFormat,
  RecordedRequest,
  UsageMeaning,
} from '../../test/upstreams/harness.ts'
import { openAiFormat } from '../../test/upstreams/openai-chat/fake.ts'
import { responsesFormat } from '../../test/upstreams/openai-responses/fake.ts'
import type { RequestMeaning } from '../../test/upstreams/request-meaning.ts'
import {
  startWireServer,
  type FakeScript,
  type WireServer,
} from '../../test/upstreams/wire-server.ts'
import type { Move, Play } from './moves.ts'
import { kindOf } from './moves.ts'
import { automaticCache, markedCache, type PromptCache } from './prompt-caches.ts'

export const vendorNames = ['anthropic', 'openai', 'mistral'] as const
export type VendorName = (typeof vendorNames)[number]

/** USD per million tokens on the vendor's own page, in November 2026; `above`: of the whole request over so many tokens. */
interface Price {
  input: number
  read: number
  written: number
  output: number
}

interface Account {
  /** As it is called in Modelport. */
  id: string
  model: string
  price: Price
  server: WireServer
}

interface Billed {
  account: string
  kind: RequestKind
  usage: UsageMeaning
  nanoUsd: number
  /** False for a stream that broke or stopped: its usage was not told to the end. */
  isWhole: boolean
}

export interface Vendor {
  name: VendorName
  accounts: readonly [Account, Account]
  /** What was refused, and why. */
  refused: string[]
  billed: Billed[]
  /** Bodies that were answered, or refused. */
  received: { account: string; kind: RequestKind; text: string }[]
  play: Play | null
  close(): Promise<void>
}

interface VendorKind {
  format: FakeFormat
  rules: Rules
  cache: () => PromptCache
  thinks: boolean
  /** Whether the accounts know each other's proofs. */
  sharesProofs: boolean
  models: readonly [model: string, price: Price][]
}

const kinds: Readonly<Record<VendorName, VendorKind>> = {
  anthropic: {
    format: anthropicFormat,
    rules: claudeRules,
    cache: () => markedCache(1_024),
    thinks: true,
    // The blocks of another account are left out without a word.
    sharesProofs: true,
    models: [
      ['claude-opus-5-5', { input: 4, read: 0.2, written: 5, output: 20 }],
      ['claude-sonnet-5-5', { input: 2, read: 0.1, written: 2.5, output: 10 }],
    ],
  },
  openai: {
    format: inNamespace(responsesFormat),
    rules: responsesRules,
    cache: () => automaticCache(true),
    thinks: true,
    sharesProofs: false,
    models: [
      ['gpt-6.1-sol', { input: 2, read: 0.1, written: 2.5, output: 10 }],
      ['gpt-6-luna', { input: 0.1, read: 0.01, written: 0.125, output: 0.5 }],
    ],
  },
  mistral: {
    format: openAiFormat,
    rules: (body, authorOf) => [...chatRules(body, authorOf), ...mistralRules(body)],
    cache: () => automaticCache(false),
    thinks: false,
    sharesProofs: false,
    models: [
      ['mistral-large-2512', { input: 0.5, read: 0.05, written: 0.5, output: 1.5 }],
      ['mistral-large-2512', { input: 0.5, read: 0.05, written: 0.5, output: 1.5 }],
    ],
  },
}

/** Fields of a message; others are refused. */
const messageFields = new Set(['role', 'content', 'name', 'prefix', 'tool_calls', 'tool_call_id'])

function mistralRules(body: Parameters<Rules>[0]): string[] {
  return listOf(body['messages']).flatMap((message) =>
    Object.keys(fieldsOf(message)).flatMap((name) =>
      messageFields.has(name) ? [] : [`extra fields are not permitted: ${name}`],
    ),
  )
}

export async function startVendor(name: VendorName): Promise<Vendor> {
  const kind = kinds[name]
  const shared = new Map<unknown, string>()
  const vendor: Omit<Vendor, 'accounts' | 'close'> = {
    name,
    refused: [],
    billed: [],
    received: [],
    play: null,
  }
  const [first, second] = kind.models
  if (first === undefined || second === undefined) throw new Error(`${name} has no two models`)
  const start = async ([model, price]: typeof first, place: number): Promise<Account> => {
    const authors = kind.sharesProofs ? shared : new Map<unknown, string>()
    const server = await startWireServer(signing(kind.format, authors))
    const account: Account = { id: place === 0 ? name : `${name}-2`, model, price, server }
    const cache = kind.cache()
    const state = { kind, account, cache, authors, isFirst: place === 0 }
    server.script((request) => answerTo(vendor, state, request))
    return account
  }
  const accounts = [await start(first, 0), await start(second, 1)] as const
  const close = async () => {
    await Promise.all(accounts.map(({ server }) => server.close()))
  }
  return Object.assign(vendor, { accounts, close })
}

interface AccountState {
  kind: VendorKind
  account: Account
  cache: PromptCache
  authors: ReadonlyMap<unknown, string>
  isFirst: boolean
}

const thought = ['I think ', 'of the note.']

/** Events before a stream breaks: enough for each form to have sent some text. */
const eventsBeforeBreak = 6

function answerTo(
  vendor: Omit<Vendor, 'accounts' | 'close'>,
  state: AccountState,
  request: RecordedRequest,
): FakeScript {
  const { kind, account, cache, authors, isFirst } = state
  const { play } = vendor
  if (play === null) return 'hang'
  const body = fieldsOf(request.body)
  const meaning = withNamespaces(kind.format.read(request), body)
  const asked = kindOf(meaning)
  vendor.received.push({ account: account.id, kind: asked, text: request.text })
  const problems = kind.rules(body, (proof) => authors.get(proof))
  if (problems.length > 0) {
    vendor.refused.push(`${account.id}, ${asked}: ${problems.join('; ')}`)
    return { reply: refusal(problems.join('; ')) }
  }
  const move = play.next(asked, meaning, isFirst)
  if (move === 'busy' || move === 'limited') return { reply: limited(kind.format) }
  const made = asked === 'title' ? title(meaning.format !== null) : play.answer(move, meaning)
  const isWhole = !isCut(move)
  const usage = { ...cache.account(body), ...outputTokens(made, kind, isWhole) }
  const told: AnswerMeaning = { ...made, usage, reasoning: kind.thinks ? thought : [] }
  vendor.billed.push({
    account: account.id,
    kind: asked,
    usage,
    nanoUsd: billOf(account.price, usage),
    isWhole,
  })
  if (isWhole) return { answer: told }
  return {
    answer: told,
    break: { afterEvents: eventsBeforeBreak, how: move === 'broken' ? 'reset' : 'hang' },
  }
}

function isCut(move: Move): boolean {
  return move === 'broken' || move === 'silent'
}

function limited({ rateLimited }: FakeFormat) {
  return { ...rateLimited, headers: { ...rateLimited.headers, 'retry-after': '1' } }
}

function title(wantsJson: boolean): AnswerMeaning {
  const texts = [wantsJson ? JSON.stringify({ title: 'The note' }) : 'The note']
  return { texts, reasoning: [], toolCalls: [], stop: null, usage: noUsage }
}

const noUsage: UsageMeaning = {
  promptTokens: 0,
  cachedTokens: 0,
  cacheWriteTokens: 0,
  completionTokens: 0,
  reasoningTokens: 0,
}

/** Of a stream that was cut, what had been sent. */
function outputTokens(
  { texts, toolCalls }: AnswerMeaning,
  { thinks }: VendorKind,
  isWhole: boolean,
) {
  const reasoningTokens = thinks ? Math.ceil(thought.join('').length / 4) : 0
  const calls = toolCalls.map((call) => call.arguments)
  const sent = isWhole ? [...texts, ...calls] : thinks ? [] : texts
  return {
    completionTokens: Math.ceil(sent.join('').length / 4) + reasoningTokens,
    reasoningTokens,
  }
}

/** The tools that Codex offers in namespaces, by the names under which other vendors get them. */
function withNamespaces(
  meaning: RequestMeaning,
  body: Readonly<Record<string, unknown>>,
): RequestMeaning {
  const inside = listOf(body['tools'])
    .map(fieldsOf)
    .flatMap(({ type, name, tools }) =>
      type === 'namespace'
        ? listOf(tools).map((tool) => `${String(name)}__${String(fieldsOf(tool)['name'])}`)
        : [],
    )
  const named = inside.map((name) => ({ name, description: null, parameters: null }))
  return { ...meaning, tools: [...meaning.tools, ...named] }
}

/** A call of such a tool, as OpenAI answers it. */
function inNamespace(format: FakeFormat): FakeFormat {
  const renamed = (text: string) =>
    text.replaceAll(/"name":"(multi_agent_v1)__(\w+)"/g, '"name":"$2","namespace":"$1"')
  return {
    ...format,
    whole(answer, request) {
      const reply = format.whole(answer, request)
      return { ...reply, body: renamed(reply.body.toString()) }
    },
    stream(answer, request) {
      const { headers, events } = format.stream(answer, request)
      return { headers, events: events.map((bytes) => Buffer.from(renamed(bytes.toString()))) }
    },
  }
}

/** Prices are whole picodollars a token; the vendor rounds once, at the end. */
function billOf(price: Price, usage: UsageMeaning): number {
  const { promptTokens, cachedTokens, cacheWriteTokens, completionTokens } = usage
  const picoUsd = (usd: number, tokens: number) => Math.round(usd * 1e6) * tokens
  const sum =
    picoUsd(price.input, promptTokens - cachedTokens - cacheWriteTokens) +
    picoUsd(price.read, cachedTokens) +
    picoUsd(price.written, cacheWriteTokens) +
    picoUsd(price.output, completionTokens)
  return Math.round(sum / 1_000)
}
