/** A process of its own that holds the write lock: `hold-lock.ts FILE MS` prints `held` once it does. */
import Sqlite from 'better-sqlite3'

const [file = '', holdMs = ''] = process.argv.slice(2)
const db = new Sqlite(file)
db.exec('BEGIN IMMEDIATE')
process.stdout.write('held')
setTimeout(() => {
  db.exec('ROLLBACK')
  db.close()
}, Number(holdMs))
