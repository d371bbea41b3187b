/**
 * Classifies an upstream's refusal: it concerns the request, the key, the account or one model. The status
 * usually decides. For a 403 the body decides, because providers use it for four things, and only a rejected
 * key may take the provider out of use. The bodies are from users' reports, seen 2026-11-21:
 * - OpenRouter: `{error: {code: 403, message, metadata: {reasons, flagged_input, …}}}`, a flagged prompt
 *   (openrouter.ai/docs/api/reference/errors-and-debugging)
 * - xAI: `{code: "permission-denied", error: "Content violates usage guidelines. Team: …, API key ID: …"}`
 *   (github.com/UKGovernmentBEIS/inspect_ai/pull/2267, github.com/Wei-Shaw/sub2api/pull/5359)
 * - OpenAI: `{error: {code: "model_not_found", message: "Project … does not have access to model …"}}`
 *   (github.com/Aider-AI/aider/issues/1903), `unsupported_country_region_territory`
 *   (github.com/home-assistant/core/issues/120072)
 * - Groq: `{error: {code: "model_permission_blocked_org" | "…_project"}}` (console.groq.com/docs/model-permissions)
 * OpenAI's `invalid_prompt` and DeepSeek's "Content Exists Risk" come with 400, which always concerns the
 * request.
 */
import { z } from 'zod'
import type { ProviderErrorKind } from '../../providers/provider.ts'
import type { Refusal } from '../../providers/wire.ts'
import { vendorError, type VendorError } from '../../providers/vendor-error.ts'
import { parseJsonOrNull } from '../../json-fields.ts'
import { isTooLong } from '../too-long.ts'
import { kindOfStatus, usualWords } from '../usual-refusal.ts'

/** @param text  the body or its beginning */
export function readRefusal(status: number, text: string): Refusal {
  const body = parseBody(text)
  const special = status === 403 ? readForbidden(body) : readBadOutput(body)
  if (special) return { ...special, upstreamMessage: null }
  const { codes, message, vendor } = body
  const kind = kindOf(status, body)
  const isForCaller = kind === 'request' && message !== ''
  return {
    kind,
    message: usualWords(kind, status, inBrackets(codes)),
    upstreamMessage: isForCaller ? message : null,
    vendor,
    isTooLong: kind === 'request' && isTooLong(codes.join(' '), message, vendor?.param),
  }
}

interface RefusalBody {
  message: string
  vendor: VendorError | null
  /** The error's code and type, if they are texts. */
  codes: readonly string[]
  /** OpenRouter marks a flagged prompt in a separate field. */
  isFlagged: boolean
}

const innerSchema = z.object({
  message: z.string().nullish(),
  code: z.unknown().optional(),
  type: z.unknown().optional(),
  param: z.unknown().optional(),
  metadata: z.object({ reasons: z.unknown(), flagged_input: z.unknown() }).partial().nullish(),
})
/** OpenAI's form, or xAI's, in which `error` is the message and `code` is next to it. */
const bodySchema = z.object({
  error: z.union([innerSchema, z.string()]),
  code: z.unknown().optional(),
})
const emptyBody: RefusalBody = { message: '', vendor: null, codes: [], isFlagged: false }

function parseBody(text: string): RefusalBody {
  const parsed = bodySchema.safeParse(parseJsonOrNull(text))
  if (!parsed.success) return emptyBody
  const { error, code: outerCode } = parsed.data
  const inner = typeof error === 'string' ? { message: error, code: outerCode } : error
  const { message, code, type, param, metadata }: z.infer<typeof innerSchema> = inner
  return {
    message: message ?? '',
    vendor: vendorError({ code, type, param }),
    codes: [code, type].filter((each) => typeof each === 'string'),
    isFlagged: metadata?.reasons !== undefined || metadata?.flagged_input !== undefined,
  }
}

const flaggedCodes = /content_policy_violation|content_filter|moderation|invalid_prompt/
/** Matches sentences about this prompt, but not "your account was flagged". */
const flaggedWords =
  /violates usage guidelines|requires moderation|content exists risk|\b(input|prompt|request|content) (was|has been|is) flagged/i

/** @returns null when a 403 has its usual meaning */
function readForbidden({
  message,
  codes,
  isFlagged,
}: RefusalBody): Omit<Refusal, 'upstreamMessage'> | null {
  const code = codes.join(' ')
  if (isFlagged || flaggedCodes.test(code) || flaggedWords.test(message)) {
    // The upstream's text is left out because it contains the team and the key's id, or quotes the prompt.
    return { kind: 'request', message: "the provider's moderation refused the content" }
  }
  if (/model_not_found|model_permission_blocked/.test(code)) {
    return { kind: 'unavailable', message: 'the account may not use this model' }
  }
  if (code.includes('unsupported_country_region_territory')) {
    return { kind: 'auth', message: 'the provider does not serve the country this computer is in' }
  }
  return null
}

/**
 * Groq's refusals of what its model wrote, with status 400 and the type of a wrong request: a call that is none
 * (pydantic/pydantic-ai#2774), or an answer that breaks the wanted JSON (console.groq.com/docs/structured-outputs). A
 * caller that repeats the request usually gets an answer.
 */
const badOutputCodes: ReadonlySet<unknown> = new Set(['tool_use_failed', 'json_validate_failed'])

export function isBadOutput(vendor: VendorError | null): boolean {
  return badOutputCodes.has(vendor?.code)
}

/** @returns null when the refusal is not about the model's output */
function readBadOutput({ vendor, codes }: RefusalBody): Omit<Refusal, 'upstreamMessage'> | null {
  if (!isBadOutput(vendor)) return null
  const message = `the model wrote what the provider could not read${inBrackets(codes)}`
  return { kind: 'unavailable', message, vendor, isBadOutput: true }
}

function kindOf(status: number, { codes }: RefusalBody): ProviderErrorKind {
  if (/insufficient_quota|billing|credit/.test(codes.join(' '))) return 'credit'
  return kindOfStatus(status)
}

/** Only text that looks like a code: anything else may be a sentence that quotes the prompt. */
const codePattern = /^[a-z][a-z0-9_.-]{0,63}$/i

function inBrackets(codes: readonly string[]): string {
  const named = [...new Set(codes.filter((code) => codePattern.test(code)))]
  return named.length === 0 ? '' : ` (${named.join(', ')})`
}
