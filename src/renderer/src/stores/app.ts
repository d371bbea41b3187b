import { create } from 'zustand'
import type { AppState } from '../../../shared/app-state.ts'
import type { IpcInput, IpcOutput } from '../../../shared/ipc.ts'
import { call, toCallError, type CallError } from './client.ts'
import { saveSetting } from './settings.ts'

interface AppStore {
  /** Null until loaded. */
  state: AppState | null
  error: CallError | null
  /** Reloads the state. Never rejects. */
  load(): Promise<void>
}

/** The state of the main process: endpoint, key store, local model, version. */
export const useApp = create<AppStore>((set) => ({
  state: null,
  error: null,
  async load() {
    try {
      set({ state: await call('app:state'), error: null })
    } catch (error) {
      set({ error: toCallError(error) })
    }
  },
}))

/**
 * Binds the endpoint to this port and saves the port once the endpoint is listening.
 * @throws CallError when the port is not valid
 */
export async function listenOn(port: number): Promise<void> {
  const endpoint = await call('endpoint:listen', { port })
  useApp.setState(({ state }) => ({ state: state && { ...state, endpoint } }))
  if (endpoint.status === 'listening') await saveSetting('port', port)
}

/** Pauses serving, or resumes it. @throws CallError */
export async function setPaused(isPaused: boolean): Promise<void> {
  await call('endpoint:pause', { isPaused })
  useApp.setState(({ state }) => ({ state: state && { ...state, isPaused } }))
}

/**
 * Sets the port for unencrypted HTTP and binds the endpoint again; null closes it.
 * @throws CallError when the port is not valid
 */
export async function listenHttpOn(httpPort: number | null): Promise<void> {
  await saveSetting('httpPort', httpPort)
  const endpoint = await call('endpoint:listen', {})
  useApp.setState(({ state }) => ({ state: state && { ...state, endpoint } }))
}

/** Adds the certificate authority to a trust store, or removes it. @throws CallError */
export async function changeTrust(
  change: IpcInput<'trust:change'>,
): Promise<IpcOutput<'trust:change'>> {
  const trust = await call('trust:change', change)
  const mustTrustAgain = trust?.mustTrustAgain ?? false
  useApp.setState(({ state }) => ({ state: state && { ...state, mustTrustAgain } }))
  return trust
}

/** Tries the key store again. @throws CallError */
export async function retrySecrets(): Promise<void> {
  const secrets = await call('secrets:retry')
  useApp.setState(({ state }) => ({ state: state && { ...state, secrets } }))
}

/** Makes the local model available. @throws CallError */
export async function prepareLocalModel(way: 'choose-file' | 'download' | 'retry'): Promise<void> {
  const localModel = await call(`local-model:${way}`)
  useApp.setState(({ state }) => ({ state: state && { ...state, localModel } }))
}
