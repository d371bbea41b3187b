import { useEffect, useState } from 'react'
import type { LookedRule } from '../../../../shared/requests/look-only.ts'
import { otherSubagents } from '../../../../shared/routers/routing-settings.ts'
import { formatUsd } from '../../../../shared/strings/format.ts'
import { t } from '../../../../shared/strings/strings.ts'
import { Button } from '../../components/button.tsx'
import { useLookedRules } from '../../stores/sessions.ts'
import { MakeRuleDialog } from './make-rule-dialog.tsx'

/** What other models for subagents would have saved; nothing while none would have. */
export function LookedRules() {
  const { items: rules, load } = useLookedRules()
  const [made, setMade] = useState<LookedRule | null>(null)
  useEffect(() => void load(), [load])
  if (rules === null || rules.length === 0) return null
  return (
    <section
      aria-label={t('Rules that would have saved')}
      className="flex flex-col gap-2 rounded-xl border border-line bg-surface px-4 py-3 text-sm text-muted"
    >
      {rules.map((rule) => (
        <div
          key={rule.routerId}
          className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1"
        >
          <p className="font-medium text-ink">{ruleText(rule)}</p>
          <Button size="small" onClick={() => setMade(rule)}>
            {t('Make a rule')}
          </Button>
        </div>
      ))}
      <p className="text-xs">
        {t(
          'Estimated from list prices and the last 30 days, with 1.3 steps for one of a stronger model. Nothing is known about the quality of the answers.',
        )}
      </p>
      {made && (
        <MakeRuleDialog
          routerId={made.routerId}
          types={[otherSubagents]}
          target={made.model}
          onClose={() => setMade(null)}
        />
      )}
    </section>
  )
}

export function ruleText(rule: LookedRule): string {
  const { routerName: router, model, sessions, missing } = rule
  if (missing > 0) {
    return t(
      '{router}: not enough sessions to tell what {model} for subagents would save, {missing} more.',
      { router, model, missing },
    )
  }
  return t(
    '{router}: {model} for subagents would have saved {saved} on {sessions} sessions (95 % range {low} to {high}).',
    {
      router,
      model,
      sessions,
      saved: usd(rule.savedNanoUsd),
      low: usd(rule.lowNanoUsd),
      high: usd(rule.highNanoUsd),
    },
  )
}

const usd = (nanoUsd: number) => formatUsd(nanoUsd / 1e9)
