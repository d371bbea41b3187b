/** A separate process that crashes in the middle of a restore: `stage-restore.ts DATA_DIR FILE`. */
import { stageRestore } from '../../../src/service/storage/sqlite/restore.ts'

const [dataDir = '', file = ''] = process.argv.slice(2)
await stageRestore({ dataDir, file })
process.kill(process.pid, 'SIGKILL')
