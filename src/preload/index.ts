/**
 * The only door between the window and the main process. It runs in Chromium's sandbox: types alone
 * are imported from the contract, so that nothing of it is bundled here.
 */
import { contextBridge, ipcRenderer } from 'electron'
import type { ModelportBridge, StreamPortMessage } from '../shared/ipc.ts'

// The channels' names stand here and in main/ipc.ts.
const bridge: ModelportBridge = {
  call: (name, input) => ipcRenderer.invoke('modelport:call', name, input),
  on(name, listener) {
    const hear = (_event: unknown, heard: unknown, payload: Parameters<typeof listener>[0]) => {
      if (heard === name) listener(payload)
    }
    ipcRenderer.on('modelport:event', hear)
    return () => void ipcRenderer.off('modelport:event', hear)
  },
}

contextBridge.exposeInMainWorld('modelport', bridge)

// contextBridge cannot carry a MessagePort; a message of the window to itself can.
ipcRenderer.on('modelport:stream', (event, message: StreamPortMessage) => {
  window.postMessage(message, window.location.origin, event.ports)
})
