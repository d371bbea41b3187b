import { create } from 'zustand'
import {
  switchableConnections,
  type ConnectionId,
  type ConnectionState,
} from '../../../shared/app/connections.ts'
import { call, toCallError, type CallError } from './client.ts'
import { saveSetting, useSettings } from './settings.ts'

interface ConnectionListStore {
  /** Null until loaded. */
  connections: readonly ConnectionState[] | null
  error: CallError | null
  /** Never rejects. */
  load(): Promise<void>
}

export const useConnectionList = create<ConnectionListStore>((set) => ({
  connections: null,
  error: null,
  async load() {
    try {
      set({ connections: await call('connections:list'), error: null })
    } catch (error) {
      set({ error: toCallError(error) })
    }
  },
}))

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
