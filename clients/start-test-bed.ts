/** The test bed as people run it: the built service in its own process, with a data folder and a home of its own. */
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openOwnWorkspace } from '../bench/targets.ts'
import { startServe, stop } from '../bench/servers/start.ts'
import { configure, useUpLimit, type TestBed } from './test-bed.ts'
import { startUpstreams, type Upstreams } from './upstreams.ts'

export interface StartedTestBed {
  bed: TestBed
  /** Folder for the clients' homes; deleted at the end. */
  folder: string
  close(): Promise<void>
}

/** @param cacheDir  with the weights of the built-in model */
export async function startTestBed(
  cacheDir: string,
  starting: Promise<Upstreams> = startUpstreams(),
): Promise<StartedTestBed> {
  const folder = await mkdtemp(join(tmpdir(), 'modelport-clients-'))
  const dataDir = join(folder, 'data')
  const home = join(folder, 'home')
  await mkdir(home)
  const upstreams = await starting
  const preparing = await openOwnWorkspace(dataDir)
  const configured = await configure(preparing.dashboard, upstreams)
  await preparing.close()
  const keys = Object.fromEntries(
    ['CHAT', 'RESPONSES', 'MESSAGES', 'UNSTEADY', 'BROKEN'].map((id) => [
      `MODELPORT_KEY_${id}`,
      'sk-fake',
    ]),
  )
  const env = { ...keys, HOME: home, MODELPORT_CACHE_DIR: cacheDir }
  const { url, caFile, child } = await startServe(dataDir, env)
  const workspace = await openOwnWorkspace(dataDir)
  const bed: TestBed = {
    ...configured,
    origin: url,
    caFile,
    caBundleFile: join(caFile, '..', 'ca-bundle.pem'),
    upstreams,
    hasBuiltIn: existsSync(join(cacheDir, 'models')),
    newestRow: async (routerId) =>
      (await workspace.storage.ledger.list({ routerId, limit: 1 }))[0] ?? null,
  }
  await useUpLimit(bed, await readFile(caFile, 'utf8'))
  return {
    bed,
    folder,
    close: async () => {
      await workspace.close()
      await stop(child)
      await upstreams.close()
      await rm(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}
