// `npm run reconcile:check`: bills of each vendor's form over 10,000 generated requests in three time zones, and 1,000
// damaged files. `npm test` runs the same with fewer.
import { spawnSync } from 'node:child_process'
import { repositoryDir } from './setup/paths.mjs'

const { status } = spawnSync('npx', ['vitest', 'run', 'test/reconcile', '--reporter=verbose'], {
  cwd: repositoryDir,
  stdio: 'inherit',
  shell: process.platform === 'win32',
  env: { ...process.env, MODELPORT_RECONCILE_CHECK: '1' },
})
process.exitCode = status ?? 1
