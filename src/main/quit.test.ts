import { expect, test, vi } from 'vitest'
import { closeBeforeQuit, startsAgain } from './quit.ts'

const fake = await vi.hoisted(async () => {
  const { EventEmitter } = await import('node:events')
  class App extends EventEmitter {
    starts = 0
    hasEnded = false
    relaunch(): void {
      this.starts += 1
    }
    releaseSingleInstanceLock(): void {}
    quit(): void {
      let isStopped = false
      this.emit('before-quit', { preventDefault: () => (isStopped = true) })
      this.hasEnded = !isStopped
    }
  }
  return new App()
})
vi.mock('electron', () => ({ app: fake, BrowserWindow: { getAllWindows: () => [] } }))

test('a second start while the app quits starts it again', async () => {
  const closing = Promise.withResolvers<void>()
  const host = { settled: async () => ({ close: () => closing.promise }) }
  // Only `close` of the service is called.
  closeBeforeQuit(host as unknown as Parameters<typeof closeBeforeQuit>[0], async () => {})
  expect(startsAgain()).toBe(false)
  fake.quit()
  expect(startsAgain()).toBe(true)
  expect(fake.hasEnded).toBe(false)
  closing.resolve()
  await vi.waitFor(() => expect(fake.hasEnded).toBe(true), { timeout: 60_000 })
  expect(fake.starts).toBe(1)
})
