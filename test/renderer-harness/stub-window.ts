import { vi } from 'vitest'
import { createFakeBridge, type FakeBridge } from './fake-bridge.ts'
import type { PortReceiver } from './handlers.ts'
import type { Scene } from './scene.ts'

type MessageListener = (event: MessageEvent) => void

/** A `window` with a fake service behind it, until the test's globals are restored. */
export interface StubWindow {
  bridge: FakeBridge
  addEventListener: (name: string, listener: MessageListener) => void
}

/** @param deliver  delivers a stream's port when called: at once unless the test says otherwise */
export function stubWindow(
  scene: Scene,
  deliver: (handOver: () => void) => void = (handOver) => handOver(),
): StubWindow {
  const listeners = new Set<MessageListener>()
  const receiver: PortReceiver = {
    postMessage(message, _origin, ports) {
      const event = Object.assign(new Event('message'), { data: message, ports, source: stub })
      // Only the fields that the stores read, because a real MessageEvent does not accept a fake source.
      deliver(() => listeners.forEach((listener) => listener(event as unknown as MessageEvent)))
    },
  }
  const bridge = createFakeBridge(scene, receiver)
  const stub = {
    bridge,
    modelport: bridge,
    addEventListener: (_name: string, listener: MessageListener) => void listeners.add(listener),
  }
  vi.stubGlobal('window', stub)
  return stub
}
