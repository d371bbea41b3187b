/** Records everything that the main process sends to the window, where it leaves: answers, events, streams. */
import type { ElectronApplication } from '@playwright/test'

/** One value on its way to the window, as JSON. */
export interface HandedOver {
  readonly by: 'answer' | 'event' | 'port' | 'stream'
  readonly json: string
}

/** Starts recording; the returned function returns what was recorded so far. */
export async function recordIpc(app: ElectronApplication): Promise<() => Promise<HandedOver[]>> {
  await app.evaluate(({ ipcMain, BrowserWindow, MessageChannelMain }) => {
    const recorded: HandedOver[] = []
    Object.assign(globalThis, { recorded })
    const record = (by: HandedOver['by'], value: unknown) =>
      recorded.push({ by, json: JSON.stringify([value]) })

    type Handler = (event: unknown, ...args: unknown[]) => unknown
    // Electron's own list, because Electron has no public way to wrap an existing handler.
    const handlers = Reflect.get(ipcMain, '_invokeHandlers') as Map<string, Handler>
    for (const [channel, handler] of handlers) {
      handlers.set(channel, async (...args) => {
        const answer = await handler(...args)
        record('answer', answer)
        return answer
      })
    }

    /** Records the arguments of a method, and calls it. */
    function listenIn(owner: object, method: string, by: HandedOver['by']): void {
      const before = Reflect.get(owner, method) as (...args: unknown[]) => unknown
      Reflect.set(owner, method, function (this: unknown, ...args: unknown[]) {
        record(by, args)
        return Reflect.apply(before, this, args)
      })
    }
    for (const { webContents } of BrowserWindow.getAllWindows()) {
      listenIn(webContents, 'send', 'event')
      listenIn(webContents, 'postMessage', 'port')
    }
    const anyPort = new MessageChannelMain().port1
    listenIn(Object.getPrototypeOf(anyPort) as object, 'postMessage', 'stream')
  })
  return () => app.evaluate(() => Reflect.get(globalThis, 'recorded') as HandedOver[])
}
