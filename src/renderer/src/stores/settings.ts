import { create } from 'zustand'
import {
  settings as settingFields,
  type SettingName,
  type Settings,
} from '../../../shared/app/settings.ts'
import { call, toCallError, type CallError } from './client.ts'

interface SettingsState {
  /** Null until loaded. */
  settings: Settings | null
  error: CallError | null
  /** Reloads the settings. Never rejects. */
  load(): Promise<void>
}

export const useSettings = create<SettingsState>((set) => ({
  settings: null,
  error: null,
  async load() {
    try {
      set({ settings: await call('settings:get'), error: null })
    } catch (error) {
      set({ error: toCallError(error) })
    }
  },
}))

/** The forecast above which the chat asks before it sends, in US dollars; 0 for never. */
export function askAboveUsdOf({ settings }: SettingsState): number {
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
