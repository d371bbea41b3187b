/** `npm run torture [NAME…]`: the checks of docs/reliability.md. */
import { ensureSystemPackages } from '../scripts/setup/system-packages.mjs'
import { checks } from './checks.ts'
import { runChecksCommand } from './checks-command.ts'

await ensureSystemPackages({ window: true, tests: true, torture: true })
await runChecksCommand({ name: 'torture', checks, page: 'docs/reliability.md' })
