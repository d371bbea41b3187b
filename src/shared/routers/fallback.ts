/** The words for a model that answered in place of the router's first choice. */
import { t } from '../strings/strings.ts'
import type { Fallback, FallbackReason } from './fallback-record.ts'

const reasonWords: Record<FallbackReason, string> = {
  no_key: t('no key'),
  auth: t('key rejected'),
  credit: t('no credit left'),
  rate_limit: t('rate limit reached'),
  unavailable: t('not available'),
  timeout: 'timeout',
  network: t('not reachable'),
  invalid_response: t('invalid answer'),
  context_too_small: t('prompt too long'),
  unsupported: t('cannot take the request'),
  paused: t('paused after failures'),
}

/** `instead of openai:gpt-5 (rate limit reached)` */
export function fallbackText({ from, reason }: Fallback): string {
  return t('instead of {from} ({reasonWords})', { from, reasonWords: reasonWords[reason] })
}
