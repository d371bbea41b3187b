/**
 * A node that waits to be killed: `append-in-outage.ts URL DATA_DIR` adds a row every 20 ms until PostgreSQL is gone, then
 * one more, named `last`, and prints how many it added.
 */
import { lockDataFolder } from '../../../src/service/data-folder/data-folder.ts'
import { WaitingRows } from '../../../src/service/data-folder/waiting-rows.ts'
import { openPostgresStorage } from '../../../src/service/storage/postgres/open-postgres-storage.ts'
import { sampleDetail, sampleRecord } from '../samples.ts'

const [url = '', dataDir = ''] = process.argv.slice(2)
lockDataFolder({ dataDir, holder: 'serve' })
const { health, ledger } = await openPostgresStorage({
  url,
  journal: new WaitingRows(dataDir, (error) => {
    throw error
  }),
})
let rows = 0
const append = (id: string) => {
  rows += 1
  void ledger.append(sampleRecord({ id }), sampleDetail())
}
const adding = setInterval(() => append(`row ${rows}`), 20)
health.onChange(() => {
  clearInterval(adding)
  append('last')
  process.stdout.write(`${rows}\n`)
})
process.stdout.write('ready\n')
