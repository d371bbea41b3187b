import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import {
  StorageConflict,
  StorageRejected,
  type Storage,
} from '../../src/service/storage/storage.ts'
import { sampleRouter } from './samples.ts'
import { temporaryFolder } from './temporary-folder.ts'

/** @param isDurable  whether the tested server waits for the disk */
export function describeMaintenance(storage: () => Storage, isDurable: boolean): void {
  test('reports that it is intact and whether it is durable, and names its engine', async () => {
    expect(await storage().maintenance.check('full')).toEqual({
      engine: expect.stringMatching(/\d+\.\d+/),
      problems: [],
      daysThatDiffer: [],
      isDurable,
    })
  })

  test('a probe writes, and changes nothing', async () => {
    const { configuration, maintenance } = storage()
    const before = await configuration.version()
    await maintenance.probe()
    expect(await configuration.version()).toBe(before)
  })
}

/** Tests of engines whose data is in a file of this computer. @param open  a new, empty storage */
export function describeBackups(open: () => Promise<Storage>): void {
  const opened = async () => {
    const storage = await open()
    onTestFinished(() => storage.close())
    return storage
  }

  test('writes one file that contains the stored data', async () => {
    const { configuration, maintenance } = await opened()
    await configuration.insertRouter(sampleRouter({ name: 'A name to be found' }))
    const file = join(temporaryFolder(), 'backup')
    await maintenance.backup({ file, replaces: false })
    expect(readFileSync(file).includes('A name to be found')).toBe(true)
    expect(readdirSync(dirname(file))).toEqual(['backup'])
  })

  test('replaces a file only when allowed', async () => {
    const { maintenance } = await opened()
    const file = join(temporaryFolder(), 'backup')
    writeFileSync(file, 'mine')
    await expect(maintenance.backup({ file, replaces: false })).rejects.toThrow(StorageConflict)
    expect(readFileSync(file, 'utf8')).toBe('mine')
    await maintenance.backup({ file, replaces: true })
    expect(readFileSync(file, 'utf8')).not.toBe('mine')
  })
}

export function describeChanges(storage: () => Storage): void {
  const nothing = { save: [], remove: [] }
  const none = { providers: nothing, models: nothing, routers: nothing, agents: nothing }
  const changed = sampleRouter({ name: 'Changed' })
  const added = sampleRouter({ id: 'router_0000000000000002', createdAtMs: 2 })

  test('saves and removes agents with them', async () => {
    const { configuration } = storage()
    await configuration.saveAgent({ slug: 'old', source: 'name: old', createdAtMs: 1 })
    const version = await configuration.version()
    const save = [{ slug: 'new', source: 'name: new', createdAtMs: 2 }]
    const settings = { save: {}, remove: [] }
    await configuration.apply({ version, ...none, agents: { save, remove: ['old'] }, settings })
    expect((await configuration.read()).agents).toMatchObject([{ slug: 'new', version: 1 }])
  })

  test('makes several changes at once, and increases its version', async () => {
    const { configuration } = storage()
    await configuration.insertRouter(sampleRouter())
    await configuration.setSetting('port', 7000)
    const version = await configuration.version()
    const settings = { save: { theme: 'dark' }, remove: ['port'] }
    const routers = { save: [changed, added], remove: ['router_gone'] }
    await configuration.apply({ ...none, version, routers, settings })
    const now = await configuration.read()
    expect(now.routers).toEqual([changed, added])
    expect(now.settings).toEqual({ theme: 'dark' })
    expect(now.version).toBeGreaterThan(version)
  })

  test('makes none of the changes when the configuration changed in the meantime', async () => {
    const { configuration } = storage()
    const version = await configuration.version()
    await configuration.insertRouter(sampleRouter())
    const before = await configuration.read()
    const settings = { save: { theme: 'dark' }, remove: [] }
    const changes = { ...none, version, routers: { save: [changed], remove: [] }, settings }
    await expect(configuration.apply(changes)).rejects.toThrow(StorageConflict)
    expect(await configuration.read()).toEqual(before)
  })

  test('makes none of the changes when one of them fails', async () => {
    const { configuration } = storage()
    await configuration.insertRouter(sampleRouter())
    const before = await configuration.read()
    const model = { id: 'a:b', inputUsdPerMtok: 1e300, outputUsdPerMtok: 0, contextTokens: 1 }
    const changes = {
      ...none,
      version: before.version,
      models: { save: [model], remove: [] },
      routers: { save: [], remove: [sampleRouter().id] },
      settings: { save: {}, remove: [] },
    }
    await expect(configuration.apply(changes)).rejects.toThrow(StorageRejected)
    expect(await configuration.read()).toEqual(before)
  })
}
