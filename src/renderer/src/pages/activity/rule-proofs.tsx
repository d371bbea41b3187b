import { useEffect } from 'react'
import { shadowWords, splitWords } from '../../../../shared/requests/proof-words.ts'
import { t } from '../../../../shared/strings/strings.ts'
import { useRuleProofs } from '../../stores/sessions.ts'

/** What sessions with and without rules, and steps asked of other models, say so far; nothing where none are compared. */
export function RuleProofs() {
  const { items, load } = useRuleProofs()
  useEffect(() => void load(), [load])
  const [proofs] = items ?? []
  if (proofs === undefined) return null
  const parts = [...proofs.splits.map(splitWords), ...proofs.shadows.map(shadowWords)]
  if (parts.length === 0) return null
  return (
    <section
      aria-label={t('Rules on your own sessions')}
      className="flex flex-col gap-3 rounded-xl border border-line bg-surface px-4 py-3 text-sm text-muted"
    >
      {parts.map((lines) => (
        <div key={lines[0]}>
          {lines.map((line, nth) => (
            <p key={line} className={nth === 0 ? 'font-medium text-ink' : undefined}>
              {line}
            </p>
          ))}
        </div>
      ))}
      <p className="text-xs">
        {t(
          'Sessions count once they have ended. A step that another model would take in the same way may still fail: only the two halves show whether sessions get stuck.',
        )}
      </p>
    </section>
  )
}
