/**
 * A fake main process: it answers every call from a scene in memory and streams generated answers, so that the window
 * can be viewed and its stores tested without Electron.
 */
import {
  ipcCalls,
  type IpcAnswer,
  type IpcCallName,
  type IpcEventName,
  type IpcEvents,
  type IpcInput,
  type ModelportBridge,
} from '../../src/shared/ipc.ts'
import { agentHandlers } from './fake-agents.ts'
import { backupHandlers } from './fake-backups.ts'
import { chatHandlers } from './fake-chat.ts'
import { connectHandlers } from './fake-connect.ts'
import { dashboardHandlers } from './fake-dashboard.ts'
import { localModelsHandlers } from './fake-local-models.ts'
import { mcpHandlers } from './fake-mcp.ts'
import { tuningHandlers } from './fake-tuning.ts'
import { updateHandlers } from './fake-updates.ts'
import { Refusal, type HandlersOf, type PortReceiver } from './handlers.ts'
import type { Scene } from './scene.ts'

export interface FakeBridge extends ModelportBridge {
  /** Sends the window an event, as the main process would. */
  emit<Name extends IpcEventName>(name: Name, payload: IpcEvents[Name]): void
  scene: Scene
}

type Handlers = HandlersOf<IpcCallName>

export function createFakeBridge(scene: Scene, receiver: PortReceiver): FakeBridge {
  const listeners = new Map<IpcEventName, Set<(payload: never) => void>>()
  const bridge: FakeBridge = {
    scene,
    emit(name, payload) {
      for (const listener of listeners.get(name) ?? []) listener(payload as never)
    },
    on(name, listener) {
      const heard = listeners.get(name) ?? new Set()
      listeners.set(name, heard.add(listener))
      return () => void heard.delete(listener)
    },
    async call<Name extends IpcCallName>(name: Name, input: IpcInput<Name>) {
      return answer(handlers, name, input)
    },
  }
  const handlers: Handlers = {
    ...serviceHandlers(scene),
    ...windowHandlers(),
    ...dashboardHandlers(scene),
    ...agentHandlers(scene, receiver),
    ...tuningHandlers(scene),
    ...connectHandlers(),
    ...backupHandlers(scene),
    ...mcpHandlers(),
    ...updateHandlers(scene, bridge.emit),
    ...chatHandlers({ scene, emit: bridge.emit, receiver }),
  }
  return bridge
}

async function answer<Name extends IpcCallName>(
  handlers: Handlers,
  name: Name,
  input: IpcInput<Name>,
): Promise<IpcAnswer<Name>> {
  const checked = ipcCalls[name].input.safeParse(input)
  if (!checked.success) {
    const issue = checked.error.issues[0]
    const field = issue?.path.join('.') || null
    return { ok: false, error: { code: 'invalid', message: issue?.message ?? 'invalid', field } }
  }
  try {
    return { ok: true, value: structuredClone(await handlers[name](input)) }
  } catch (error) {
    if (error instanceof Refusal) return { ok: false, error: error.failure }
    throw error
  }
}

function serviceHandlers(
  scene: Scene,
): HandlersOf<
  | `app:${string}`
  | `endpoint:${string}`
  | `secrets:${string}`
  | `start:${string}`
  | `startup:${string}`
  | `webhook:${string}`
  | `local-model:${string}`
  | `local-models:${string}`
> {
  return {
    'app:state': () => scene.app,
    'endpoint:listen': ({ port = 6778 }) => {
      scene.app.endpoint = {
        status: 'listening',
        url: `https://localhost:${port}`,
        httpUrl: null,
        caFile: '/home/user/.local/share/modelport/ca.pem',
        caBundleFile: '/home/user/.local/share/modelport/ca-bundle.pem',
      }
      return scene.app.endpoint
    },
    'endpoint:pause': ({ isPaused }) => {
      scene.app.isPaused = isPaused
    },
    'secrets:retry': () => scene.app.secrets,
    'webhook:test': () => {
      throw new Refusal('webhook_failed', 'The webhook failed: it answered with status 500.')
    },
    'start:state': () => scene.start,
    'start:retry': () => scene.start,
    'start:open-folder': () => {},
    'start:quit': () => {},
    'start:empty': () => scene.start,
    'startup:get': () => scene.startup,
    'startup:change': (wanted) => Object.assign(scene.startup, wanted),
    'local-model:choose-file': () => {
      throw new Refusal('invalid', 'That file is not a GGUF model.')
    },
    'local-model:download': () => {
      scene.app.localModel = {
        status: 'downloading',
        receivedBytes: 31_000_000,
        totalBytes: 94_371_840,
      }
      return scene.app.localModel
    },
    'local-model:retry': () => scene.app.localModel,
    ...localModelsHandlers(scene),
  }
}

/** Nothing opens another window or a view here. */
function windowHandlers(): HandlersOf<`preview:${string}` | `quick-entry:${string}`> {
  return {
    'preview:open': () => {},
    'preview:place': () => {},
    'preview:focus': () => {},
    'preview:close': () => {},
    'quick-entry:show': () => {},
    'quick-entry:hide': () => {},
    'quick-entry:open-main': () => {},
    'quick-entry:state': () => ({
      shortcut: null,
      isLost: false,
      trial: null,
      command: 'modelport-desktop --ask',
    }),
    'quick-entry:record': () => {},
    'quick-entry:turn-off': () => {},
  }
}
