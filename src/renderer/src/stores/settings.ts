import {
  settings as settingFields,
  type SettingName,
  type Settings,
} from '../../../shared/app/settings.ts'
import { call } from './client.ts'
import { createLoadedStore } from './loaded.ts'

export const useSettings = createLoadedStore('settings', () => call('settings:get'))

/** The forecast above which the chat asks before it sends, in US dollars; 0 for never. */
export function askAboveUsdOf({ settings }: { settings: Settings | null }): number {
  return settings?.askAboveUsd ?? settingFields.askAboveUsd.default
}

/** @throws CallError when the value is invalid */
export async function saveSetting<Name extends SettingName>(
  name: Name,
  value: Settings[Name],
): Promise<void> {
  await changeSetting(name, value)
}

/** The same for a value that only the service checks. @throws CallError when it is invalid */
export async function changeSetting(name: SettingName, value: unknown): Promise<void> {
  useSettings.setState({ settings: await call('settings:set', { name, value }), error: null })
}
