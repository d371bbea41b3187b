/** A disk that is really full: a small tmpfs, which only root may mount. Runs on Linux as root. */
import { execFileSync } from 'node:child_process'
import { closeSync, existsSync, openSync, rmSync, statSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { sampleDetail, sampleRecord } from '../../../../test/storage/samples.ts'
import { temporaryFolder } from '../../../../test/storage/temporary-folder.ts'
import type { Storage } from '../storage.ts'
import { ballastBytes } from './ballast.ts'
import { openStorage } from './open-storage.ts'

const canMount = process.platform === 'linux' && process.getuid?.() === 0

/** @returns the data folder on a disk of this size, and functions to fill and free the rest of it */
function smallDisk(sizeMib: number) {
  const mountPoint = temporaryFolder()
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${sizeMib}m`, 'tmpfs', mountPoint])
  onTestFinished(() => void execFileSync('umount', ['--lazy', mountPoint]))
  const filler = join(mountPoint, 'filler')
  return {
    dataDir: join(mountPoint, 'data'),
    free: () => rmSync(filler),
    fill() {
      const handle = openSync(filler, 'a')
      while (hasWritten(handle, 1024 * 1024));
      while (hasWritten(handle, 4096));
      closeSync(handle)
    },
  }
}

function hasWritten(handle: number, bytes: number): boolean {
  try {
    return writeSync(handle, Buffer.alloc(bytes)) === bytes
  } catch {
    return false
  }
}

async function openOn(dataDir: string): Promise<Storage> {
  const storage = await openStorage({ dataDir })
  onTestFinished(() => storage.close())
  return storage
}

const append = ({ ledger }: Storage, id: string) =>
  ledger.append(sampleRecord({ id }), sampleDetail())

test.runIf(canMount)(
  'a full disk stores the rows in progress in the reserved space, answers reads, and recovers',
  async () => {
    const disk = smallDisk(32)
    const storage = await openOn(disk.dataDir)
    const { ledger, maintenance, health } = storage
    await append(storage, 'before')
    expect(await maintenance.reserveSpace()).toBe(true)
    const ballast = join(disk.dataDir, 'modelport.ballast')
    expect(statSync(ballast)).toMatchObject({ size: ballastBytes })
    expect(statSync(ballast).mode & 0o077).toBe(0)

    disk.fill()
    const ids = Array.from({ length: 200 }, (_, index) => `during ${index}`)
    await Promise.all(ids.map((id) => append(storage, id)))
    await expect
      .poll(() => health.outage())
      .toMatchObject({ canStoreRows: true, cause: { code: 'SQLITE_FULL' } })
    expect(existsSync(ballast)).toBe(false)
    expect(await ledger.get('during 199')).not.toBeNull()
    expect(await ledger.list({ limit: 1_000 })).toHaveLength(201)
    const everything = { rowsBeforeMs: 1, minutesBeforeMs: 1, hoursBeforeMs: 1 }
    await ledger.prune({ ...everything, maxBytes: 1, keptSinceMs: Number.MAX_SAFE_INTEGER })
    expect((await ledger.list({ limit: 1_000 })).length).toBeLessThan(201)

    disk.free()
    await expect.poll(() => health.outage()).toBeNull()
    expect(statSync(ballast)).toMatchObject({ size: ballastBytes })
    expect((await maintenance.check('full')).problems).toEqual([])
  },
)

test.runIf(canMount)('starts on a full disk with the reserved space, and says so', async () => {
  const disk = smallDisk(32)
  const first = await openStorage({ dataDir: disk.dataDir })
  await append(first, 'before')
  await first.maintenance.reserveSpace()
  await first.close()
  disk.fill()

  const storage = await openOn(disk.dataDir)
  await append(storage, 'after')
  expect(await storage.ledger.list({ limit: 10 })).toHaveLength(2)
  await expect.poll(() => storage.health.outage()?.canStoreRows).toBe(true)
})

test.runIf(canMount)('reserves nothing on a disk with too little space', async () => {
  const disk = smallDisk(10)
  const { maintenance } = await openOn(disk.dataDir)
  expect(await maintenance.reserveSpace()).toBe(false)
  expect(existsSync(join(disk.dataDir, 'modelport.ballast'))).toBe(false)
})
