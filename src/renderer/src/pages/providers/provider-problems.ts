import type { ProviderProblem } from '../../../../shared/entities.ts'

/** Why a provider or a key cannot be used, in two words. */
export const problems: Record<ProviderProblem, string> = {
  key_missing: 'key missing',
  key_rejected: 'key rejected',
  out_of_credit: 'out of credit',
  unreachable: 'unreachable',
  error: 'failing',
}
