import { Option, type Command } from 'commander'
import { readOrNone, readUsd, type none } from './option-values.ts'

/** The given options only. */
export interface BudgetOptions {
  budgetUsdPerDay?: number | typeof none
  budgetUsdPerMonth?: number | typeof none
}

/** The two budgets, the same on routers and on keys. */
export function addBudgetOptions(command: Command): Command {
  const words = 'refuse requests that would exceed this many US dollars'
  const read = readOrNone(readUsd)
  return command
    .addOption(new Option('--budget-usd-per-day <x|none>', `${words} per UTC day`).argParser(read))
    .addOption(new Option('--budget-usd-per-month <x|none>', `${words} per month`).argParser(read))
}
