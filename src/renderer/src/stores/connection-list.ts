import { switchableConnections, type ConnectionId } from '../../../shared/app/connections.ts'
import { call } from './client.ts'
import { createLoadedStore } from './loaded.ts'
import { saveSetting, useSettings } from './settings.ts'

export const useConnectionList = createLoadedStore('connections', () => call('connections:list'))

/** Switches connections on or off. @throws CallError */
export async function switchConnections(
  ids: readonly ConnectionId[],
  isOn: boolean,
): Promise<void> {
  const before: readonly string[] = useSettings.getState().settings?.connectionsOff ?? []
  const isOff = (id: ConnectionId) => (ids.includes(id) ? !isOn : before.includes(id))
  await saveSetting('connectionsOff', switchableConnections.filter(isOff))
  await useConnectionList.getState().load()
}
