/** The judged prompts of tuning runs, as a person manages them. */
import type { Dashboard, DashboardOptions } from './dashboard.ts'

export function createJudgedPrompts({
  judgedPrompts,
}: DashboardOptions): Pick<Dashboard, 'exportJudged' | 'forgetJudged'> {
  return {
    exportJudged: (routerId) => judgedPrompts.list(routerId),
    forgetJudged: (routerId) => judgedPrompts.forget(routerId),
  }
}
