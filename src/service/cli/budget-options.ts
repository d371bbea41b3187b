import { Option, type Command } from 'commander'
import { readOrNone, readUsd, type none } from './option-values.ts'

/** What was given; what was not is left out. */
export interface BudgetOptions {
  budgetUsdPerDay?: number | typeof none
  budgetUsdPerMonth?: number | typeof none
}

/** The two budgets, the same on routers and on keys. */
export function addBudgetOptions(command: Command): Command {
  const words = 'refuse what would cost more, in US dollars'
  const read = readOrNone(readUsd)
  return command
    .addOption(new Option('--budget-usd-per-day <x|none>', `${words} a UTC day`).argParser(read))
    .addOption(new Option('--budget-usd-per-month <x|none>', `${words} a month`).argParser(read))
}
