/**
 * Ollama's refusals: `{"error": "text"}` with a status, and no codes. From server/routes.go and server/sched.go
 * of github.com/ollama/ollama, 2026-11-22:
 * - 400: `"m" does not support tools`, `think value "high" is not supported for this model`, a prompt longer than
 *   the context with `truncate: false`
 * - 404: `model "m" not found, try pulling it first`
 * - 500: `model requires more system memory (9.1 GiB) than is available (6.0 GiB)`, a crashed runner
 * - 503: `server busy, please try again. maximum pending requests exceeded`
 * - 401, 402, 403, 429: models that run at ollama.com
 */
import { z } from 'zod'
import { ProviderError, type ProviderErrorKind } from '../../../providers/provider.ts'
import type { Refusal } from '../../../providers/wire.ts'
import { isTooLong } from '../../too-long.ts'
import { kindOfStatus } from '../../usual-refusal.ts'
import type { Thinking } from './request.ts'

const bodySchema = z.object({ error: z.string() })

/** @param text  the body or its beginning */
export function readRefusal(status: number, text: string): Refusal {
  const error = readError(text)
  const kind = kindOfStatus(status)
  return {
    kind,
    message: messageFor(kind, status, error),
    upstreamMessage: kind === 'request' && error !== '' ? error : null,
    isTooLong: kind === 'request' && isTooLong('', error),
  }
}

/** @returns null when the refusal is not about thinking @param sent  what the request may have contained */
export function refusedThinking(error: unknown, sent: Thinking): Thinking | null {
  if (!(error instanceof ProviderError) || error.status !== 400) return null
  const text = error.upstreamMessage ?? ''
  if (sent !== 'none' && text.includes('does not support thinking')) return 'none'
  if (sent === 'level' && /think value .* is not supported/.test(text)) return 'switch'
  return null
}

function readError(text: string): string {
  try {
    const parsed = bodySchema.safeParse(JSON.parse(text))
    return parsed.success ? parsed.data.error : ''
  } catch (error) {
    if (error instanceof SyntaxError) return ''
    throw error
  }
}

function messageFor(kind: ProviderErrorKind, status: number, error: string): string {
  switch (kind) {
    case 'request':
      return 'Ollama refused the request'
    case 'auth':
      return 'Ollama rejected the key'
    case 'credit':
      return 'the account is out of credit'
    case 'rate_limit':
      return 'Ollama limits the rate of requests'
    case 'timeout':
      return 'Ollama did not answer in time'
    default:
      return otherMessage(status, error)
  }
}

function otherMessage(status: number, error: string): string {
  if (status === 404) return 'Ollama does not have the model; download it with `ollama pull`'
  if (error.includes('more system memory')) return 'the model needs more memory than is free'
  if (status === 503) return 'Ollama is busy with other requests'
  return `Ollama answered with status ${status}`
}
