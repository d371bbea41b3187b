/** A separate process that holds the write lock until it is killed: `hold-lock.ts FILE` prints `held` once it does. */
import Sqlite from 'better-sqlite3'

const [file = ''] = process.argv.slice(2)
const db = new Sqlite(file)
db.exec('BEGIN IMMEDIATE')
process.stdout.write('held')
// A database that nothing refers to is closed with the next collection of garbage.
setInterval(() => db.open, 60_000)
