import { expect, test, vi } from 'vitest'
import { openUpdater } from './open-updater.ts'

vi.mock('electron-updater', async () => {
  const { EventEmitter } = await import('node:events')
  /** Its installer refuses the package a moment after it was asked. */
  class Refusing extends EventEmitter {
    setFeedURL(): void {}
    quitAndInstall(): void {
      setTimeout(() => this.emit('error', new Error('The code signature is wrong.')), 20)
    }
  }
  return { MacUpdater: Refusing, NsisUpdater: Refusing }
})
vi.mock('./linux-updaters.ts', () => ({}))
vi.mock('./feed-provider.ts', () => ({ SignedFeedProvider: Object }))

test('on macOS, an installation waits for what Squirrel says of the package', async () => {
  const updater = openUpdater({
    source: { url: 'https://updates.example.com/', publicKey: '' },
    kind: 'mac',
    appImage: null,
    use: { isOff: () => false, opens: () => {} },
    installAfterStop: () => {},
  })
  await expect(updater.install()).rejects.toMatchObject({ kind: 'unexpected' })
})
