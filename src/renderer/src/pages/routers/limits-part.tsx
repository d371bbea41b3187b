import { dailyLimitOf } from '../../../../shared/entities.ts'
import { BudgetFields, readBudget } from '../../components/budget-fields.tsx'
import { Checkbox } from '../../components/checkbox.tsx'
import { NumberField } from '../../components/number-field.tsx'
import { readNumber } from '../../components/read-number.ts'
import { errorOf } from '../../stores/client.ts'
import { Part } from './part.tsx'
import { circumstancesOf } from './router-texts.ts'
import { isUsed } from './routing-fields.ts'
import {
  dailyBudgetEffect,
  dailyLimitEffect,
  minuteLimitEffect,
  monthlyBudgetEffect,
  type LimitEffect,
} from './limit-effect.ts'
import { DailyLimitField, TierField } from './tier-fields.tsx'
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
      <RequestLimits {...fields} />
      <Spending {...fields} />
    </Part>
  )
}

function RequestLimits(fields: LimitsFields) {
  const { texts, error, change, use } = fields
  const { tier, limits } = texts
  const perDay = dailyLimitOf({ tier, dailyLimit: readNumber(texts.dailyLimit) })
  const dayEffect = <Effect effect={dailyLimitEffect(use.days, perDay)} />
  return (
    <>
      <TierField {...fields} />
      {tier !== 'enterprise' && <p className="-mt-4 text-xs text-muted">{dayEffect}</p>}
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <DailyLimitField {...fields} dayEffect={dayEffect} />
        <NumberField
          label={t('Requests per minute')}
          hint={
            <>
              {t('In any 60 seconds. Leave empty for no limit.')}{' '}
              <Effect
                effect={minuteLimitEffect(use.minutes, readNumber(limits.requestsPerMinute))}
              />
            </>
          }
          isWhole
          value={limits.requestsPerMinute}
          error={errorOf(error, 'requestsPerMinute')}
          onChange={(text) => change({ limits: { ...limits, requestsPerMinute: text } })}
        />
      </div>
    </>
  )
}

function Spending({ texts, error, change, use }: LimitsFields) {
  const { limits, routing } = texts
  const { budgetUsdPerDay, budgetUsdPerMonth } = readBudget(limits)
  const { days, nowMs } = use
  return (
    <>
      <BudgetFields
        texts={limits}
        error={error}
        onChange={(budget) => change({ limits: { ...limits, ...budget } })}
        notes={{
          budgetUsdPerDay: <Effect effect={dailyBudgetEffect(days, budgetUsdPerDay)} />,
          budgetUsdPerMonth: (
            <Effect effect={monthlyBudgetEffect(days, budgetUsdPerMonth, nowMs)} />
          ),
        }}
      />
      {isUsed('pacing', circumstancesOf(texts)) && (
        <Checkbox
          label={t('Make the budget last')}
          hint={t('Prefers cheaper models when spending runs ahead of budget.')}
          checked={routing.pacing}
          onChange={(pacing) => change({ routing: { ...routing, pacing } })}
        />
      )}
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <NumberField
          label={t('Maximum cost per request')}
          unit={t('US dollars')}
          hint={t(
            'Excludes models whose long answers (1 in 10) would cost more. Leave empty for no limit.',
          )}
          value={routing.maxCostUsdPerRequest}
          error={errorOf(error, 'routing.maxCostUsdPerRequest')}
          onChange={(text) => change({ routing: { ...routing, maxCostUsdPerRequest: text } })}
        />
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
