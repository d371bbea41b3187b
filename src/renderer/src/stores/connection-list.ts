import { switchableConnections, type ConnectionId } from '../../../shared/app/connections.ts'
import { call } from './client.ts'
import { createLoadedStore } from './loaded.ts'
import { saveSetting, useSettings } from './settings.ts'

export const useConnectionList = createLoadedStore('connections', () => call('connections:list'))

/** The connections that were off before all were, which a restart keeps. */
const storageKey = 'connections-off-before'

/** Switches a connection on or off. @throws CallError */
export function switchConnection(id: ConnectionId, isOn: boolean): Promise<void> {
  const others = offNow().filter((other) => other !== id)
  return saveOff(isOn ? others : [...others, id])
}

/** Switches all connections off, or on again what was on before all were off. @throws CallError */
export function workOffline(isOffline: boolean): Promise<void> {
  return saveOff(
    isOffline ? switchableConnections : (localStorage.getItem(storageKey)?.split(',') ?? []),
  )
}

async function saveOff(ids: readonly string[]): Promise<void> {
  const before = offNow()
  const off = switchableConnections.filter((id) => ids.includes(id))
  await saveSetting('connectionsOff', off)
  const isAll = (some: readonly string[]) => some.length === switchableConnections.length
  if (isAll(off) && !isAll(before)) localStorage.setItem(storageKey, before.join(','))
  await useConnectionList.getState().load()
}

function offNow(): readonly string[] {
  return useSettings.getState().settings?.connectionsOff ?? []
}
