/** An answer of the mock as the events of a vendor's stream, each with what it brings: tokens, and the vendor's counts. */
import type { AnswerMeaning, FakeFormat, RecordedRequest } from '../../upstreams/harness.ts'
import { answerOf } from '../../upstreams/harness.ts'
import { fieldsOf } from '../../upstreams/request-meaning.ts'
import { withLater } from './billed-later.ts'
import type { CallPlan } from './call-plan.ts'
import type { CallTokens } from './call-tokens.ts'
import type { Vendor } from './vendors.ts'

/** What a vendor reports of the tokens: the prompt's, and the answer's so far if it says them. */
export interface Report {
  outputTokens: number | null
}

export interface AnswerEvent {
  bytes: Buffer
  /** Tokens of the answer that this event shows. */
  tokens: number
  report: Report | null
}

const charactersPerToken = 4

/** Pieces of text that can be told apart, with four characters for each token. */
function piecesOf(mark: string, tokens: number, perPiece: number): string[] {
  return Array.from({ length: Math.ceil(tokens / perPiece) }, (_, index) => {
    const size = Math.min(perPiece, tokens - index * perPiece)
    const head = `${mark}${index.toString(36).padStart(2, '0')} `
    return head + 'word'.repeat(size - 1)
  })
}

export function meaningOfPlan(tokens: CallTokens, plan: CallPlan): AnswerMeaning {
  const { prompt, cached, written, choices, hidden, reasoning, text } = tokens
  return answerOf({
    texts: piecesOf('~', text, plan.tokensPerEvent),
    reasoning: piecesOf('^', reasoning, plan.tokensPerEvent),
    usage: {
      promptTokens: prompt,
      cachedTokens: cached,
      cacheWriteTokens: written,
      completionTokens: (hidden + reasoning + text) * choices,
      reasoningTokens: (hidden + reasoning) * choices,
    },
  })
}

export interface Spoken {
  vendor: Vendor
  format: FakeFormat
  request: RecordedRequest
  tokens: CallTokens
  plan: CallPlan
}

export function eventsOf({ vendor, format, request, tokens, plan }: Spoken): AnswerEvent[] {
  const { events } = format.stream(meaningOfPlan(tokens, plan), request)
  const total = (tokens.hidden + tokens.reasoning + tokens.text) * tokens.choices
  const seen = new Set<string>()
  let shown = 0
  const made = events.flatMap((plain): AnswerEvent[] => {
    const isUsage = vendor.usageEvent?.test(plain.toString('latin1')) === true
    const bytes = withLaterBytes(plain, request, { tokens, isEnd: isUsage })
    const text = bytes.toString('latin1')
    const pieces = text.match(/[~^][0-9a-z]{2} (word)*/g) ?? []
    const fresh = pieces.filter((piece) => !seen.has(piece))
    for (const piece of fresh) seen.add(piece)
    const own = fresh.reduce((sum, piece) => sum + piece.length / charactersPerToken, 0)
    shown += own * tokens.choices
    const running = vendor.usageEvent === undefined
    const early = vendor.promptEvent?.test(text) === true ? { outputTokens: null } : null
    if (isUsage && leavesUsageOut(plan, request)) return []
    if (!running)
      return copies(
        { bytes, tokens: own, report: isUsage ? { outputTokens: total } : early },
        tokens,
      )
    const outputTokens = tokens.hidden + shown
    return [
      { bytes: withCounts(text, outputTokens, tokens), tokens: own, report: { outputTokens } },
    ]
  })
  return made
}

/** OpenAI's form has the usage of a stream only on request; some servers leave it out all the same. */
function leavesUsageOut({ fault }: CallPlan, { body, path }: RecordedRequest): boolean {
  if (!path.includes('/chat/completions')) return false
  return (
    fault === 'without usage' ||
    fieldsOf(fieldsOf(body)['stream_options'])['include_usage'] !== true
  )
}

/** One event for each choice, as OpenAI streams `n` answers; others have one choice. */
function copies(event: AnswerEvent, { returned }: CallTokens): AnswerEvent[] {
  if (returned === 1) return [event]
  const text = event.bytes.toString()
  if (!text.includes('"index":0,"delta"')) return [event]
  return Array.from({ length: returned }, (_, index) => ({
    ...event,
    bytes: Buffer.from(text.replace('"index":0,"delta"', `"index":${index},"delta"`)),
  }))
}

/** Gemini counts the answer so far in each event. */
function withCounts(text: string, outputTokens: number, tokens: CallTokens): Buffer {
  const thoughts = Math.min(outputTokens, tokens.hidden + tokens.reasoning)
  return Buffer.from(
    text
      .replace(/"candidatesTokenCount":\d+/, `"candidatesTokenCount":${outputTokens - thoughts}`)
      .replace(/"thoughtsTokenCount":\d+/, `"thoughtsTokenCount":${thoughts}`)
      .replace(/"totalTokenCount":\d+/, `"totalTokenCount":${tokens.prompt + outputTokens}`),
  )
}

/** Bytes that are no text stay as they are. */
function withLaterBytes(plain: Buffer, ...more: Later): Buffer {
  const { searches, isInUs } = more[1].tokens
  return searches > 0 || isInUs ? Buffer.from(withLater(plain.toString(), ...more)) : plain
}

type Later = Parameters<typeof withLater> extends [string, ...infer Rest] ? Rest : never

/** The whole answer, with every choice that is sent. */
export function wholeText({ format, request, tokens, plan }: Spoken): string {
  const plain = String(format.whole(meaningOfPlan(tokens, plan), request).body)
  const text = withLater(plain, request, { tokens, isEnd: true })
  if (tokens.returned === 1 && plan.fault !== 'without usage') return text
  const answer = fieldsOf(JSON.parse(text))
  const { usage: _usage, usageMetadata: _metadata, ...rest } = answer
  const kept = plan.fault === 'without usage' ? rest : answer
  const [choice] = Array.isArray(answer['choices']) ? (answer['choices'] as unknown[]) : []
  if (choice === undefined) return JSON.stringify(kept)
  const choices = Array.from({ length: tokens.returned }, (_, index) => ({
    ...fieldsOf(choice),
    index,
  }))
  return JSON.stringify({ ...kept, choices })
}
