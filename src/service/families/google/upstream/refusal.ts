/**
 * Classifies a refusal of Google: it concerns the request, the key, the account or one model. Bodies have
 * Google's common form of errors, `google.rpc.Status` (google.aip.dev/193): a code, a status, a message and
 * details. Kinds and bodies were compared on 2026-11-22 with ai.google.dev/gemini-api/docs/troubleshooting and
 * with users' reports: a rejected API key is a 400, not a 401 or 403.
 */
import type { WireFields } from '../../../../shared/chat/chat.ts'
import { ProviderError, type ProviderErrorKind } from '../../../providers/provider.ts'
import type { Refusal } from '../../../providers/wire.ts'
import { upstreamText } from '../../../providers/upstream-errors.ts'
import { vendorError } from '../../../providers/vendor-error.ts'
import { countOf, fieldsOf, listOf, parseJsonOrNull, stringOf } from '../../../json-fields.ts'
import { isTooLong } from '../../too-long.ts'
import { kindOfStatus, usualWords } from '../../usual-refusal.ts'

/** @param text  the body or its beginning */
export function readRefusal(status: number, text: string): Refusal {
  return refusalOf(status, readStatus(parseJsonOrNull(text)))
}

/** An error inside a stream. */
export function reportedError(answer: WireFields): ProviderError {
  const code = countOf(fieldsOf(answer['error'])['code']) ?? 500
  const error = readStatus(answer)
  const { kind, message, retryAfterMs = null, ...others } = refusalOf(code, error)
  const upstreamMessage = upstreamText(error.message, kind)
  return new ProviderError(kind, message, {
    ...others,
    status: code,
    retryAfterMs,
    upstreamMessage,
  })
}

interface ErrorStatus {
  message: string
  /** Google's status, such as `RESOURCE_EXHAUSTED`; empty without one. */
  status: string
  /** Reason in `google.rpc.ErrorInfo`, such as `API_KEY_INVALID`; empty without one. */
  reason: string
  retryDelayMs: number | null
  /** Whether a quota of a day is used up, for which Google names a delay of seconds. */
  isDailyQuota: boolean
}

/** The error's status, also in an answer that is a list with one error. */
function readStatus(body: unknown): ErrorStatus {
  const error = fieldsOf(fieldsOf(Array.isArray(body) ? body[0] : body)['error'])
  const details = listOf(error['details']).map(fieldsOf)
  const ofType = (name: string) =>
    details.find((each) => stringOf(each['@type'])?.endsWith(`google.rpc.${name}`)) ?? {}
  const quotas = listOf(ofType('QuotaFailure')['violations']).map(fieldsOf)
  return {
    message: stringOf(error['message']) ?? '',
    status: stringOf(error['status']) ?? '',
    reason: stringOf(ofType('ErrorInfo')['reason']) ?? '',
    retryDelayMs: readDuration(ofType('RetryInfo')['retryDelay']),
    isDailyQuota: quotas.some(({ quotaId }) => stringOf(quotaId)?.includes('PerDay') === true),
  }
}

/** `34.4s`, the JSON form of `google.protobuf.Duration`. */
function readDuration(value: unknown): number | null {
  const [, seconds] = /^(\d{1,9}(?:\.\d{1,9})?)s$/.exec(stringOf(value) ?? '') ?? []
  return seconds === undefined ? null : Math.ceil(Number(seconds) * 1000)
}

const untilTomorrowMs = 3_600_000

function refusalOf(code: number, error: ErrorStatus): Refusal {
  const { kind, message } = special(code, error) ?? usual(code, error)
  const isForCaller = kind === 'request' && error.message !== ''
  return {
    kind,
    message,
    upstreamMessage: isForCaller ? error.message : null,
    vendor: vendorError({ type: error.status }),
    isTooLong: kind === 'request' && isTooLong(error.reason, error.message),
    retryAfterMs: error.isDailyQuota ? untilTomorrowMs : error.retryDelayMs,
  }
}

interface Classified {
  kind: ProviderErrorKind
  message: string
}

/** Reasons of `ErrorInfo` that say more than the status. */
const reasons: Readonly<Record<string, Classified>> = {
  API_KEY_INVALID: { kind: 'auth', message: 'the provider rejected the key' },
  API_KEY_SERVICE_BLOCKED: {
    kind: 'auth',
    message: 'the key is not allowed to use the Gemini API: change its restrictions at Google',
  },
  BILLING_DISABLED: {
    kind: 'credit',
    message: 'the key’s project at Google has no billing account',
  },
  CONSUMER_SUSPENDED: { kind: 'auth', message: 'Google suspended the key’s project' },
  IAM_PERMISSION_DENIED: {
    kind: 'auth',
    message: 'the service account may not use Vertex AI: give it the role "Vertex AI User"',
  },
  SERVICE_DISABLED: {
    kind: 'auth',
    message: 'the API is not enabled in the key’s project at Google',
  },
}

/** Reads the reason; bodies without one are told apart by their words. @returns null when the status alone decides */
function special(code: number, { message, status, reason }: ErrorStatus): Classified | null {
  const known = Object.hasOwn(reasons, reason) ? reasons[reason] : undefined
  if (known !== undefined) return known
  if (code === 400 && keyWords.test(message)) {
    return { kind: 'auth', message: 'the provider rejected the key' }
  }
  if (status === 'FAILED_PRECONDITION' && message.includes('location is not supported')) {
    const words = 'the provider does not serve the country this computer is in'
    return { kind: 'auth', message: words }
  }
  const isAboutMoney = status === 'FAILED_PRECONDITION' || code === 403 || code === 429
  if (isAboutMoney && moneyWords.test(message)) {
    return { kind: 'credit', message: 'the account is out of credit' }
  }
  if (code === 403 && /\bmodel\b/i.test(message)) {
    return { kind: 'unavailable', message: 'the account may not use this model' }
  }
  return null
}

/** Messages about the request quote its values, with which a caller could take the key out of use. */
const keyWords = /^[^:'"]*api key (not valid|expired|not found)/i

/** Words of an exhausted balance. The sentence of every 429, "check your plan and billing details", is not one. */
const moneyWords =
  /enable billing|billing (account|is disabled|has not been enabled)|prepay\w* credits|credits are depleted|spend(ing)? (cap|limit)/i

function usual(code: number, { status, reason }: ErrorStatus): Classified {
  const kind = kindOfStatus(code)
  return { kind, message: usualWords(kind, code, inBrackets([status, reason])) }
}

/** The codes that look like codes: anything else may quote the prompt. */
function inBrackets(codes: readonly string[]): string {
  const named = codes.filter((each) => /^[A-Z][A-Z_]{0,63}$/.test(each))
  return named.length === 0 ? '' : ` (${named.join(', ')})`
}
