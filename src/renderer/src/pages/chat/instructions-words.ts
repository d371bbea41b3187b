import type { Instructions } from '../../../../shared/chat/conversations.ts'
import { formatCount, formatUsd } from '../../../../shared/strings/format.ts'
import { t } from '../../../../shared/strings/strings.ts'

/** What a conversation sets, in one line; empty when everything is left to the model. */
export function instructionsWords({ systemPrompt, parameters }: Instructions): string {
  const { temperature, maxTokens, reasoningEffort, limitUsd } = parameters
  const parts = [
    systemPrompt.trim().replaceAll(/\s+/g, ' '),
    temperature === undefined ? '' : t('temperature {temperature}', { temperature }),
    maxTokens === undefined ? '' : t('at most {count} tokens', { count: formatCount(maxTokens) }),
    reasoningEffort === undefined ? '' : t('{effort} effort', { effort: reasoningEffort }),
    limitUsd === undefined ? '' : t('at most {cost}', { cost: formatUsd(limitUsd) }),
  ]
  return parts.filter((part) => part !== '').join(' · ')
}
