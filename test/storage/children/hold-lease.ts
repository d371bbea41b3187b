/**
 * A node that waits to be killed: `hold-lease.ts URL DATA_DIR [store]` reserves 400 of a limit of 1,000 and prints
 * `reserved`. With `store` it then stores a row of 300.
 */
import { lockDataFolder } from '../../../src/service/data-folder/data-folder.ts'
import { openNodeProcesses } from '../../../src/service/data-folder/node-processes.ts'
import { openPostgresStorage } from '../../../src/service/storage/postgres/open-postgres-storage.ts'
import { sampleDetail, sampleRecord } from '../samples.ts'

const [url = '', dataDir = '', then = ''] = process.argv.slice(2)
const nowMs = Date.UTC(2026, 10, 21, 12)
const owner = { kind: 'router', id: 'router_a', spenderIds: ['router_a'] } as const
lockDataFolder({ dataDir, holder: 'serve' })
const { budgets, ledger } = await openPostgresStorage({
  url,
  processes: await openNodeProcesses(dataDir),
})
await budgets.read(owner, nowMs)
const limits = [{ owner, perDayNanoUsd: 1_000, perMonthNanoUsd: null }]
await budgets.reserve({ requestId: 'one', nanoUsd: 400, limits, nowMs })
process.stdout.write('reserved\n')
if (then === 'store') {
  await budgets.settle({ requestId: 'one', owners: [owner], costNanoUsd: 300, nowMs })
  const record = { id: 'one', routerId: owner.id, startedAtMs: nowMs, costNanoUsd: 300 }
  await ledger.append(sampleRecord(record), sampleDetail())
}
