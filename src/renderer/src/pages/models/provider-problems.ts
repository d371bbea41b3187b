import type { ProviderProblem } from '../../../../shared/entities.ts'
import { t } from '../../../../shared/strings/strings.ts'

/** Why a provider or a key cannot be used, in two words. */
export const problems: Record<ProviderProblem, string> = {
  key_missing: t('key missing'),
  key_rejected: t('key rejected'),
  out_of_credit: t('out of credit'),
  unreachable: t('unreachable'),
  error: t('failing'),
}
