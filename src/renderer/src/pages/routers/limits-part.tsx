import type { Tier } from '../../../../shared/entities.ts'
import { BudgetFields } from '../../components/budget-fields.tsx'
import { Checkbox } from '../../components/checkbox.tsx'
import { NumberField } from '../../components/number-field.tsx'
import { RadioCards } from '../../components/radio-cards.tsx'
import { errorOf } from '../../stores/client.ts'
import { Part } from './part.tsx'
import { circumstancesOf } from './router-texts.ts'
import { isUsed } from './routing-fields.ts'
import type { RouterFields } from './use-router-editor.ts'

const tierChoices: readonly { value: Tier; label: string; hint: string }[] = [
  { value: 'free', label: 'Free', hint: '100 requests per day' },
  { value: 'pro', label: 'Pro', hint: '10,000 requests per day' },
  { value: 'enterprise', label: 'Enterprise', hint: 'Custom limit or none' },
]

export function LimitsPart(fields: RouterFields) {
  return (
    <Part title="Limits" intro="Requests over a limit are refused with the status 429 or 402.">
      <RequestLimits {...fields} />
      <Spending {...fields} />
    </Part>
  )
}

function RequestLimits({ texts, error, change }: RouterFields) {
  const { tier, limits } = texts
  return (
    <>
      <RadioCards
        label="Tier"
        choices={tierChoices}
        value={tier}
        error={errorOf(error, 'tier')}
        onChange={(chosen) => change({ tier: chosen })}
      />
      <div className="grid items-start gap-4 sm:grid-cols-2">
        {tier === 'enterprise' && (
          <NumberField
            label="Requests per day"
            hint="Counted from midnight UTC. Leave empty for no limit."
            isWhole
            value={texts.dailyLimit}
            error={errorOf(error, 'dailyLimit')}
            onChange={(dailyLimit) => change({ dailyLimit })}
          />
        )}
        <NumberField
          label="Requests per minute"
          hint="In any 60 seconds. Leave empty for no limit."
          isWhole
          value={limits.requestsPerMinute}
          error={errorOf(error, 'requestsPerMinute')}
          onChange={(text) => change({ limits: { ...limits, requestsPerMinute: text } })}
        />
      </div>
    </>
  )
}

function Spending({ texts, error, change }: RouterFields) {
  const { limits, routing } = texts
  return (
    <>
      <BudgetFields
        texts={limits}
        error={error}
        onChange={(budget) => change({ limits: { ...limits, ...budget } })}
      />
      {isUsed('pacing', circumstancesOf(texts)) && (
        <Checkbox
          label="Make the budget last"
          hint="Prefers cheaper models when spending runs ahead of budget."
          checked={routing.pacing}
          onChange={(pacing) => change({ routing: { ...routing, pacing } })}
        />
      )}
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <NumberField
          label="Maximum cost per request"
          unit="US dollars"
          hint="Excludes models whose long answers (1 in 10) would cost more. Leave empty for no limit."
          value={routing.maxCostUsdPerRequest}
          error={errorOf(error, 'routing.maxCostUsdPerRequest')}
          onChange={(text) => change({ routing: { ...routing, maxCostUsdPerRequest: text } })}
        />
      </div>
    </>
  )
}
