import type { RouterInput } from '../../../../shared/entities.ts'
import {
  BudgetFields,
  readBudget,
  toBudgetTexts,
  type BudgetTexts,
} from '../../components/budget-fields.tsx'
import { NumberField } from '../../components/number-field.tsx'
import { readNumber } from '../../components/read-number.ts'
import { errorOf, type CallError } from '../../stores/client.ts'

/** A router's rate limit and budgets as form input. Empty means no limit. */
export interface LimitTexts extends BudgetTexts {
  requestsPerMinute: string
}

type Limits = Pick<RouterInput, 'requestsPerMinute' | 'budgetUsdPerDay' | 'budgetUsdPerMonth'>

export function toLimitTexts({ requestsPerMinute, ...budget }: Limits): LimitTexts {
  return { requestsPerMinute: String(requestsPerMinute ?? ''), ...toBudgetTexts(budget) }
}

export function readLimits({ requestsPerMinute, ...budget }: LimitTexts): Limits {
  return { requestsPerMinute: readNumber(requestsPerMinute), ...readBudget(budget) }
}

interface RouterLimitsProps {
  texts: LimitTexts
  error: CallError | null
  onChange: (texts: LimitTexts) => void
}

/** The rate limit and budgets of a router. The daily limit depends on the tier. */
export function RouterLimits({ texts, error, onChange }: RouterLimitsProps) {
  return (
    <>
      <NumberField
        label="Requests per minute"
        hint="In any 60 seconds. Leave empty for no limit."
        isWhole
        value={texts.requestsPerMinute}
        error={errorOf(error, 'requestsPerMinute')}
        onChange={(text) => onChange({ ...texts, requestsPerMinute: text })}
      />
      <BudgetFields
        texts={texts}
        error={error}
        onChange={(budget) => onChange({ ...texts, ...budget })}
      />
    </>
  )
}
