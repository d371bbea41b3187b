/** The outcome, the decision and the source of a request in words. */
import type { RequestRecord, RequestSource } from '../../../shared/entities.ts'
import type { RequestEnd } from '../../../shared/requests/search.ts'
import { strategyProfiles } from '../../../shared/routers/strategies.ts'
import { t } from '../../../shared/strings/strings.ts'

export const endWords: Readonly<Record<RequestEnd, string>> = {
  answered: t('Answered'),
  fallback: t('Answered by a fallback'),
  error: t('Any error'),
  limited: t('Over a limit'),
  refused: t('Refused'),
  aborted: t('Aborted'),
  failed: t('Failed'),
}

export const sourceWords: Readonly<Record<RequestSource, string>> = {
  api: t('Program'),
  chat: t('Chat'),
  tune: t('Tuning run'),
  shadow: t('Shadow sample'),
  probe: t('Daily probe'),
  title: t('Title of a conversation'),
}

/** Where a request came from. Steps of agents have the source of their call; tuning has executions of its own. */
export function sourceText({
  source,
  executionId,
}: Pick<RequestRecord, 'source' | 'executionId'>): string {
  const isStep = executionId !== null && (source === 'api' || source === 'chat')
  return isStep ? t('Agent') : sourceWords[source]
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
  if (status < 400 && fallbackFrom !== null) return { text: t('Fallback'), tone: 'warn', reason }
  if (status < 400) {
    return { text: cachedFrom === null ? t('Answered') : t('From cache'), tone: 'ok', reason }
  }
  if (status === 499) return { text: t('Aborted'), tone: 'neutral', reason }
  if (status === 429) return { text: t('Over limit'), tone: 'warn', reason }
  return { text: status < 500 ? t('Refused') : t('Failed'), tone: 'bad', reason }
}

/** Codes whose own words would not be clear. */
const codeWords: Readonly<Partial<Record<string, string>>> = {
  all_models_unavailable: t('no model was available'),
  budget_exceeded: t('the budget is used up'),
  cancelled: t('Modelport cancelled it'),
  context_length_exceeded: t('the prompt is too long'),
  daily_limit_exceeded: t('the daily limit is used up'),
  internal_error: t('an internal error'),
  invalid_api_key: t('the API key is not valid'),
  invalid_parameter: t('a parameter is invalid'),
  no_capable_model: t('no model can take it'),
  rate_limit_exceeded: t('too many requests at once'),
  storage_unavailable: t('the database cannot be written'),
}

function errorWords({ status, errorCode }: Pick<RequestRecord, 'status' | 'errorCode'>): string {
  if (status === 499 && errorCode !== 'cancelled') return t('499: the caller disconnected')
  if (errorCode === null) return String(status)
  return `${status}: ${codeWords[errorCode] ?? errorCode.replaceAll('_', ' ')}`
}

/** The name of the strategy that decided. */
export function decisionWords(decision: RequestRecord['routerDecision']): string {
  return decision === 'pinned' ? t('Named by the caller') : strategyProfiles[decision].label
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
