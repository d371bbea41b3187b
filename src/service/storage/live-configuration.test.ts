import { expect, onTestFinished, test, vi } from 'vitest'
import { sampleRouter } from '../../../test/storage/samples.ts'
import { temporaryFolder } from '../../../test/storage/temporary-folder.ts'
import { openLiveConfiguration } from './live-configuration.ts'
import { openStorage } from './sqlite/open-storage.ts'

test('a change of another process is read within a second, and listeners are told', async () => {
  const dataDir = temporaryFolder()
  const [own, other] = [await openStorage({ dataDir }), await openStorage({ dataDir })]
  onTestFinished(async () => {
    await own.close()
    await other.close()
  })
  const live = await openLiveConfiguration(own, (error) => {
    expect.unreachable(String(error))
  })
  onTestFinished(() => live.close())
  const told = Promise.withResolvers<void>()
  live.onChange(() => told.resolve())
  const router = sampleRouter()
  await other.configuration.insertRouter(router)
  await told.promise
  expect([...live.current().routers.keys()]).toEqual([router.id])
})

test('a comparison reads what was stored before it, and many at once are few reads', async () => {
  const dataDir = temporaryFolder()
  const [own, other] = [await openStorage({ dataDir }), await openStorage({ dataDir })]
  onTestFinished(async () => {
    await own.close()
    await other.close()
  })
  const versions = vi.spyOn(own.configuration, 'version')
  const live = await openLiveConfiguration(own, (error) => {
    expect.unreachable(String(error))
  })
  // Only the comparisons of requests are counted.
  live.close()
  versions.mockClear()
  const [first, second] = [sampleRouter(), sampleRouter()]
  await other.configuration.insertRouter(first)
  await Promise.all(Array.from({ length: 1_000 }, () => live.compare()))
  expect([...live.current().routers.keys()]).toEqual([first.id])
  expect(versions).toHaveBeenCalledTimes(1)

  const during = live.compare()
  await other.configuration.insertRouter({ ...second, id: 'router_second' })
  await Promise.all([during, live.compare()])

  expect([...live.current().routers.keys()]).toContain('router_second')
  expect(versions.mock.calls.length).toBeLessThanOrEqual(3)
})

test('a slow read does not replace what a later one found', async () => {
  const own = await openStorage({ dataDir: temporaryFolder() })
  onTestFinished(() => own.close())
  const live = await openLiveConfiguration(own, (error) => {
    expect.unreachable(String(error))
  })
  onTestFinished(() => live.close())
  const old = await own.configuration.read()
  const slow = Promise.withResolvers<typeof old>()
  vi.spyOn(own.configuration, 'read').mockReturnValueOnce(slow.promise)
  const router = sampleRouter()
  await own.configuration.insertRouter(router)

  const first = live.refresh()
  await vi.waitFor(() => expect(own.configuration.read).toHaveBeenCalledTimes(1), 60_000)
  const later = [live.refresh(), live.refresh()]
  slow.resolve({ ...old, version: old.version - 1 })
  await Promise.all([first, ...later])

  expect([...live.current().routers.keys()]).toEqual([router.id])
  expect(own.configuration.read).toHaveBeenCalledTimes(2)
})
