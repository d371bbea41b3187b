/** The outcome, the decision and the source of a request in words. */
import type { RequestRecord, RequestSource } from '../../../shared/entities.ts'
import type { RequestEnd } from '../../../shared/request-search.ts'
import { strategyProfiles } from '../../../shared/strategies.ts'

export const endWords: Readonly<Record<RequestEnd, string>> = {
  answered: 'Answered',
  fallback: 'Answered by a fallback',
  error: 'Any error',
  limited: 'Over a limit',
  refused: 'Refused',
  aborted: 'Aborted',
  failed: 'Failed',
}

export const sourceWords: Readonly<Record<RequestSource, string>> = {
  api: 'API',
  chat: 'Chat',
  tune: 'Tuning run',
  shadow: 'Shadow sample',
}

export interface Outcome {
  /** One or two words. */
  text: string
  tone: 'ok' | 'warn' | 'bad' | 'neutral'
  /** The HTTP status with the reason in words; null for an ordinary answer. */
  reason: string | null
}

/** How a request ended. */
export function outcomeOf(
  request: Pick<RequestRecord, 'status' | 'errorCode' | 'fallbackFrom' | 'cachedFrom'>,
): Outcome {
  const { status, fallbackFrom, cachedFrom } = request
  const reason = status < 400 ? null : errorWords(request)
  if (status < 400 && fallbackFrom !== null) return { text: 'Fallback', tone: 'warn', reason }
  if (status < 400) {
    return { text: cachedFrom === null ? 'Answered' : 'From cache', tone: 'ok', reason }
  }
  if (status === 499) return { text: 'Aborted', tone: 'neutral', reason }
  if (status === 429) return { text: 'Over limit', tone: 'warn', reason }
  return { text: status < 500 ? 'Refused' : 'Failed', tone: 'bad', reason }
}

/** Codes whose own words would not be clear. */
const codeWords: Readonly<Partial<Record<string, string>>> = {
  all_models_unavailable: 'no model was available',
  budget_exceeded: 'the budget is used up',
  context_length_exceeded: 'the prompt is too long',
  daily_limit_exceeded: 'the daily limit is used up',
  internal_error: 'an internal error',
  invalid_api_key: 'the API key is not valid',
  invalid_parameter: 'a parameter is invalid',
  no_capable_model: 'no model can take it',
  rate_limit_exceeded: 'too many requests at once',
  storage_unavailable: 'the database cannot be written',
}

function errorWords({ status, errorCode }: Pick<RequestRecord, 'status' | 'errorCode'>): string {
  if (status === 499) return '499: the caller disconnected'
  if (errorCode === null) return String(status)
  return `${status}: ${codeWords[errorCode] ?? errorCode.replaceAll('_', ' ')}`
}

/** The name of the strategy that decided. */
export function decisionWords(decision: RequestRecord['routerDecision']): string {
  return decision === 'pinned' ? 'Named by the caller' : strategyProfiles[decision].label
}

/** The tokens of the prompt and the answer; `isEstimate` when the provider reported none. */
export function tokensOf(request: RequestRecord): {
  prompt: number | null
  completion: number | null
  isEstimate: boolean
} {
  const { reportedPromptTokens, reportedCompletionTokens } = request
  const isEstimate = reportedPromptTokens === null && reportedCompletionTokens === null
  return {
    prompt: reportedPromptTokens ?? request.estimatedPromptTokens,
    completion: reportedCompletionTokens ?? request.estimatedCompletionTokens,
    isEstimate: isEstimate && request.estimatedPromptTokens !== null,
  }
}
