/**
 * A separate process that appends rows until it is killed: `write-rows.ts DATA_DIR RUN` prints the id of each
 * row, one per line, once the row is durable.
 */
import { writeSync } from 'node:fs'
import { openStorage } from '../../../src/service/storage/sqlite/open-storage.ts'
import { sampleDetail, sampleRecord } from '../samples.ts'

const [dataDir = '', run = ''] = process.argv.slice(2)
const storage = await openStorage({ dataDir })

async function appendForever(writer: number): Promise<never> {
  for (let row = 0; ; row += 1) {
    const id = `${run}-${writer}-${row}`
    await storage.ledger.append(
      sampleRecord({ id, modelUsed: `openai:${writer}`, startedAtMs: row * 7_000 }),
      sampleDetail(),
    )
    writeSync(process.stdout.fd, `${id}\n`)
  }
}

await Promise.all([0, 1, 2, 3].map(appendForever))
