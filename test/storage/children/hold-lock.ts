/** A separate process that holds the write lock until it is killed: `hold-lock.ts FILE` prints `held` once it does. */
import Sqlite from 'better-sqlite3'

const [file = ''] = process.argv.slice(2)
const db = new Sqlite(file)
db.exec('BEGIN IMMEDIATE')
process.stdout.write('held')
setInterval(() => {}, 60_000)
