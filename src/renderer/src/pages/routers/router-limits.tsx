import type { RouterInput } from '../../../../shared/entities.ts'
import {
  BudgetFields,
  readBudget,
  readLimit,
  toBudgetTexts,
  type BudgetTexts,
} from '../../components/budget-fields.tsx'
import { TextField } from '../../components/field.tsx'
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
  return { requestsPerMinute: readLimit(requestsPerMinute), ...readBudget(budget) }
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
      <TextField
        label="Requests per minute"
        hint="In any 60 seconds. Leave empty for no limit."
        inputMode="numeric"
        value={texts.requestsPerMinute}
        error={errorOf(error, 'requestsPerMinute')}
        onChange={({ target }) => onChange({ ...texts, requestsPerMinute: target.value })}
      />
      <BudgetFields
        texts={texts}
        error={error}
        onChange={(budget) => onChange({ ...texts, ...budget })}
      />
    </>
  )
}
