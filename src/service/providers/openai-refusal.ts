/**
 * What an upstream's refusal is about: the request, the key, the account or one model. The status says
 * most of it. A 403 is read further, because providers use it for four things, and only a rejected key
 * may take the provider out. The bodies are those that users reported, seen 2026-11-21:
 * - OpenRouter: `{error: {code: 403, message, metadata: {reasons, flagged_input, …}}}`, a flagged prompt
 *   (openrouter.ai/docs/api/reference/errors-and-debugging)
 * - xAI: `{code: "permission-denied", error: "Content violates usage guidelines. Team: …, API key ID: …"}`
 *   (github.com/UKGovernmentBEIS/inspect_ai/pull/2267, github.com/Wei-Shaw/sub2api/pull/5359)
 * - OpenAI: `{error: {code: "model_not_found", message: "Project … does not have access to model …"}}`
 *   (github.com/Aider-AI/aider/issues/1903), `unsupported_country_region_territory`
 *   (github.com/home-assistant/core/issues/120072)
 * - Groq: `{error: {code: "model_permission_blocked_org" | "…_project"}}` (console.groq.com/docs/model-permissions)
 * OpenAI's `invalid_prompt` and DeepSeek's "Content Exists Risk" come with 400, which is about the
 * request anyway.
 */
import { z } from 'zod'
import type { ProviderErrorKind } from './provider.ts'

export interface Refusal {
  kind: ProviderErrorKind
  /** For a person; null where the upstream's own words, scrubbed, are to be shown. */
  words: string | null
  /** The upstream's own words, as they came: they may echo the key. */
  message: string
}

/** @param text  the body, or the beginning of it */
export function readRefusal(status: number, text: string): Refusal {
  const said = parseBody(text)
  const special = (status === 403 && forbiddenFor(said)) || null
  const kind = special?.kind ?? kindOf(status, said)
  return { kind, words: special?.words ?? wordsFor(kind, status, said), message: said.message }
}

interface Said {
  message: string
  /** Every code and type in one line. */
  code: string
  /** OpenRouter says so in a field of its own. */
  isFlagged: boolean
}

const innerSchema = z.object({
  message: z.string().nullish(),
  code: z.unknown().optional(),
  type: z.unknown().optional(),
  metadata: z.object({ reasons: z.unknown(), flagged_input: z.unknown() }).partial().nullish(),
})
/** OpenAI's form, and xAI's, in which `error` is the message and the code stands beside it. */
const bodySchema = z.object({
  error: z.union([innerSchema, z.string()]),
  code: z.unknown().optional(),
})
const nothingSaid: Said = { message: '', code: '', isFlagged: false }

function parseBody(text: string): Said {
  const parsed = bodySchema.safeParse(parseJson(text))
  if (!parsed.success) return nothingSaid
  const { error, code: outerCode } = parsed.data
  const inner = typeof error === 'string' ? { message: error, code: outerCode } : error
  const { message, code, type, metadata }: z.infer<typeof innerSchema> = inner
  return {
    message: message ?? '',
    code: [code, type].filter((word) => typeof word === 'string').join(' '),
    isFlagged: metadata?.reasons !== undefined || metadata?.flagged_input !== undefined,
  }
}

/** An HTML page or an empty body tells no more than its status does. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}

const flaggedCodes = /content_policy_violation|content_filter|moderation|invalid_prompt/
/** About this prompt; "your account was flagged" is not. */
const flaggedWords =
  /violates usage guidelines|requires moderation|content exists risk|\b(input|prompt|request|content) (was|has been|is) flagged/i

function forbiddenFor({ message, code, isFlagged }: Said): Pick<Refusal, 'kind' | 'words'> | null {
  if (isFlagged || flaggedCodes.test(code) || flaggedWords.test(message)) {
    // Not the upstream's words: they name the team and the key's id, or quote the prompt.
    return { kind: 'request', words: "the provider's moderation refused the content" }
  }
  if (/model_not_found|model_permission_blocked/.test(code)) {
    return { kind: 'unavailable', words: 'the account may not use this model' }
  }
  if (code.includes('unsupported_country_region_territory')) {
    return { kind: 'auth', words: 'the provider does not serve the country this computer is in' }
  }
  return null
}

function kindOf(status: number, { code }: Said): ProviderErrorKind {
  if (/insufficient_quota|billing|credit/.test(code)) return 'credit'
  switch (status) {
    case 400:
    case 413:
    case 422:
      return 'request'
    case 401:
    case 403:
      return 'auth'
    case 402:
      return 'credit'
    case 408:
      return 'timeout'
    case 429:
      return 'rate_limit'
    default:
      return status >= 300 && status < 400 ? 'invalid_response' : 'unavailable'
  }
}

function wordsFor(kind: ProviderErrorKind, status: number, { message }: Said): string | null {
  switch (kind) {
    case 'request':
      return message === '' ? 'the provider refused the request' : null
    case 'auth':
      return 'the provider rejected the key'
    case 'credit':
      return 'the account is out of credit'
    case 'rate_limit':
      return 'the provider limits the rate of requests'
    case 'timeout':
      return 'the provider did not answer in time'
    default:
      return `the provider answered with status ${status}`
  }
}
