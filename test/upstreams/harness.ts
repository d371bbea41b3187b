/**
 * What a wire gives to the suite that all wires pass (`describe-provider.ts`).
 *
 * To add a wire:
 * 1. `test/upstreams/<name>/fake.ts`: a `FakeFormat`, functions without state. They write answers in the vendor's
 *    form, and read requests back to their meaning. `wire-server.ts` does the sockets, faults and recording.
 * 2. `test/upstreams/<name>.test.ts`: `describeProvider('<name>', harness)`.
 * 3. Requests are checked with `sdkSchema` (`sdk-schema.ts`), which turns a type of the vendor's SDK into a JSON
 *    schema. Answers are checked by the SDK itself: `harness.sdk` points it at the fake.
 * 4. A feature that the wire does not carry as it is stands in `differs`: a `need` must be refused or be in
 *    `Wire.lacks`, and `left_out` must be named by `Provider.leftOut`. The suite checks both.
 */
import type { IncomingHttpHeaders } from 'node:http'
import type { FinishReason } from '../../src/shared/chat/chat.ts'
import type { Provider, ProviderErrorKind } from '../../src/service/providers/provider.ts'
import { presets } from '../../src/service/provider-types/presets.ts'
import type { HttpConnection, Wire } from '../../src/service/providers/wire.ts'
import type { WireName } from '../../src/service/families/upstreams.ts'
import type { Feature } from './features.ts'
import type { RequestMeaning } from './request-meaning.ts'

export interface WireHarness {
  wire: Wire
  /** Provider types of this wire, each checked with one answer. */
  presets: readonly string[]
  /** The path of the base URL, such as `/v1`. */
  basePath: string
  options?: Readonly<Record<string, string>>
  /** A model's name that the wire treats as an able one; `some/model:1` by default. */
  model?: string
  /** A key that the fake takes; `testKey` by default. */
  apiKey?: () => string
  /** Creates the adapter in another way than `wire.create`. */
  create?: (connection: HttpConnection) => Provider
  format: FakeFormat
  differs: Readonly<Partial<Record<Feature, Difference>>>
  /**
   * Applied to both sides of a comparison, for what the vendor's form cannot tell apart, such as the place of
   * a system prompt.
   */
  normalize?: (meaning: RequestMeaning) => RequestMeaning
  /** Reasoning of earlier answers that the wire sends back to the vendor. */
  reasoning?: ReasoningMemory
  /** Counts that the vendor does not report. */
  unreported: readonly (keyof UsageMeaning)[]
  /** The vendor's stop reasons, each with the inner one. Include an unknown one. */
  stops: readonly (readonly [vendor: string, inner: FinishReason])[]
  /** Error bodies as the vendor's documentation has them. */
  errors: readonly DocumentedError[]
  /** Forms of waiting times besides the headers that the suite tries on every wire. */
  retryAfter: readonly { name: string; reply: FakeReply; retryAfterMs: number | null }[]
  /** Errors that arrive inside a stream, after its first event. */
  streamErrors: readonly { name: string; event: Buffer; kind: ProviderErrorKind }[]
  /** How many of a stream's last events may be missing without a loss; 0 if the last one ends the answer. */
  optionalEvents: number
  /** Whether no other harness has the same way of cutting bytes into events. */
  hasOwnReader?: true
  /** The official SDK, pointed at the fake. */
  sdk: SdkClient
}

/**
 * How a feature differs from the inner form. `need`: the request is never sent. `left_out`: it is sent without
 * the feature, and reported. A function gives the expected meaning.
 */
export type Difference = 'need' | 'left_out' | ((sent: RequestMeaning) => RequestMeaning)

export interface ReasoningMemory {
  /** Format of the vendor's own items in `reasoning_details`. */
  format: string
  types: readonly [ReasoningType, ...ReasoningType[]]
}

type ReasoningType = 'reasoning.text' | 'reasoning.encrypted'

/** Reads and writes one vendor's form. */
export interface FakeFormat {
  /** What the request asks for; null answers 404. */
  route(request: RecordedRequest): 'whole' | 'stream' | 'models' | null
  /** What the vendor would refuse: violations of its types, a missing header or key. */
  problems(request: RecordedRequest): readonly string[]
  read(request: RecordedRequest): RequestMeaning
  whole(answer: AnswerMeaning, request: RecordedRequest): FakeReply
  stream(answer: AnswerMeaning, request: RecordedRequest): FakeStream
  /** One page of the models, as the request asks for it. */
  models(names: readonly string[], request: RecordedRequest): FakeReply
  /** The body of a 429 without a waiting time. */
  rateLimited: FakeReply
}

export interface RecordedRequest {
  method: string
  /** Path with the query. */
  path: string
  headers: IncomingHttpHeaders
  /** Parsed JSON; null without a body. */
  body: unknown
  text: string
  /** Resolves when the client closed the connection before the answer was complete. */
  aborted: Promise<void>
}

export interface FakeReply {
  status: number
  headers: Readonly<Record<string, string>>
  body: string | Buffer
}

export interface FakeStream {
  headers: Readonly<Record<string, string>>
  /** The bytes of each event, with the one that ends the stream. */
  events: readonly Buffer[]
}

/** An answer without any vendor's words. */
export interface AnswerMeaning {
  /** Streamed as these pieces. */
  texts: readonly string[]
  /** Reasoning that is shown, in pieces. */
  reasoning: readonly string[]
  toolCalls: readonly ToolCallMeaning[]
  /** The vendor's own stop reason; null for the usual one of this answer. */
  stop: string | null
  usage: UsageMeaning
}

export interface ToolCallMeaning {
  id: string
  name: string
  /** JSON text. */
  arguments: string
}

/** Tokens as the inner form counts them: details are parts of the two main counts. */
export interface UsageMeaning {
  promptTokens: number
  cachedTokens: number
  cacheWriteTokens: number
  completionTokens: number
  reasoningTokens: number
}

export interface DocumentedError {
  name: string
  /** The page that documents it. */
  source: string
  reply: FakeReply
  kind: ProviderErrorKind
}

export interface SdkClient {
  /** @param url  the base URL with the path */
  whole(url: string): Promise<SdkReading>
  streamed(url: string): Promise<SdkReading>
}

/** What the official SDK makes of an answer. */
export interface SdkReading {
  text: string
  /** Calls with parsed arguments. */
  toolCalls: readonly { name: string; input: unknown }[]
}

export const defaultUsage: UsageMeaning = {
  promptTokens: 120,
  cachedTokens: 0,
  cacheWriteTokens: 0,
  completionTokens: 20,
  reasoningTokens: 0,
}

/** The provider types of a wire. */
export function presetsOf(...wires: readonly WireName[]): string[] {
  return presets.flatMap(({ type, wire }) => (wire !== null && wires.includes(wire) ? [type] : []))
}

/** An answer with these parts and nothing else. */
export function answerOf(given: Partial<AnswerMeaning>): AnswerMeaning {
  return { texts: [], reasoning: [], toolCalls: [], stop: null, usage: defaultUsage, ...given }
}

export function jsonReply(
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): FakeReply {
  return {
    status,
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  }
}
