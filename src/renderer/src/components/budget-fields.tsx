import type { ReactNode } from 'react'
import type { Budget } from '../../../shared/routers/budget.ts'
import { errorOf, type CallError } from '../stores/client.ts'
import { NumberField } from './number-field.tsx'
import { readNumber } from './read-number.ts'
import { t } from '../../../shared/strings/strings.ts'
import { rich } from './rich.tsx'

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
  /** Below the hints. */
  notes?: Partial<Record<keyof Budget, ReactNode>>
}

/** The daily and monthly budget of a router or a key. */
export function BudgetFields({ texts, error, onChange, notes = {} }: BudgetFieldsProps) {
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <NumberField
        label={t('Daily budget')}
        unit={t('US dollars')}
        hint={
          <>
            {rich('From midnight UTC. Leave empty for no budget. {budgetUsdPerDay}', {
              budgetUsdPerDay: notes.budgetUsdPerDay,
            })}
          </>
        }
        value={texts.budgetUsdPerDay}
        error={errorOf(error, 'budgetUsdPerDay')}
        onChange={(text) => onChange({ ...texts, budgetUsdPerDay: text })}
      />
      <NumberField
        label={t('Monthly budget')}
        unit={t('US dollars')}
        hint={
          <>
            {rich('Requests that would exceed it are refused. {budgetUsdPerMonth}', {
              budgetUsdPerMonth: notes.budgetUsdPerMonth,
            })}
          </>
        }
        value={texts.budgetUsdPerMonth}
        error={errorOf(error, 'budgetUsdPerMonth')}
        onChange={(text) => onChange({ ...texts, budgetUsdPerMonth: text })}
      />
    </div>
  )
}
