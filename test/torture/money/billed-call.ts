/** One request to a vendor: what it asks for, what the mock will do with it, and what was sent by when. */
import type { Socket } from 'node:net'
import type { FakeFormat, RecordedRequest } from '../../upstreams/harness.ts'
import { fieldsOf } from '../../upstreams/request-meaning.ts'
import type { Report } from './answer-events.ts'
import { planCall, type CallPlan, type Weather } from './call-plan.ts'
import { isInUs, namedTokens, searchesOf } from './billed-later.ts'
import { noTokens, type CallTokens } from './call-tokens.ts'
import { embeddingTexts } from './embedding-replies.ts'
import type { Vendor } from './vendors.ts'

export interface BilledCall {
  vendor: Vendor
  /** Model as the vendor names it. */
  model: string
  /** Mark of the caller's request; it is in its prompt. */
  mark: string
  plan: CallPlan
  tokens: CallTokens
  form: 'stream' | 'whole' | 'embeddings'
  socket: Socket
  /** What the other side could read, and when. */
  sent: { tokens: number; report: Report | null; tick: number }[]
  /** How it ended at the vendor; null while it is running. */
  end: CallEnd | null
  startedMs: number
  endedMs: number
}

/** `unread`: the request was never read. `failed`: the vendor said so in its stream. `left`: the other side closed. */
export type CallEnd = 'answered' | 'refused' | 'unread' | 'broke' | 'failed' | 'left'

export interface ReceivedCall {
  vendor: Vendor
  request: RecordedRequest
  /** Null for embeddings. */
  format: FakeFormat | null
  socket: Socket
  weather: Weather
}

/** @param nthOf  how often the caller's request was sent there, with this time */
export function newCall(received: ReceivedCall, nthOf: (name: string) => number): BilledCall {
  const { vendor, request, format, socket, weather } = received
  const { texts, model, tokensFor } = format === null ? vectors(received) : chat(received, format)
  const [, mark = ''] = /\[([\d.a]+)\]/.exec(texts.join('\n')) ?? []
  const name = `${vendor.name}:${model}`
  const plan = planCall(weather, { mark, model: name, nth: nthOf(`${mark} ${name}`) })
  const route = format?.route(request)
  return {
    vendor,
    model,
    mark,
    plan,
    tokens: tokensFor(plan),
    form: format === null ? 'embeddings' : route === 'stream' ? 'stream' : 'whole',
    socket,
    sent: [],
    end: null,
    startedMs: performance.now(),
    endedMs: NaN,
  }
}

interface CallContents {
  texts: readonly string[]
  model: string
  tokensFor(plan: CallPlan): CallTokens
}

function chat({ vendor, request }: ReceivedCall, format: FakeFormat): CallContents {
  const { items, maxTokens, cacheMarks, model } = format.read(request)
  const texts = items.flatMap((item) => (item.kind === 'text' ? [item.text] : []))
  const { n, best_of: bestOf } = fieldsOf(request.body)
  const returned = vendor.hasChoices === true ? Number(n ?? 1) : 1
  const choices = vendor.hasChoices === true ? Math.max(returned, Number(bestOf ?? 1)) : 1
  const named = namedTokens(request)
  const prompt = texts.reduce((sum, text) => sum + tokensIn(text) + tokensOfFrame, named)
  const writes = vendor.writesCache === true && cacheMarks > 0
  const reads = vendor.writesCache !== true || writes
  const tokensFor = (plan: CallPlan) => {
    const cached = reads ? Math.floor(prompt * plan.cachedShare) : 0
    const written = writes ? Math.floor((prompt - cached) * plan.writtenShare) : 0
    return {
      prompt,
      named,
      cached,
      written,
      choices,
      returned,
      ...searchesOf(request, prompt, plan),
      isInUs: isInUs(request),
      ...limited(plan, maxTokens ?? usualLimit),
    }
  }
  return { texts, model, tokensFor }
}

function vectors({ vendor, request }: ReceivedCall): CallContents {
  const texts = embeddingTexts(request) ?? []
  const model = vendor.embeddingModel ?? ''
  const prompt = texts.reduce((sum, text) => sum + tokensIn(text), 0)
  return { texts, model, tokensFor: () => ({ ...noTokens, prompt }) }
}

const usualLimit = 4_096
const tokensOfFrame = 3

/** OpenAI's rule of thumb for English. */
function tokensIn(text: string): number {
  return Math.ceil(text.length / 4)
}

/** The answer within the limit of the request, in the order in which it is made. */
function limited(plan: CallPlan, limit: number): Pick<CallTokens, 'hidden' | 'reasoning' | 'text'> {
  const hidden = Math.min(plan.hidden, limit)
  const reasoning = Math.min(plan.reasoning, limit - hidden)
  return { hidden, reasoning, text: Math.min(plan.text, limit - hidden - reasoning) }
}
