/** `npm run torture [NAME…]`: the checks of docs/reliability.md. */
import { checks } from './checks.ts'
import { runChecksCommand } from './checks-command.ts'

await runChecksCommand({ name: 'torture', checks, page: 'docs/reliability.md' })
