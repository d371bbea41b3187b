import { settings } from '../../shared/app/settings.ts'
import { DashboardError, type Dashboard, type DashboardOptions } from './dashboard.ts'
import { parseInput } from './input.ts'

export function createSettings({
  configuration,
  store,
}: DashboardOptions): Pick<Dashboard, 'settings' | 'setSetting'> {
  return {
    settings: async () => configuration.current().settings,
    async setSetting(name, value) {
      const setting = Object.hasOwn(settings, name) ? settings[name] : undefined
      if (!setting) {
        const known = Object.keys(settings).join(', ')
        throw new DashboardError('invalid', `Unknown setting. Use one of ${known}.`, 'name')
      }
      await store.setSetting(name, parseInput(setting.schema, value))
      await configuration.refresh()
      return configuration.current().settings
    },
  }
}
