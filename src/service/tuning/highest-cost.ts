/**
 * The highest possible cost of a request. It is reserved before the request is sent, so it must never be too low:
 *
 * - Prompt: a tokenizer makes at most one token of each byte. Normalization can lengthen a text, so the longer form
 *   counts. A provider's chat format adds tokens for each message and may add instructions of its own.
 * - Answer: the limit that the request sends, reasoning included.
 * - Price: of all tiers, the most expensive one, for cached tokens too.
 */
import type { ChatRequest } from '../../shared/chat/chat.ts'
import { contentText } from '../../shared/chat/chat.ts'
import type { PriceRow } from '../../shared/models/price.ts'
import { costNanoUsd } from '../catalog/cost.ts'
import type { Candidate } from '../routing/candidate.ts'

const tokensOfMessage = 64
const tokensOfInstructions = 512

/** The most tokens that any tokenizer makes of a text. */
export function mostTokens(text: string): number {
  return Math.max(Buffer.byteLength(text), Buffer.byteLength(text.normalize('NFKC')))
}

export function mostPromptTokens({ messages, tools, response_format }: ChatRequest): number {
  const tokens = messages.map(
    ({ role: _role, content, ...calls }) =>
      tokensOfMessage + mostTokens(contentText(content)) + mostOfJson(calls),
  )
  const ofTools = (tools ?? []).map((tool) => tokensOfMessage + mostOfJson(tool))
  return [...tokens, ...ofTools].reduce(
    (sum, count) => sum + count,
    tokensOfInstructions + mostOfJson(response_format ?? {}),
  )
}

/** Of calls, tools and schemas. */
function mostOfJson(value: object): number {
  return Object.keys(value).length === 0 ? 0 : mostTokens(JSON.stringify(value))
}

/** @param body  with its answer limited by `max_tokens` */
export function highestCostNanoUsd(candidate: Pick<Candidate, 'price'>, body: ChatRequest): number {
  const outputTokens = body.max_tokens
  if (!outputTokens) throw new RangeError('a request of a tuning run limits its answer')
  return highestOf(candidate, mostPromptTokens(body), outputTokens)
}

/** @param promptTokens  at most */
export function highestOf(
  { price }: Pick<Candidate, 'price'>,
  promptTokens: number,
  outputTokens: number,
): number {
  const costs = [price, ...(price.tiers ?? [])].map((row) =>
    costNanoUsd(dearestInput(row), {
      inputTokens: promptTokens,
      cacheReadTokens: 0,
      cacheWriteTokens: 0,
      outputTokens,
    }),
  )
  return Math.max(...costs)
}

function dearestInput(row: PriceRow): PriceRow {
  const { inputUsdPerMtok, cacheReadUsdPerMtok, cacheWriteUsdPerMtok, cacheWrite1hUsdPerMtok } = row
  const cacheUsdPerMtok = [cacheReadUsdPerMtok, cacheWriteUsdPerMtok, cacheWrite1hUsdPerMtok]
  return {
    inputUsdPerMtok: Math.max(inputUsdPerMtok, ...cacheUsdPerMtok.map((price) => price ?? 0)),
    outputUsdPerMtok: row.outputUsdPerMtok,
  }
}
