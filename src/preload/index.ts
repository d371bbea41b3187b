/**
 * The only connection between the window and the main process. It runs in Chromium's sandbox and imports only types
 * from the contract, so that none of it is bundled here.
 */
import { contextBridge, ipcRenderer } from 'electron'
import type { ModelportBridge, StreamPortMessage } from '../shared/ipc.ts'

// main/ipc.ts uses the same channel names.
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

// contextBridge cannot pass a MessagePort, but a message from the window to itself can.
ipcRenderer.on('modelport:stream', (event, message: StreamPortMessage) => {
  window.postMessage(message, window.location.origin, event.ports)
})
