/** What the answers of a conversation cost and took, also of those that were set aside. */
import type { AnswerMeta, ConversationMessage } from '../../../../shared/chat/conversations.ts'
import {
  formatCount,
  formatDuration,
  formatGrams,
  formatUsd,
} from '../../../../shared/strings/format.ts'
import { t } from '../../../../shared/strings/strings.ts'

interface ConversationFigure {
  name: string
  text: string
}

/** @returns empty for a single answer, whose chip says the same */
export function conversationFigures(
  messages: readonly ConversationMessage[],
): ConversationFigure[] {
  const metas = messages.flatMap(({ meta }) => meta ?? [])
  if (metas.length < 2) return []
  const sum = (of: (meta: AnswerMeta) => number) =>
    metas.reduce((total, meta) => total + of(meta), 0)
  return [
    { name: t('Answers'), text: formatCount(metas.length) },
    { name: t('Cost'), text: formatUsd(sum(({ costUsd }) => costUsd)) },
    {
      name: t('Mean latency'),
      text: formatDuration(sum(({ latencyMs }) => latencyMs) / metas.length),
    },
    { name: t('CO₂e, estimated'), text: formatGrams(sum(({ carbonGrams }) => carbonGrams)) },
    ...modelsOf(metas),
  ]
}

/** How often each model answered, the most used first. */
function modelsOf(metas: readonly AnswerMeta[]): ConversationFigure[] {
  return [...Map.groupBy(metas, ({ modelUsed }) => modelUsed)]
    .toSorted(([, a], [, b]) => b.length - a.length)
    .map(([model, answers]) => ({ name: model, text: formatCount(answers.length) }))
}
