/** `node seed-folder.ts FOLDER`: a data folder that the window has been used with for three months. */
import { createServer } from 'node:net'
import { openWorkspace } from '../../../src/service/wiring/workspace.ts'
import { seedConfiguration, seededKeys, seedLedger } from '../usage-seed.ts'
import { seedWindow } from '../window-seed.ts'

const [, , dataDir] = process.argv
if (dataDir === undefined) throw new Error('usage: node seed-folder.ts FOLDER')

/** Keys of 90 days are old, and every page would say so. */
const days = 89
const nowMs = Date.now()
const usage = await seedConfiguration(dataDir, nowMs - days * 86_400_000)
// The same figures on every day and at every hour: as if today were a Wednesday afternoon.
const patternMs = Date.UTC(2026, 10, 18, 15)
await seedLedger(dataDir, usage, { rows: 60_000, days, nowMs, patternMs })
const options = { dataDir, cacheDir: dataDir, allowSessionSecrets: true, env: seededKeys }
const workspace = await openWorkspace(options)
await seedWindow(workspace.storage, { usage, nowMs })
const { port } = workspace.configuration.current().settings
// Another program on the port would show a banner on every page.
if (!(await isFree(port))) await workspace.dashboard.setSetting('port', 0)
await workspace.close()

function isFree(onPort: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(onPort, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}
