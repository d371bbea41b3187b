import { dailyLimitOf } from '../../../../shared/entities.ts'
import { readNumber } from '../../components/read-number.ts'
import { Part } from './part.tsx'
import {
  dailyBudgetEffect,
  dailyLimitEffect,
  minuteLimitEffect,
  monthlyBudgetEffect,
  type LimitEffect,
} from './limit-effect.ts'
import { SwitchField, TypedField } from './router-field.tsx'
import { DailyLimitField } from './daily-limit-field.tsx'
import { usePastUse, type PastUse } from './use-past-use.ts'
import type { RouterEditor, RouterFields } from './use-router-editor.ts'
import { t } from '../../../../shared/strings/strings.ts'

interface LimitsFields extends RouterFields {
  use: PastUse
}

export function LimitsPart(editor: RouterEditor) {
  const use = usePastUse(editor.routerId)
  const fields = { ...editor, use }
  return (
    <Part
      title={t('Limits')}
      intro={t('Requests over a limit are refused with the status 429 or 402.')}
    >
      <SwitchField path="routing.isPaused" {...fields} />
      <RequestLimits {...fields} />
      <Spending {...fields} />
    </Part>
  )
}

function RequestLimits(fields: LimitsFields) {
  const { texts, use } = fields
  const { tier } = texts
  const perDay = dailyLimitOf({ tier, dailyLimit: readNumber(texts.dailyLimit) })
  const perMinute = readNumber(texts.requestsPerMinute)
  const dayEffect = <Effect effect={dailyLimitEffect(use.days, perDay)} />
  return (
    <>
      <DailyLimitField {...fields} note={dayEffect} />
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <TypedField
          path="requestsPerMinute"
          note={<Effect effect={minuteLimitEffect(use.minutes, perMinute)} />}
          {...fields}
        />
      </div>
    </>
  )
}

function Spending(fields: LimitsFields) {
  const { texts, use } = fields
  const { days, nowMs } = use
  const [perDay, perMonth] = [texts.budgetUsdPerDay, texts.budgetUsdPerMonth].map(readNumber)
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-2">
        <TypedField
          path="budgetUsdPerDay"
          note={<Effect effect={dailyBudgetEffect(days, perDay ?? null)} />}
          {...fields}
        />
        <TypedField
          path="budgetUsdPerMonth"
          note={<Effect effect={monthlyBudgetEffect(days, perMonth ?? null, nowMs)} />}
          {...fields}
        />
      </div>
      <SwitchField path="routing.pacing" {...fields} />
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <TypedField path="routing.maxCostUsdPerRequest" {...fields} />
      </div>
    </>
  )
}

/** What a limit would have done in the past. */
function Effect({ effect }: { effect: LimitEffect | null }) {
  if (!effect) return null
  const color = effect.isRefusing ? 'font-medium text-warn' : ''
  return <span className={`block tabular-nums ${color}`}>{effect.text}</span>
}
