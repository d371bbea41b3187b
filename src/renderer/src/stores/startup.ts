import type { StartupInput } from '../../../shared/app/startup.ts'
import { call } from './client.ts'
import { createLoadedStore } from './loaded.ts'

/** How the app starts with the computer. */
export const useStartup = createLoadedStore('state', () => call('startup:get'))

/** @throws CallError */
export async function changeStartup(wanted: StartupInput): Promise<void> {
  useStartup.setState({ state: await call('startup:change', wanted) })
}
