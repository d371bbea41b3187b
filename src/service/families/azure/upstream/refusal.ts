/**
 * Azure's errors, where they differ from OpenAI's: `{error: {code, message, innererror}}`, with the status as the
 * code of general errors. The bodies are from Azure's documentation and users' reports, seen 2026-11-22.
 * @see https://learn.microsoft.com/azure/ai-foundry/openai/concepts/content-filter
 */
import { z } from 'zod'
import type { Refusal, WireFormat } from '../../../providers/wire.ts'
import { readRefusal as readOpenAiRefusal } from '../../openai-chat/refusal.ts'
import { parseJsonOrNull } from '../../../json-fields.ts'

const bodySchema = z.object({
  error: z.object({
    code: z.union([z.string(), z.number()]).nullish(),
    message: z.string().nullish(),
    innererror: z.object({ code: z.string() }).partial().nullish(),
  }),
})

export const readRefusal: WireFormat['readRefusal'] = (status, text): Refusal => {
  const usual = readOpenAiRefusal(status, text)
  const { code, message } = readBody(text)
  const special = specialCause(status, code, message)
  const waitMs = usual.kind === 'rate_limit' ? { retryAfterMs: waitOf(message) } : {}
  if (special === null) return { ...usual, ...waitMs }
  const isForCaller = special.kind === 'request' && message !== ''
  const { vendor = null } = usual
  return { ...special, upstreamMessage: isForCaller ? message : null, vendor, ...waitMs }
}

interface Body {
  /** The outer and the inner code. */
  code: string
  message: string
}

function readBody(text: string): Body {
  const { error } = bodySchema.safeParse(parseJsonOrNull(text)).data ?? { error: {} }
  return {
    code: `${error.code ?? ''} ${error.innererror?.code ?? ''}`,
    message: error.message ?? '',
  }
}

/** @returns null when OpenAI's meaning applies */
function specialCause(
  status: number,
  code: string,
  message: string,
): Pick<Refusal, 'kind' | 'message'> | null {
  if (/content_filter|ResponsibleAIPolicyViolation/.test(code)) {
    return { kind: 'request', message: 'the provider’s content filter refused the prompt' }
  }
  if (code.includes('DeploymentNotFound')) {
    return { kind: 'unavailable', message: 'the resource has no deployment of this name' }
  }
  if (/OperationNotSupported|unsupported_model/i.test(code)) {
    return { kind: 'unavailable', message: 'the deployment’s model takes no chat requests' }
  }
  if (status === 404) {
    return {
      kind: 'unavailable',
      message: 'Azure does not have this address: check the base URL and api-version',
    }
  }
  if (status === 403 && /firewall|virtual network|public access|private endpoint/i.test(message)) {
    return { kind: 'auth', message: 'the resource’s network rules do not allow this computer' }
  }
  return null
}

/** The wait in the sentence of a 429; some name it only there. */
function waitOf(message: string): number | null {
  const [, seconds] = /retry after (\d+) (?:milli)?seconds?/i.exec(message) ?? []
  if (seconds === undefined) return null
  return /milliseconds/i.test(message) ? Number(seconds) : Number(seconds) * 1000
}
