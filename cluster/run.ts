/** `npm run cluster [NAME…]`: the checks of docs/cluster.md, on a cluster of this computer. */
import { ensureSystemPackages } from '../scripts/setup/system-packages.mjs'
import { runChecksCommand } from '../torture/checks-command.ts'
import { checks } from './checks.ts'

await ensureSystemPackages({ window: false, tests: true, cluster: true })
await runChecksCommand({ name: 'cluster', checks, page: 'docs/cluster.md' })
