import type { IpcInput } from '../../../shared/ipc.ts'
import { t } from '../../../shared/strings/strings.ts'
import type { TrustState, TrustStoreState } from '../../../shared/app/trust.ts'
import { call, CallError } from './client.ts'
import { createLoadedStore } from './loaded.ts'
import { saveSetting } from './settings.ts'

/** The state of the main process: endpoint, key store, local model, version. */
export const useApp = createLoadedStore('state', () => call('app:state'))

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

/** Reads the trust stores. @throws CallError */
export async function readTrust(): Promise<TrustState | null> {
  return keepTrust(await call('trust:state'))
}

/**
 * Adds the certificate authority to a trust store, or removes it.
 * @param isInTerminal  the user has run the commands, so the store is only read
 * @throws CallError, also when the store has not changed
 */
export async function changeTrust(
  change: IpcInput<'trust:change'>,
  isInTerminal: boolean,
): Promise<TrustState | null> {
  const trust = isInTerminal ? await readTrust() : keepTrust(await call('trust:change', change))
  const store = trust?.stores.find(({ id }) => id === change.store)
  if (store && !hasChanged(store, change.isTrusted)) {
    const { name } = store
    const message = change.isTrusted
      ? t('{name} does not trust the authority yet.', { name })
      : t('{name} still has an authority of Modelport.', { name })
    throw new CallError({ code: 'conflict', message, field: null })
  }
  return trust
}

/** Whether a store changed as wanted. Removing takes out authorities that were replaced, too. */
function hasChanged({ isTrusted, hasOutdated }: TrustStoreState, isWanted: boolean): boolean {
  return isWanted ? isTrusted : !isTrusted && !hasOutdated
}

function keepTrust(trust: TrustState | null): TrustState | null {
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
