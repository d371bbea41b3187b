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
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const live = await openLiveConfiguration(own.configuration, (error) => {
    expect.unreachable(String(error))
  })
  onTestFinished(() => live.close())
  const told = Promise.withResolvers<void>()
  live.onChange(() => told.resolve())
  const router = sampleRouter()
  await other.configuration.insertRouter(router)
  expect(live.current().routers.size).toBe(0)

  vi.advanceTimersByTime(1_000)

  await told.promise
  expect([...live.current().routers.keys()]).toEqual([router.id])
})
