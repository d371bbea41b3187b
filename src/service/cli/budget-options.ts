import { Option, type Command } from 'commander'
import { routerFields } from '../../shared/routers/router-fields.ts'
import { readOrNone, readUsd, type none } from './option-values.ts'

/** The given options only. */
export interface BudgetOptions {
  budgetUsdPerDay?: number | typeof none
  budgetUsdPerMonth?: number | typeof none
}

/** The two budgets of a key, as a router's. */
export function addBudgetOptions(command: Command): Command {
  for (const { option, help } of [routerFields.budgetUsdPerDay, routerFields.budgetUsdPerMonth])
    command.addOption(new Option(option, help).argParser(readOrNone(readUsd)))
  return command
}
