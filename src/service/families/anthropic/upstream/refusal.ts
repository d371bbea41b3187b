/**
 * Classifies an error of Anthropic's API, from an answer's body or an event of a stream:
 * `{type: "error", error: {type, message, details: {error_code}}}`. The type decides, because the same status
 * has several meanings: a 400 may also say that the account is out of credit.
 * @see https://platform.claude.com/docs/en/api/errors, compared 2026-11-22 with the SDK's `ErrorType`
 */
import type { ErrorType } from '@anthropic-ai/sdk/resources/shared'
import { ProviderError, type ProviderErrorKind } from '../../../providers/provider.ts'
import type { Refusal } from '../../../providers/wire.ts'
import { upstreamText } from '../../../providers/upstream-errors.ts'
import { vendorError } from '../../../providers/vendor-error.ts'
import { fieldsOf, parseJsonOrNull, stringOf } from '../../../json-fields.ts'
import { isTooLong } from '../../too-long.ts'
import { kindOfStatus } from '../../usual-refusal.ts'

const kinds: Readonly<Partial<Record<ErrorType | 'request_too_large', ProviderErrorKind>>> = {
  invalid_request_error: 'request',
  request_too_large: 'request',
  authentication_error: 'auth',
  permission_error: 'auth',
  billing_error: 'credit',
  rate_limit_error: 'rate_limit',
  overloaded_error: 'unavailable',
  not_found_error: 'unavailable',
  api_error: 'unavailable',
  timeout_error: 'timeout',
}

const words: Readonly<Record<ProviderErrorKind, string>> = {
  request: 'the provider refused the request',
  auth: 'the provider rejected the key',
  credit: 'the account is out of credit',
  rate_limit: 'the provider limits the rate of requests',
  timeout: 'the provider did not answer in time',
  unavailable: 'the provider reported an error',
  no_key: 'it has no key',
  network: 'the connection broke',
  invalid_response: 'the answer has an unknown form',
}

/** @param text  the body or its beginning */
export function readRefusal(status: number, text: string): Refusal {
  const { type, code, message } = readError(parseJsonOrNull(text))
  const kind = kindOf(type, code, message) ?? kindOfStatus(status)
  const isForCaller = kind === 'request' && message !== ''
  return {
    kind,
    message: messageFor(kind, status, type),
    upstreamMessage: isForCaller ? message : null,
    vendor: vendorError({ type, code }),
    isTooLong: kind === 'request' && isTooLong(code, message),
  }
}

/** An error that came in a stream, or with status 200. @param body  with the error in its field `error` */
export function reportedError(body: unknown): ProviderError {
  const { type, code, message } = readError(body)
  const kind = kindOf(type, code, message) ?? 'unavailable'
  return new ProviderError(kind, messageFor(kind, null, type), {
    upstreamMessage: upstreamText(message, kind),
    vendor: vendorError({ type, code }),
    isTooLong: kind === 'request' && isTooLong(code, message),
  })
}

interface ReportedError {
  type: string
  /** A stable code that names the cause; often empty. */
  code: string
  message: string
}

function readError(body: unknown): ReportedError {
  const error = fieldsOf(fieldsOf(body)['error'])
  const textOf = (value: unknown) => stringOf(value) ?? ''
  const code = textOf(fieldsOf(error['details'])['error_code'])
  return { type: textOf(error['type']), code, message: textOf(error['message']) }
}

/**
 * Sentences of a 400 that concern the account: it has no credit, or the limit that the user set is reached. Other
 * messages name a field and quote its value, with which a caller could take the key out of use.
 */
const creditWords =
  /^[^:'"`]*(credit balance is too low|reached your specified (api|workspace api) usage limits)/i

/** @returns null for a body that is not Anthropic's, such as that of a proxy */
function kindOf(type: string, code: string, message: string): ProviderErrorKind | null {
  if (/spend_limit|billing/.test(code) || creditWords.test(message)) return 'credit'
  // A key may be valid for other models of the account.
  if (type === 'permission_error' && /\bmodel\b/i.test(message)) return 'unavailable'
  return Object.entries(kinds).find(([known]) => known === type)?.[1] ?? null
}

/** Only text that looks like a code: anything else may be a sentence that quotes the prompt. */
const codePattern = /^[a-z][a-z0-9_.-]{0,63}$/i

function messageFor(kind: ProviderErrorKind, status: number | null, type: string): string {
  if (kind === 'unavailable' && status !== null && type === '') {
    return `the provider answered with status ${status}`
  }
  const isCause = kind === 'unavailable' || kind === 'request'
  return isCause && codePattern.test(type) ? `${words[kind]} (${type})` : words[kind]
}
