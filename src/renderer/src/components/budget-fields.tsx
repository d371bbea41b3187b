import type { Budget } from '../../../shared/routers/budget.ts'
import { routerFields } from '../../../shared/routers/router-fields.ts'
import { errorOf, type CallError } from '../stores/client.ts'
import { NumberField } from './number-field.tsx'
import { readNumber } from './read-number.ts'

/** The two budgets as form input. Empty means no budget. */
export type BudgetTexts = Record<keyof Budget, string>

export function toBudgetTexts(budget: {
  [Name in keyof Budget]?: Budget[Name] | undefined
}): BudgetTexts {
  return {
    budgetUsdPerDay: String(budget.budgetUsdPerDay ?? ''),
    budgetUsdPerMonth: String(budget.budgetUsdPerMonth ?? ''),
  }
}

export function readBudget({ budgetUsdPerDay, budgetUsdPerMonth }: BudgetTexts): Budget {
  return {
    budgetUsdPerDay: readNumber(budgetUsdPerDay),
    budgetUsdPerMonth: readNumber(budgetUsdPerMonth),
  }
}

interface BudgetFieldsProps {
  texts: BudgetTexts
  error: CallError | null
  onChange: (texts: BudgetTexts) => void
}

/** The daily and monthly budget of a key, in the words of a router's. */
export function BudgetFields({ texts, error, onChange }: BudgetFieldsProps) {
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      {budgets.map((name) => (
        <NumberField
          key={name}
          label={routerFields[name].label}
          unit={routerFields[name].unit}
          hint={routerFields[name].hint}
          value={texts[name]}
          error={errorOf(error, name)}
          onChange={(text) => onChange({ ...texts, [name]: text })}
        />
      ))}
    </div>
  )
}

const budgets = ['budgetUsdPerDay', 'budgetUsdPerMonth'] as const
