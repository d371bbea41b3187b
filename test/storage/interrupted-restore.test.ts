/** Restores that ended between the preparation of the copy and the change of the database. */
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { lockDataFolder } from '../../src/service/data-folder/data-folder.ts'
import { openBackups, startService, type Service } from '../../src/service/service.ts'
import { applyRestore } from '../../src/service/storage/sqlite/restore.ts'
import { openStorage } from '../../src/service/storage/sqlite/open-storage.ts'
import { sampleRouter } from './samples.ts'
import { startChild } from './child.ts'
import { temporaryFolder } from './temporary-folder.ts'

/** A database with one router more than its copy, and a restore that was killed after it prepared the copy. */
async function crashInRestore() {
  const dataDir = temporaryFolder()
  const storage = await openStorage({ dataDir })
  const backups = openBackups({ dataDir, now: () => 0 })
  const { name } = await backups.create()
  await storage.configuration.insertRouter(sampleRouter())
  await storage.close()
  await startChild('stage-restore.ts', dataDir, join(dataDir, name)).exited
  expect(restoringIn(dataDir)).toContain('modelport.restoring.db')
  return { dataDir, backups, name }
}

const restoringIn = (dataDir: string) =>
  readdirSync(dataDir).filter((name) => name.includes('restoring'))

async function start(dataDir: string): Promise<Service> {
  const cacheDir = join(dataDir, 'cache')
  const common = { holder: 'serve', port: 0, env: {}, allowSessionSecrets: true } as const
  const service = await startService({ dataDir, cacheDir, ...common })
  onTestFinished(() => service.close())
  return service
}

test('the next start deletes the prepared copy of a killed restore, and the database stays', async () => {
  const { dataDir } = await crashInRestore()
  const service = await start(dataDir)
  expect(restoringIn(dataDir)).toEqual([])
  const routers = await service.dashboard.routers()
  expect(routers.map(({ id }) => id)).toContain(sampleRouter().id)
})

test('a start that finds the folder in use leaves the copy of the running restore alone', async () => {
  const { dataDir } = await crashInRestore()
  const unlock = lockDataFolder({ dataDir, holder: 'restore' })
  onTestFinished(unlock)
  await expect(start(dataDir)).rejects.toThrow('modelport restore')
  expect(restoringIn(dataDir)).toContain('modelport.restoring.db')
})

test('a restore whose prepared copy is gone changes nothing', async () => {
  const { dataDir, backups, name } = await crashInRestore()
  const staged = await backups.stage(name)
  staged.discard()
  await expect(staged.apply()).rejects.toThrow('The copy to restore is gone.')
  await expect(applyRestore({ dataDir, nowMs: 0 })).rejects.toThrow('The copy to restore is gone.')
  expect((await backups.list()).current).toMatchObject({ routers: 1 })
  expect(existsSync(join(dataDir, 'modelport.restoring.db'))).toBe(false)
})
