import type { AnswerMeta } from '../../../../shared/chat/conversations.ts'
import { fallbackText } from '../../../../shared/routers/fallback.ts'
import { formatDuration, formatGrams, formatUsd } from '../../../../shared/strings/format.ts'
import { WhyButton } from '../../decision/why-button.tsx'
import { t } from '../../../../shared/strings/strings.ts'

/** The `_meta` of an answer in one line. A click opens the decision. */
export function AnswerChip({ meta }: { meta: AnswerMeta }) {
  const { fallback } = meta
  const parts = [
    { name: t('Model'), text: meta.modelUsed },
    ...(fallback ? [{ name: t('Fall-over'), text: fallbackText(fallback) }] : []),
    { name: t('Cost'), text: formatUsd(meta.costUsd) },
    { name: t('Latency'), text: formatDuration(meta.latencyMs) },
    { name: t('CO₂e, estimated'), text: formatGrams(meta.carbonGrams) },
    { name: t('Decision'), text: meta.routerDecision.replaceAll('_', ' ') },
  ]
  return (
    <div className="relative flex min-w-0 flex-wrap items-center gap-x-1.5 rounded-xl border border-line bg-surface px-2.5 py-0.5 text-xs text-muted tabular-nums hover:bg-hover has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent">
      <ul aria-label={t('Answer details')} className="contents">
        {parts.map(({ name, text }, index) => (
          <li
            key={name}
            title={name}
            className="flex gap-1.5 first:font-medium first:wrap-anywhere first:text-ink"
          >
            {text}
            {index < parts.length - 1 ? (
              <span aria-hidden>·</span>
            ) : (
              // In the last part, so that it is never alone on a line. The whole chip is the click target.
              <WhyButton
                requestId={meta.requestId}
                className="font-medium text-accent outline-none after:absolute after:inset-0"
              />
            )}
          </li>
        ))}
      </ul>
    </div>
  )
}
