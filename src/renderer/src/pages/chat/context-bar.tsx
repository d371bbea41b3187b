import type { Preview } from '../../../../shared/routers/preview.ts'
import { formatTokens, formatUsd } from '../../../../shared/strings/format.ts'
import { Button } from '../../components/button.tsx'
import { ProgressBar } from '../../components/progress-bar.tsx'
import { newConversation } from '../../stores/chat.ts'
import { useModels } from '../../stores/models.ts'
import { takeModel, type PreviewedMessage } from '../../stores/previews.ts'
import { continueWithSummary } from '../../stores/summaries.ts'
import { t } from '../../../../shared/strings/strings.ts'

/** Shares of the model's context from which the bar is shown, and from which it offers ways out. */
const shownFrom = 0.6
const fullFrom = 0.9

interface ContextBarProps {
  message: PreviewedMessage
  preview: Preview
  /** The model that is taken instead of the router's. */
  taken: string | null
}

/** How much of the chosen model's context the message fills, and ways out when little is left. */
export function ContextBar({ message, preview, taken }: ContextBarProps) {
  const models = useModels(({ items }) => items) ?? []
  const model = taken ?? preview.model
  const contextOf = (id: string) => models.find((one) => one.id === id)?.contextTokens ?? 0
  const context = contextOf(model)
  const { promptTokens } = preview.expected
  const share = context === 0 ? 0 : promptTokens / context
  if (share < shownFrom) return null
  const unusable = preview.skipped.map((one) => one.model)
  const larger = preview.decision.ranked.find(
    (one) => contextOf(one.model) > context && !unusable.includes(one.model),
  )
  const percent = Math.min(100, Math.round(share * 100))
  return (
    <div className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1.5 pt-1">
      <ProgressBar
        label={t('Context of {model}', { model })}
        value={percent}
        max={100}
        text={t('{tokens} tokens, {percent} % of the context', {
          tokens: formatTokens(promptTokens),
          percent,
        })}
      />
      {share >= fullFrom && message.conversation !== newConversation && (
        <Button
          size="small"
          onClick={() => void continueWithSummary(message.conversation, message.routerId)}
        >
          {t('Continue with a summary, {cost}', { cost: formatUsd(preview.expected.costUsd) })}
        </Button>
      )}
      {share >= fullFrom && larger && (
        <Button size="small" onClick={() => takeModel(message, larger.model)}>
          {t('Take {model}, {tokens} tokens', {
            model: larger.model,
            tokens: formatTokens(contextOf(larger.model)),
          })}
        </Button>
      )}
    </div>
  )
}
