import type { StreamPortMessage } from '../../../shared/ipc.ts'

/**
 * Matches each `chat:send` result with its MessagePort, which the preload passes through
 * `window.postMessage`. Either may arrive first.
 */
export interface StreamPorts {
  /** Resolves when the port of this stream arrives. */
  take(streamId: string): Promise<MessagePort>
}

/** The part of a window that delivers ports. */
export interface PortSource {
  addEventListener(name: 'message', listener: (event: MessageEvent) => void): void
}

/** @param source  the window whose `message` events carry the ports */
export function collectStreamPorts(source: PortSource): StreamPorts {
  const arrived = new Map<string, MessagePort>()
  const awaited = new Map<string, (port: MessagePort) => void>()
  source.addEventListener('message', (event) => {
    // Accept ports only from this window's preload: messages of frames have another source.
    if (event.source !== source) return
    const port = event.ports[0]
    if (!port || !isStreamPortMessage(event.data)) return
    const { streamId } = event.data
    const resolve = awaited.get(streamId)
    if (resolve) resolve(port)
    else arrived.set(streamId, port)
    awaited.delete(streamId)
  })
  return {
    take(streamId) {
      const port = arrived.get(streamId)
      arrived.delete(streamId)
      if (port) return Promise.resolve(port)
      return new Promise((resolve) => awaited.set(streamId, resolve))
    },
  }
}

function isStreamPortMessage(message: unknown): message is StreamPortMessage {
  return (
    typeof message === 'object' &&
    message !== null &&
    'kind' in message &&
    message.kind === 'modelport:stream' &&
    'streamId' in message &&
    typeof message.streamId === 'string'
  )
}
