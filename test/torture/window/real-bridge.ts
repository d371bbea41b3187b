/** The window's bridge to a real service: the calls and events of the main process, without Electron. */
import { answerCalls } from '../../../src/main/call-handlers.ts'
import { forwardEvents } from '../../../src/main/events.ts'
import type { MainWindow } from '../../../src/main/window.ts'
import type { Service } from '../../../src/service/service.ts'
import type { IpcEventName, ModelportBridge } from '../../../src/shared/ipc.ts'

type Listener = (payload: never) => void

export function bridgeTo(service: Service): ModelportBridge {
  const listeners = new Map<IpcEventName, Set<Listener>>()
  const answer = answerCalls(
    // Only what these calls use: no start, no copies and no updates of the app.
    { running: async () => service, takeState: () => ({ status: 'started' }) } as never,
    { quickEntry: {} } as never,
  )
  const send: MainWindow['send'] = (name, payload) => {
    for (const listener of listeners.get(name) ?? []) listener(structuredClone(payload) as never)
  }
  const nothing = () => {}
  // For answers that stream, which these tests do not ask for.
  const page = {} as never
  forwardEvents(service, { send, setTheme: nothing, setLanguage: nothing } as never)
  return {
    call: async (name, input) => structuredClone((await answer(name, input, page)) as never),
    on(name, listener) {
      const heard = listeners.get(name) ?? new Set()
      listeners.set(name, heard.add(listener))
      return () => void heard.delete(listener)
    },
  }
}
