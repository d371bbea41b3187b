import type { Budget } from '../../../shared/budget.ts'
import { errorOf, type CallError } from '../stores/client.ts'
import { TextField } from './field.tsx'

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
    budgetUsdPerDay: readLimit(budgetUsdPerDay),
    budgetUsdPerMonth: readLimit(budgetUsdPerMonth),
  }
}

/** Null for an empty field. The service rejects other text with a message for the field. */
export function readLimit(text: string): number | null {
  return text.trim() === '' ? null : Number(text)
}

interface BudgetFieldsProps {
  texts: BudgetTexts
  error: CallError | null
  onChange: (texts: BudgetTexts) => void
}

/** The daily and monthly budget of a router or a key. */
export function BudgetFields({ texts, error, onChange }: BudgetFieldsProps) {
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <TextField
        label="Daily budget (US dollars)"
        hint="From midnight UTC. Leave empty for no budget."
        inputMode="decimal"
        value={texts.budgetUsdPerDay}
        error={errorOf(error, 'budgetUsdPerDay')}
        onChange={({ target }) => onChange({ ...texts, budgetUsdPerDay: target.value })}
      />
      <TextField
        label="Monthly budget (US dollars)"
        hint="Requests that would exceed it are refused."
        inputMode="decimal"
        value={texts.budgetUsdPerMonth}
        error={errorOf(error, 'budgetUsdPerMonth')}
        onChange={({ target }) => onChange({ ...texts, budgetUsdPerMonth: target.value })}
      />
    </div>
  )
}
