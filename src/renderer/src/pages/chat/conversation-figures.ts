/** What the answers of a conversation cost and took, also of those that were set aside. */
import { costUsdOf, endOf, turnsOf } from '../../../../shared/chat/conversation-turns.ts'
import type { AnswerMeta, ConversationMessage } from '../../../../shared/chat/conversations.ts'
import type { Router } from '../../../../shared/entities.ts'
import {
  formatCount,
  formatDuration,
  formatGrams,
  formatUsd,
} from '../../../../shared/strings/format.ts'
import { joinWords } from '../../../../shared/strings/join.ts'
import type { Saving } from '../../charts/savings.ts'
import { t } from '../../../../shared/strings/strings.ts'

interface ConversationFigure {
  name: string
  text: string
}

/** What is known of a conversation beside its messages. */
export interface ConversationContext {
  limitUsd: number | undefined
  /** What its tokens would have cost with the dearest of its `comparedModels`; null when that is not known. */
  saving: Saving | null
}

/** The models that a conversation is compared with: those of its router, and those that answered under another router. */
export function comparedModels(
  messages: readonly ConversationMessage[],
  router: Pick<Router, 'models'>,
): ReadonlySet<string> {
  return new Set([...router.models, ...messages.flatMap(({ meta }) => meta?.modelUsed ?? [])])
}

/** @returns empty for a single answer, whose chip says the same */
export function conversationFigures(
  messages: readonly ConversationMessage[],
  { limitUsd, saving }: ConversationContext,
): ConversationFigure[] {
  const metas = messages.flatMap(({ meta }) => meta ?? [])
  if (metas.length < 2) return []
  const sum = (of: (meta: AnswerMeta) => number) =>
    metas.reduce((total, meta) => total + of(meta), 0)
  const cost = formatUsd(costUsdOf(messages))
  return [
    { name: t('Answers'), text: formatCount(metas.length) },
    {
      name: t('Cost'),
      text:
        limitUsd === undefined
          ? cost
          : t('{cost} of {limit}', { cost, limit: formatUsd(limitUsd) }),
    },
    ...otherBranches(messages),
    ...(saving?.savedUsd && saving.savedUsd > 0
      ? [
          {
            name: t('Saved against always {model}', { model: saving.model }),
            text: formatUsd(saving.savedUsd),
          },
        ]
      : []),
    {
      name: t('Mean latency'),
      text: formatDuration(sum(({ latencyMs }) => latencyMs) / metas.length),
    },
    { name: t('CO₂e, estimated'), text: formatGrams(sum(({ carbonGrams }) => carbonGrams)) },
    ...modelsOf(metas),
  ]
}

/** What the answers cost that the thread does not continue with; empty when they cost nothing. */
function otherBranches(messages: readonly ConversationMessage[]): ConversationFigure[] {
  const shown = new Set(turnsOf(messages).map((turn) => endOf(turn).id))
  const costUsd = costUsdOf(messages.filter(({ id }) => !shown.has(id)))
  return costUsd === 0 ? [] : [{ name: t('Of it on other branches'), text: formatUsd(costUsd) }]
}

/** How often each model answered and at what cost, the most used first. */
function modelsOf(metas: readonly AnswerMeta[]): ConversationFigure[] {
  return [...Map.groupBy(metas, ({ modelUsed }) => modelUsed)]
    .toSorted(([, a], [, b]) => b.length - a.length)
    .map(([model, answers]) => {
      const costUsd = answers.reduce((total, one) => total + one.costUsd, 0)
      return {
        name: model,
        text: joinWords([
          t('{count, plural, one {# answer} other {# answers}}', { count: answers.length }),
          formatUsd(costUsd),
        ]),
      }
    })
}
