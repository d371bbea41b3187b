import { expect, onTestFinished, test } from 'vitest'
import { loadCatalog, type DownloadedCatalog } from '../catalog/catalog.ts'
import { StorageUnavailable } from '../storage/storage-errors.ts'
import { openSharedCatalog } from './shared-catalog.ts'

const downloaded: DownloadedCatalog = {
  formatVersion: 1,
  asOf: '2099-01-01',
  models: [],
}
const good = JSON.stringify(downloaded)

/** A table that other nodes change, and what a node makes of it. */
async function open(first: string | null = null) {
  const stored = { revision: 0, text: first, isGone: false, reads: 0 }
  const save = async (text: string | null) => {
    stored.text = text
    stored.revision += 1
  }
  if (first !== null) await save(first)
  const table = {
    async revision() {
      if (stored.isGone) throw new StorageUnavailable('gone')
      return stored.revision
    },
    async read() {
      stored.reads += 1
      return { revision: stored.revision, text: stored.text }
    },
    save,
  }
  const listeners = new Set<() => void>()
  const onChange = (listener: () => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }
  const changed = () => {
    for (const listener of listeners) listener()
  }
  const catalog = loadCatalog()
  const errors: unknown[] = []
  const shared = await openSharedCatalog({
    table,
    configuration: { onChange },
    catalog,
    onError: (error) => errors.push(error),
  })
  onTestFinished(() => shared.close())
  return { shared, stored, save, changed, catalog, errors, listeners }
}

test('a node begins with the stored catalog', async () => {
  const { catalog } = await open(good)
  expect(catalog.state()).toMatchObject({ origin: 'downloaded', asOf: '2099-01-01' })
})

test('a node follows what another saved and removed, and reads each catalog once', async () => {
  const { save, changed, catalog, stored } = await open()
  await save(good)
  changed()
  changed()
  await expect.poll(() => catalog.state().origin).toBe('downloaded')
  changed()
  expect(stored.reads).toBe(1)

  await save(null)
  changed()
  await expect.poll(() => catalog.state().origin).toBe('bundled')
  expect(stored.reads).toBe(2)
})

test.each([
  ['damaged', good.slice(0, 20)],
  ['of a newer version', good.replace('"formatVersion":1', '"formatVersion":2')],
])('the catalog before one that is %s stays, with one error', async (_what, text) => {
  const { save, changed, catalog, errors } = await open(good)
  await save(text)
  changed()
  await expect.poll(() => errors).toHaveLength(1)
  changed()
  await save(good.replace('2099-01-01', '2099-02-02'))
  changed()
  await expect.poll(() => catalog.state().asOf).toBe('2099-02-02')
  expect(errors).toHaveLength(1)
})

test('a failed read is repeated without another change', async () => {
  const { save, changed, catalog, errors, stored } = await open()
  await save(good)
  stored.isGone = true
  changed()
  await expect.poll(() => errors).toHaveLength(1)
  stored.isGone = false
  await expect.poll(() => catalog.state().origin).toBe('downloaded')
})

test('a change of its own applies when it is saved', async () => {
  const { shared, catalog, listeners } = await open()
  await shared.save(downloaded)
  expect(catalog.state().origin).toBe('downloaded')
  await shared.remove()
  expect(catalog.state().origin).toBe('bundled')
  shared.close()
  expect(listeners.size).toBe(0)
})
