/**
 * Classifies an error of Bedrock, from an answer or an event of a stream. Its name decides: it is in the header
 * `x-amzn-errortype`, in the body's `__type`, or the name of the event. Two names need the message too:
 * `AccessDeniedException` is a rejected API key, a missing permission or a model that the account may not use;
 * `ValidationException` is usually about the request, but also about a model's name or a blocked account.
 * @see https://docs.aws.amazon.com/bedrock/latest/userguide/troubleshooting-api-error-codes.html
 */
import { ProviderError, type ProviderErrorKind } from '../../../providers/provider.ts'
import type { Refusal, WireFormat } from '../../../providers/wire.ts'
import { upstreamText } from '../../../providers/upstream-errors.ts'
import { vendorError } from '../../../providers/vendor-error.ts'
import { fieldsOf, parseJsonOrNull, stringOf } from '../../../json-fields.ts'
import { isTooLong } from '../../too-long.ts'
import { kindOfStatus, usualWords } from '../../usual-refusal.ts'

interface Cause {
  kind: ProviderErrorKind
  /** Modelport's own words. */
  message: string
}

const wrongKey: Cause = { kind: 'auth', message: 'the provider rejected the key' }
const wrongRequest: Cause = { kind: 'request', message: 'the provider refused the request' }
const tooMany: Cause = { kind: 'rate_limit', message: 'the provider limits the rate of requests' }
const tooSlow: Cause = { kind: 'timeout', message: 'the model did not answer in time' }
const noModel: Cause = { kind: 'unavailable', message: 'the account may not use this model' }
const failed: Cause = { kind: 'unavailable', message: 'the provider reported an error' }

/** Causes by the exception's name, without the ending that HTTP answers and events write differently. */
const causes: Readonly<Record<string, Cause>> = {
  unrecognizedclient: wrongKey,
  invalidclienttokenid: wrongKey,
  missingauthenticationtoken: wrongKey,
  incompletesignature: wrongKey,
  optinrequired: wrongKey,
  expiredtoken: { kind: 'auth', message: 'the AWS credentials have expired' },
  invalidsignature: wrongKey,
  validation: wrongRequest,
  serialization: wrongRequest,
  throttling: tooMany,
  toomanyrequests: tooMany,
  servicequotaexceeded: tooMany,
  modeltimeout: tooSlow,
  modelnotready: { kind: 'unavailable', message: 'the model is not ready yet' },
  resourcenotfound: { kind: 'unavailable', message: 'the provider does not have this model' },
  accessdenied: noModel,
  modelerror: failed,
  modelstreamerror: failed,
  internalserver: failed,
  internalfailure: failed,
  serviceunavailable: failed,
  conflict: failed,
}

/**
 * Sentences that tell what a name alone does not. The first match counts. Those of `ValidationException` are matched
 * from their beginning, because other messages of this name quote the request.
 */
const sentences: readonly [name: string, words: RegExp, cause: Cause][] = [
  ['accessdenied', /api key|bearer token|authentication failed|security token/i, wrongKey],
  [
    'accessdenied',
    /payment instrument/i,
    { kind: 'unavailable', message: 'AWS needs a valid payment method for this model' },
  ],
  [
    'accessdenied',
    /bedrock:List/,
    { kind: 'unavailable', message: 'the key may not list models (bedrock:ListFoundationModels)' },
  ],
  [
    'accessdenied',
    /not authorized to perform|not authorized to invoke/i,
    { kind: 'unavailable', message: 'the key may not use this model (bedrock:InvokeModel)' },
  ],
  [
    'invalidsignature',
    /signature (expired|not yet current)/i,
    { kind: 'auth', message: 'AWS rejected the time of the request: check this computer’s clock' },
  ],
  [
    'validation',
    /^Invocation of model ID \S+ with on-demand throughput\b/i,
    {
      kind: 'unavailable',
      message: 'the model needs an inference profile, such as us.… or eu.… before its name',
    },
  ],
  [
    'validation',
    /^(The provided model identifier is invalid|Operation not allowed|This model version has reached the end of its life)\b/i,
    { kind: 'unavailable', message: 'the account cannot use a model of this name' },
  ],
]

export const readRefusal: WireFormat['readRefusal'] = (status, text, headers): Refusal => {
  const body = fieldsOf(parseJsonOrNull(text))
  const name = stringOf(headers['x-amzn-errortype']) ?? stringOf(body['__type']) ?? ''
  const message = messageOf(body)
  const cause = causeOf(name, message) ?? causeOfStatus(status)
  const isOfRequest = cause.kind === 'request'
  const upstreamMessage = isOfRequest && message !== '' ? message : null
  return { ...cause, upstreamMessage, isTooLong: isOfRequest && isTooLong(name, message) }
}

/** An error that came as an event of a stream. */
export function reportedError(name: string, fields: unknown): ProviderError {
  const message = messageOf(fieldsOf(fields))
  const { kind, message: words } = causeOf(name, message) ?? failed
  return new ProviderError(kind, words, {
    upstreamMessage: upstreamText(message, kind),
    vendor: vendorError({ type: name }),
    isTooLong: kind === 'request' && isTooLong(name, message),
  })
}

/** AWS's gate in front of Bedrock writes the field with a capital letter. */
function messageOf({ message, Message }: Readonly<Record<string, unknown>>): string {
  return stringOf(message) ?? stringOf(Message) ?? ''
}

/** @returns null for a body that is not AWS's, such as that of a proxy */
function causeOf(name: string, message: string): Cause | null {
  const short = shortName(name)
  const sentence = sentences.find(([known, words]) => known === short && words.test(message))
  return sentence?.[2] ?? causes[short] ?? null
}

/** `com.amazon#ThrottlingException:http://…` and `throttlingException` as `throttling`. */
function shortName(name: string): string {
  const [bare = ''] = (name.split('#').at(-1) ?? '').split(':')
  return bare.toLowerCase().replace(/exception$/, '')
}

function causeOfStatus(status: number): Cause {
  const kind = kindOfStatus(status)
  return kind === 'timeout' ? tooSlow : { kind, message: usualWords(kind, status) }
}
