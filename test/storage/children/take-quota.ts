/**
 * A separate process that takes from a quota: `take-quota.ts DATA_DIR TIMES LIMIT` prints how many requests it
 * was granted.
 */
import { openStorage } from '../../../src/service/storage/sqlite/open-storage.ts'

const [dataDir = '', times = '', limit = ''] = process.argv.slice(2)
const storage = await openStorage({ dataDir })
const request = { routerId: 'router_a', day: '2026-11-21', wanted: 1, limit: Number(limit) }
let granted = 0
for (let taken = 0; taken < Number(times); taken += 1)
  granted += (await storage.quota.take(request)).granted
await storage.close()
process.stdout.write(String(granted))
